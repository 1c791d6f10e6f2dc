package cloneset

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/rules"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/cloneset/contract"
)

// diff collects differences, each a line of what was said and what happened.
type diff []string

func (d *diff) want(what string, predicted, observed any) {
	if p, o := fmt.Sprint(predicted), fmt.Sprint(observed); p != o {
		*d = append(*d, fmt.Sprintf("%s: predicted %s, observed %s", what, p, o))
	}
}

func (d *diff) note(format string, args ...any) { *d = append(*d, fmt.Sprintf(format, args...)) }

// leftOut says why a sync is not compared: chance has more to say in it than
// which of some pods. Empty for all others.
func leftOut(d *decision.Decision, run *contract.Run) string {
	for _, c := range d.Caveats {
		switch c.Code {
		case "CreationOrderUnknown", "RefusalByChance", "ExpectationByChance":
			return c.Code
		case "ScaleInByChance":
			if !slices.ContainsFunc(run.Writes, func(w contract.Write) bool { return w.Kind == "Pod" && w.Verb == "delete" }) {
				return c.Code
			}
		}
	}
	return ""
}

func fired(d *decision.Decision, rule string) bool {
	found := false
	d.EachRuling(func(r *decision.Ruling) { found = found || r.Rule == rule })
	return found
}

func caveat(d *decision.Decision, code string) bool {
	return slices.ContainsFunc(d.Caveats, func(c decision.Caveat) bool { return c.Code == code })
}

// Compare lists every difference between a Decision and one real reconcile.
func Compare(req *contract.Request, d *decision.Decision, run *contract.Run) []string {
	out := diff(CompareWrites(req, d, run))
	is := observe(req, run)
	out.conditions(d, run, is)
	out.verdicts(req, d, is)
	out.queue(req, d, run)
	out.expectations(req, d, run)
	return out
}

// CompareWrites is Compare for what can be seen from outside: the writes. Of
// status it compares the fields without conditions, and of the request it needs
// the pods as they were.
func CompareWrites(req *contract.Request, d *decision.Decision, run *contract.Run) []string {
	var out diff
	is, says := observe(req, run), predicted(d)
	out.creations(d, says, is, req)
	out.actions(says, is)
	out.choices(says, is, len(req.Faults) > 0 || caveat(d, "BudgetUnsure"))
	out.budgets(d, is)
	if !caveat(d, "StatusByChance") {
		out.want("podsToDelete cut", cutsNow(d), is.podsToDelete)
	}
	out.status(d, run, is)
	return out
}

// Done describes the writes of a run in words, sorted.
func Done(req *contract.Request, run *contract.Run) []string {
	is := observe(req, run)
	lines := slices.Collect(maps.Keys(is.deeds))
	for revision, n := range is.created {
		lines = append(lines, fmt.Sprintf("create %d of %s", n, revision))
	}
	slices.Sort(lines)
	return lines
}

func (d *diff) creations(of *decision.Decision, says said, is done, req *contract.Request) {
	name := ""
	for _, r := range of.Revisions {
		if r.Rule == rules.RevisionCreated {
			name = r.Name
		}
	}
	created := map[string]int{}
	for revision, n := range says.created {
		if n > 0 && revision == "<hash>" {
			revision = short(is.revision)
		}
		if n > 0 {
			created[revision] += n
		}
	}
	d.want("pods created, by revision", created, is.created)
	if name != "" && !strings.HasSuffix(name, "-<hash>") && is.revision != "" {
		d.want("name of the new revision", name, is.revision)
	}
	if len(says.created) == 0 || len(req.Faults) > 0 || is.createsRefused > 0 || fired(of, rules.NameTaken) {
		return
	}
	taken := 0
	for _, id := range says.reused {
		if is.instances[id] {
			taken++
		}
	}
	d.want("claims reused", says.taken, taken)
}

// actions demands certain ⊆ done ⊆ certain ∪ possible.
func (d *diff) actions(says said, is done) {
	says.name(short(is.revision))
	for line := range says.certain {
		if !is.deeds[line] {
			d.note("certain and not done: %s", line)
		}
	}
	for line := range is.deeds {
		if !says.certain[line] && !says.possible[line] {
			d.note("done and not possible: %s", line)
		}
	}
}

// choices demands K of the N deeds of each choice, whatever their verbs; fewer
// only where the choice says so, or where a call may be refused.
func (d *diff) choices(says said, is done, fewer bool) {
	for pool, c := range says.choices {
		n := c.done(is)
		if n > c.K || n < c.K && !c.AtMost && !fewer {
			d.note("%d of the possible deeds of choice %q, predicted %d of %d", n, pool.Of, c.K, c.N)
		}
		if len(c.deeds) != c.N {
			d.note("choice %q is of %d, and has %d deeds", pool.Of, c.N, len(c.deeds))
		}
	}
}

// done is how many deeds of a choice were done.
func (c choice) done(is done) int {
	n := 0
	for line := range c.deeds {
		if is.deeds[line] {
			n++
		}
	}
	return n
}

