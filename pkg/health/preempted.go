package health

import (
	"fmt"
	"regexp"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/events"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/places"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// preemptedBy is what the scheduler's event about a Pod says that makes room for another one, or
// for a group, named by UID (pkg/scheduler/framework/preemption/preemption.go PreemptPod,
// v1.29.15, executor.go NewExecutor, v1.37.1).
var preemptedBy = regexp.MustCompile(`^Preempted by (\S+) (\S+) on node `)

// lately is how long ago Pods were preempted that those which replace them still wait for room:
// API servers keep events no longer by default (--event-ttl).
const lately = time.Hour

// preemptions says, by the prefix of names, which Pods with such names were preempted, for Pods
// that others keep from nodes. It reads the events of that.
func preemptions(r *view.Reader, pods []*corev1.Pod) map[string]string {
	said := map[string]string{}
	for _, p := range pods {
		if _, looked := said[p.GenerateName]; !looked && p.GenerateName != "" && places.CrowdedOut(p) {
			said[p.GenerateName] = preempted(r, p)
		}
	}
	return said
}

// preempted says which Pods with a name like that of a Pod were preempted lately, and by which,
// empty for none.
func preempted(r *view.Reader, p *corev1.Pod) string {
	need := view.Need{
		Kind: view.Events, Namespace: p.Namespace, Fields: "involvedObject.kind=Pod,reason=Preempted",
		IfMissing: "whether Pods were preempted is not known", Explains: true, Spare: true,
	}
	n, last := 0, (*corev1.Event)(nil)
	for _, e := range view.List[*corev1.Event](r, need, nil) {
		name, like := strings.CutPrefix(e.InvolvedObject.Name, p.GenerateName)
		if e.Reason != "Preempted" || !like || strings.Contains(name, "-") || r.Now().Sub(events.Last(e)) > lately {
			continue
		}
		if n++; last == nil || events.Last(e).After(events.Last(last)) {
			last = e
		}
	}
	if last == nil {
		return ""
	}
	text := fmt.Sprintf("%s was preempted %s ago", last.InvolvedObject.Name, format.Age(events.Last(last), r.Now()))
	if m := preemptedBy.FindStringSubmatch(last.Message); m != nil {
		text += " by " + m[1] + " " + preemptor(r, last, m[2])
	}
	if n > 1 {
		text += fmt.Sprintf(", and %d more like it", n-1)
	}
	return text
}

// inVain is what the scheduler says of preemption for a Pod that waits, up to what was added to it.
var inVain = regexp.MustCompile(` (?:no new claims to deallocate, )?preemption: 0/[^;]*`)

// preemptor names the object of a UID for which a Pod was preempted: with its priority where it
// is a Pod of the same namespace that is there.
func preemptor(r *view.Reader, e *corev1.Event, uid string) string {
	need := view.Need{Kind: view.Pods, Namespace: e.InvolvedObject.Namespace, IfMissing: "for which Pod others were preempted is not known", Explains: true}
	for _, obj := range r.Metadata(need) {
		if string(obj.GetUID()) != uid {
			continue
		}
		need.Name, need.Extra = obj.GetName(), true
		if p, found := view.Get[*corev1.Pod](r, need); found && p.Spec.Priority != nil {
			return fmt.Sprintf("%s (priority %d)", p.Name, *p.Spec.Priority)
		}
		return need.Name
	}
	if by := e.Related; by != nil && string(by.UID) == uid {
		return by.Namespace + "/" + by.Name
	}
	return uid
}
