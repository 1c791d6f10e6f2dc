package states

import (
	"cmp"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// want is what has to be true of the answers, whatever their format.
type want struct {
	state decision.State
	// counts and cause are texts of the first line.
	counts, cause string
	// reason and object are those of the first cause, object as kind/name; none for a
	// state without causes.
	reason, object string
	// next is the command to type, empty for none.
	next string
	// said is a text somewhere in the answer, such as the scheduler's own message.
	said []string
	// plan is the exit status of plan, and planned a text of its first line, which is the
	// cause where nothing is planned.
	plan    int
	planned string
	// plans is a text somewhere in the plan.
	plans string
	// wait is the exit status of wait, and waited a text of it, which is the cause where
	// that is read on a server.
	wait   int
	waited string
	// mends: the next sync ends the cause, so that the rounds do not meet it.
	mends bool
	// never are texts that no answer may have, since they are not true.
	never []string
	// loose are the names of Pods, ReplicaSets and claims without a settled owner.
	loose []string
}

// columns is how wide a first line may be before its full stop.
const columns = 100

// wide is how many columns a line takes, without its full stop.
func wide(line string) int { return utf8.RuneCountInString(strings.TrimSuffix(line, ".")) }

// exits are the exit statuses of explain --exit-code.
var exits = map[decision.State]int{
	decision.StateStable: 0, decision.StateReconciling: 1, decision.StateProgressing: 1,
	decision.StateUnknown: 2, decision.StateTerminating: 1, decision.StateBlocked: 3,
}

// checkFirst: the first line has the object, its state, the counts and the cause.
func (a *asked) checkFirst(explain answer) {
	a.Helper()
	kind, name, _ := strings.Cut(a.target, "/")
	kind = map[string]string{"deploy": "deployment", "rs": "replicaset", "sts": "statefulset", "clone": "cloneset"}[kind]
	first := explain.first()
	start := kind + "/" + name + " in shop: " + strings.ToLower(string(a.want.state))
	if !strings.HasPrefix(first, start) || !strings.Contains(first, a.want.counts) || !strings.Contains(first, a.want.cause) {
		a.Errorf("first line %q\nwants %q, %q and %q", first, start, a.want.counts, a.want.cause)
	}
	if deadline := strings.Index(explain.out, "no progress within progressDeadlineSeconds"); deadline >= 0 && deadline < strings.Index(explain.out, "  POD ") {
		a.Errorf("the deadline comes before the Pods that it follows from: %s", explain.out)
	}
	if n := wide(first); n > columns {
		a.Errorf("first line of %d columns: %s", n, first)
	}
	if explain.status != exits[a.want.state] {
		a.Errorf("explain ends with %d, want %d", explain.status, exits[a.want.state])
	}
	for _, text := range a.want.said {
		if !strings.Contains(unwrapped(explain.out), text) {
			a.Errorf("explain does not say %q", text)
		}
	}
}

// unwrapped is a text without its line breaks.
func unwrapped(text string) string { return strings.Join(strings.Fields(text), " ") }

// checkJSON: programs get the same state, causes and command.
func (a *asked) checkJSON() {
	a.Helper()
	var e decision.Standing
	if err := json.Unmarshal([]byte(a.run("explain", a.target, "-n", "shop", "-o", "json").out), &e); err != nil {
		a.Fatal(err)
	}
	causes := e.Causes()
	var reason, object string
	if len(causes) > 0 {
		reason, object = causes[0].Reason, causes[0].Object.String()
	}
	if e.State != a.want.state || reason != a.want.reason || object != a.want.object || e.Next != a.want.next {
		a.Errorf("%s: %s of %s, next %q\nwant %s: %s of %s, next %q", e.State, reason, object, e.Next, a.want.state, a.want.reason, a.want.object, a.want.next)
	}
	if blocked := len(e.BlockedBy) > 0; blocked != (a.want.state == decision.StateBlocked) && a.want.state != decision.StateReconciling {
		a.Errorf("%s with blockedBy %v", e.State, e.BlockedBy)
	}
	for _, c := range causes {
		if c.Reason == "ProgressDeadlineExceeded" && !strings.Contains(e.Headline, "deadline exceeded") {
			a.Errorf("the first line leaves out the progress deadline: %s", e.Headline)
		}
		if !a.has(c.Object.Kind, c.Object.Name) {
			a.Errorf("a cause is of %s, which is not there", c.Object)
		}
	}
	a.checkNext(e.Next)
	a.checkPodNext(e)
}

// checkPodNext: asked about the Pod that is the first cause, the next command is that of its
// workload's answer, but where the garbage collector's deletion is told of the Pod.
func (a *asked) checkPodNext(e decision.Standing) {
	a.Helper()
	causes := e.Causes()
	if len(causes) == 0 || causes[0].Pod == nil || e.Next == "" {
		return
	}
	var pod decision.Standing
	if err := json.Unmarshal([]byte(a.run("explain", causes[0].Object.String(), "-n", "shop", "-o", "json").out), &pod); err != nil {
		a.Fatal(err)
	}
	own := pod.Causes()
	collected := len(own) > 0 && own[0].Pod == nil
	if pod.Next != e.Next && !collected {
		a.Errorf("explain %s says next: %s\nand of its workload: %s", causes[0].Object, pod.Next, e.Next)
	}
}

func (a *asked) checkPlan(plan answer) {
	a.Helper()
	planned := a.want.planned
	if planned == "" {
		planned = a.want.cause
	}
	if plan.status != a.want.plan || !strings.Contains(plan.first(), planned) {
		a.Errorf("plan ends with %d: %s%s\nwant %d with %q", plan.status, plan.first(), plan.errs, a.want.plan, planned)
	}
	if blocked := strings.Contains(plan.first(), "blocked,") || strings.Contains(plan.first(), "is blocked"); blocked && plan.status != 3 {
		a.Errorf("plan ends with %d: %s", plan.status, plan.first())
	}
	if !strings.Contains(unwrapped(plan.out), a.want.plans) {
		a.Errorf("plan does not say %q", a.want.plans)
	}
	if first, _, _ := strings.Cut(plan.out, "\n"); wide(first) > columns {
		a.Errorf("first line of plan of %d columns: %s", wide(first), first)
	}
}

// checkWait: a wait ends with the same cause as explain, whatever made it end.
func (a *asked) checkWait(wait answer) {
	a.Helper()
	last := strings.TrimSpace(wait.out + wait.errs)
	last = last[strings.LastIndex(last, "\n")+1:]
	waited := cmp.Or(a.want.waited, a.want.cause)
	if wait.status != a.want.wait || !strings.Contains(wait.out+wait.errs, waited) {
		a.Errorf("wait ends with %d: %s\nwant %d with %q", wait.status, last, a.want.wait, waited)
	}
}

// checkOrphans: those objects and no others have no settled owner.
func (a *asked) checkOrphans(orphans answer) {
	a.Helper()
	var found []string
	for line := range strings.FieldsSeq(a.run("orphans", "pods,rs,pvc", "-n", "shop", "-o", "name").out) {
		found = append(found, line[strings.LastIndex(line, "/")+1:])
	}
	slices.Sort(found)
	if !slices.Equal(found, a.want.loose) {
		a.Errorf("orphans finds %v, want %v", found, a.want.loose)
	}
	if want := min(len(a.want.loose), 1); orphans.status != want {
		a.Errorf("orphans ends with %d, want %d", orphans.status, want)
	}
}

// has reports whether the cluster has an object.
func (a *asked) has(kind, name string) bool {
	for _, o := range a.built.objects {
		if m := o.(metav1.Object); m.GetName() == name && o.GetObjectKind().GroupVersionKind().Kind == kind {
			return true
		}
	}
	return false
}

// generated is a name that a controller made up: of a Pod, or of a ReplicaSet.
var generated = regexp.MustCompile(`\b[a-z]+(?:-[0-9a-f]{8,10})?-[bcdfghjklmnpqrstvwxz2456789]{5}\b`)

// checkClaims: what the answers say of the cluster is so.
func (a *asked) checkClaims(all ...answer) {
	a.Helper()
	for _, one := range all {
		text := one.out + one.errs
		for _, never := range append(a.want.never, "panic", "%!", "<nil>", "0001-01-01") {
			if strings.Contains(unwrapped(text), never) {
				a.Errorf("an answer says %q:\n%s", never, text)
			}
		}
		for _, name := range generated.FindAllString(text, -1) {
			if !strings.Contains(a.text, name) {
				a.Errorf("an answer names %s, which is not there", name)
			}
		}
	}
	a.checkCounts(all[0].first())
}

var availableOf = regexp.MustCompile(`(\d+) of (\d+) (?:replicas )?available`)

// checkCounts: the first line counts the Pods as they are.
func (a *asked) checkCounts(first string) {
	a.Helper()
	said := availableOf.FindStringSubmatch(first)
	if said == nil {
		return
	}
	ready := 0
	for _, o := range a.built.objects {
		if p, ok := o.(*corev1.Pod); ok && p.Namespace == "shop" && a.counts(p) {
			ready++
		}
	}
	if said[1] != itoa(ready) {
		a.Errorf("%s available, but %d Pods are", said[1], ready)
	}
}