// budgets compares what was taken from budgets: just that, and where chance
// decides which pods are updated, no more.
func (d *diff) budgets(of *decision.Decision, is done) {
	takes, chance := map[string]int{}, false
	for _, u := range of.Updates {
		chance = chance || u.Choice != nil && u.State != decision.Waiting
		if u.Budget != nil && u.Budget.Rule == rules.BudgetTaken {
			takes[u.Budget.Facts.Str("budget")]++
		}
	}
	if !chance {
		d.want("taken from budgets", takes, is.taken)
		return
	}
	for budget, n := range is.taken {
		if n > takes[budget] {
			d.note("%d taken from budget %s, of at most %d", n, budget, takes[budget])
		}
	}
}

// graceByChance reports whether chance decides if any grace period begins.
func graceByChance(d *decision.Decision) bool {
	return d.NextSync.Rule == rules.GraceCheck && hasChoice(d)
}

// chosenIDs reports whether chance decides how many claims are new: it picks the
// instance IDs, and which claim of an instance comes first.
func chosenIDs(req *contract.Request, d *decision.Decision) bool {
	refused := slices.ContainsFunc(req.Faults, func(f contract.Fault) bool { return f.Verb == "create" && f.Kind == "Pod" })
	return refused && len(req.PVCs) > 0 || fired(d, rules.NameTaken) || slices.ContainsFunc(d.Actions, func(a decision.Action) bool { return count(&a, "free") > count(&a, "taken") })
}

// cutsNow reports whether podsToDelete is cut in this sync.
func cutsNow(d *decision.Decision) bool {
	return slices.ContainsFunc(d.Limits, func(r decision.Ruling) bool {
		return r.Rule == rules.PodsToDeleteTruncated && r.Facts.Str("later") == "false"
	})
}

// statusRefused reports whether the CloneSet's status can't be stored.
func statusRefused(req *contract.Request) bool {
	return slices.ContainsFunc(req.Faults, func(f contract.Fault) bool { return f.Kind == "CloneSet" && f.Subresource == "status" })
}

func (d *diff) queue(req *contract.Request, of *decision.Decision, run *contract.Run) {
	if !caveat(of, "StatusByChance") || !statusRefused(req) { // by chance, then, status is written at all
		d.want("fails", of.NextSync.Rule == rules.RetryWithBackoff, run.Error != "" && !strings.HasPrefix(run.Error, "panic"))
	}
	d.want("panics", of.NextSync.Rule == rules.RollbackPanics, strings.HasPrefix(run.Error, "panic"))
	if run.Error == "" && !graceByChance(of) && !caveat(of, "StatusByChance") && !caveat(of, "BudgetUnsure") {
		d.after(of.NextSync.Facts.Str("after"), run)
	}
}

// longestRetry is the longest that one refused call of RetryOnConflict sleeps (DefaultBackoff of
// k8s.io/client-go/util/retry: 10ms, 50ms and 250ms, each up to a tenth longer).
const longestRetry = 275 * time.Millisecond

// after compares when the controller looks again, which it counts from the clock as it is after
// its retries: it is earlier by what they slept.
func (d *diff) after(says string, run *contract.Run) {
	slept := time.Duration(0)
	for i := range run.Writes {
		if run.Writes[i].Failed == string(metav1.StatusReasonConflict) {
			slept += longestRetry
		}
	}
	predicted, err := time.ParseDuration(says)
	observed, unset := time.ParseDuration(run.RequeueAfter)
	if err != nil || unset != nil || observed > predicted || predicted-observed > slept {
		d.want("next sync after", says, run.RequeueAfter)
	}
}

// expectations compares what is outstanding after a sync that began without.
func (d *diff) expectations(req *contract.Request, of *decision.Decision, run *contract.Run) {
	if req.Expectations != nil || !of.Gate.Open {
		return
	}
	after := of.Expectations.After
	if after == nil {
		after = &decision.Expectation{}
	}
	creates, deletes := 0, map[string]bool{}
	versions := map[string]bool{}
	if e := run.Expectations; e != nil {
		if e.Scale != nil {
			creates = len(e.Scale.Create)
			for _, name := range e.Scale.Delete {
				deletes[name] = true
			}
		}
		for _, v := range e.ResourceVersions {
			versions[strings.TrimPrefix(v.UID, "uid-")] = true
		}
	}
	if !chosenIDs(req, of) {
		d.want("creations expected", after.Adds, creates)
	}
	for _, key := range after.DeleteKeys {
		name := key[strings.Index(key, "/")+1:]
		if !deletes[name] {
			d.note("deletion of %s is not expected", name)
		}
		delete(deletes, name)
	}
	for _, key := range after.PossibleKeys {
		delete(deletes, key[strings.Index(key, "/")+1:])
	}
	if len(deletes) > 0 {
		d.note("deletions expected and not predicted: %v", slices.Sorted(maps.Keys(deletes)))
	}
	if !hasChoice(of) {
		d.want("versions expected", after.Versions, slices.Sorted(maps.Keys(versions)))
	}
}

func hasChoice(d *decision.Decision) bool {
	return slices.ContainsFunc(d.Actions, func(a decision.Action) bool { return a.Choice != nil })
}
