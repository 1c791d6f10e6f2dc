package oracle

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/replicaset"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/contract"
)

// diff collects differences, each a line of what was said and what happened.
type diff []string

func (d *diff) want(what string, predicted, observed any) {
	if p, o := fmt.Sprint(predicted), fmt.Sprint(observed); p != o {
		*d = append(*d, fmt.Sprintf("%s: predicted %s, observed %s", what, p, o))
	}
}

// Compare lists every difference between a Decision and one real sync.
func Compare(req *contract.Request, d *decision.Decision, run *contract.Run) []string {
	var out diff
	out.creations(req, d, run)
	out.deletions(d, run)
	out.want("patches", patches(d), sorted(run.Patches, showPatch))
	out.status(d, run)
	out.queue(d, run)
	out.expectations(d, run)
	return out
}

// creations compares calls, failures and batches. Upstream itself refuses to
// create from a template without labels, before any call.
func (d *diff) creations(req *contract.Request, of *decision.Decision, run *contract.Run) {
	created, _ := of.Count.Of.Get("creations")
	attempted, refused, batches := created.Of.Int("attempted"), created.Of.Int("refused"), created.Of.Str("batches")
	if templateHasNoLabels(req) {
		attempted, refused, batches = 0, 0, ""
	}
	d.want("creations tried", attempted, run.Creates)
	d.want("creations refused", refused, run.CreatesFailed)
	d.want("creation batches", batches, join(run.CreateBatches))
	d.want("pods created", of.Summary.Create, run.Creates-run.CreatesFailed)
}

func templateHasNoLabels(req *contract.Request) bool {
	t := target(req).template()
	return t == nil || len(t.Labels) == 0
}

func join(batches []int) string {
	return strings.ReplaceAll(strings.Trim(fmt.Sprint(batches), "[]"), " ", "+")
}

// deletions demands certain ⊆ deleted ⊆ certain ∪ possible, and their number.
func (d *diff) deletions(of *decision.Decision, run *contract.Run) {
	certain, possible := victims(of)
	if !within(certain, run.Deletes, append(slices.Clone(certain), possible...)) {
		*d = append(*d, fmt.Sprintf("victims: certain %v, possible %v, observed %v", certain, possible, run.Deletes))
	}
	d.want("number of deletions", of.Summary.Delete(), len(run.Deletes))
}

// victims are the keys of the pods to be deleted, by certainty.
func victims(d *decision.Decision) (certain, possible []string) {
	for _, a := range d.Actions {
		key := a.Object.Namespace + "/" + a.Object.Name
		switch {
		case a.Verb != decision.Delete:
		case a.Certainty == decision.Certain:
			certain = append(certain, key)
		default:
			possible = append(possible, key)
		}
	}
	return certain, possible
}

// within reports whether lower ⊆ set ⊆ upper.
func within(lower, set, upper []string) bool {
	return subset(lower, set) && subset(set, upper)
}

func subset(a, b []string) bool {
	have := make(map[string]bool, len(b))
	for _, s := range b {
		have[s] = true
	}
	return !slices.ContainsFunc(a, func(s string) bool { return !have[s] })
}

func patches(d *decision.Decision) []string {
	var all []contract.Patch
	for _, a := range d.Actions {
		if a.Patch != "" {
			all = append(all, contract.Patch{Pod: a.Object.Namespace + "/" + a.Object.Name, Body: a.Patch})
		}
	}
	return sorted(all, showPatch)
}

func showPatch(p contract.Patch) string { return p.Pod + " " + p.Body }

func sorted[T any](items []T, show func(T) string) []string {
	out := make([]string, len(items))
	for i, item := range items {
		out[i] = show(item)
	}
	slices.Sort(out)
	return out
}

// queue compares what brings the set back.
func (d *diff) queue(of *decision.Decision, run *contract.Run) {
	var after []string
	if of.NextSync.Rule == replicaset.AvailabilityCheck {
		after = append(after, of.NextSync.Facts.Str("after"))
	}
	failed := of.NextSync.Rule == replicaset.RetryWithBackoff
	d.want("looks again after", after, run.RequeueAfter)
	d.want("retried with backoff", failed, run.RateLimited)
	d.want("backoff forgotten", !failed, run.Forgotten)
	// Of several caches that are behind upstream tells one, and which is chance.
	errs := strings.Split(of.NextSync.Facts.Str("error"), " or ")
	if len(errs) == 1 || !slices.Contains(errs, run.SyncError) {
		d.want("error of the sync", errorsOf(strings.Join(errs, " or ")), errorsOf(run.SyncError))
	}
}

// errorsOf splits an aggregate: the order of its errors is that of the cache.
func errorsOf(text string) []string {
	if strings.HasPrefix(text, "[") {
		text = strings.Trim(text, "[]")
	}
	all := strings.Split(text, ", ")
	slices.Sort(all)
	return all
}

// expectations compares the record after the sync.
func (d *diff) expectations(of *decision.Decision, run *contract.Run) {
	said, seen := of.Expectations.After, run.Expectations
	d.want("expectations recorded", said != nil, seen != nil)
	if said == nil || seen == nil {
		return
	}
	d.want("expected creations", said.Adds, seen.Adds)
	d.want("expected deletions", said.Dels, seen.Dels)
	d.want("age of expectations", said.Age, seen.Age)
	if !within(said.DeleteKeys, seen.DeleteKeys, append(slices.Clone(said.DeleteKeys), said.PossibleKeys...)) {
		*d = append(*d, fmt.Sprintf("expected keys: certain %v, possible %v, observed %v", said.DeleteKeys, said.PossibleKeys, seen.DeleteKeys))
	}
}
