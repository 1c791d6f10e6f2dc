package health

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/events"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// Attempt is what a controller does to Pods that exist, again and again until the API
// server accepts it.
type Attempt struct {
	Kind   view.Kind
	Object metav1.Object
	// Failed and Succeeded are the reasons of the events that it leaves, and Events what is
	// read for them. Those that count say About.
	Failed, Succeeded string
	Events            view.Need
	About             string
	// Stored is the condition that it fails; nil for none.
	Stored *Failed
	// Noun and Label say what is attempted, and that it fails.
	Noun, Label string
}

// Deletions are made until no Pod is too many (RealPodControl.DeletePod of
// controller_utils.go and recordPodEvent of statefulset/stateful_pod_control.go, v1.37.1,
// deletePods of sync/cloneset_scale.go, Kruise v1.9.1).
func Deletions(k view.Kind, obj metav1.Object) Attempt {
	return Attempt{
		Kind: k, Object: obj, Failed: FailedDelete, Succeeded: "SuccessfulDelete", Noun: "deletion", Label: "deleting Pods fails",
		Events: view.Need{
			Kind: view.Events, Namespace: obj.GetNamespace(),
			Fields:    fmt.Sprintf("involvedObject.kind=%s,involvedObject.name=%s", k.Kind, obj.GetName()),
			IfMissing: "whether deletions fail is not known", Explains: true, Spare: true,
		},
	}
}

// FailedDelete is the reason of events and conditions about failed deletions.
const FailedDelete = "FailedDelete"

// Again is what Refused returns, of an attempt that nothing has changed since: under a
// what-if, it may be another one.
func (a Attempt) Again(r *view.Reader, o Options) (why decision.Cause, found bool) {
	if r.WhatIf() {
		return decision.Cause{}, false
	}
	for _, why = range a.Refused(r, o) {
		found = true
	}
	return why, found
}

// Refused returns what refused the last attempt; none where an event alone says so, and
// one succeeded since, or it is longer ago than the longest back-off.
func (a Attempt) Refused(r *view.Reader, o Options) []decision.Cause {
	all := view.List[*corev1.Event](r, a.Events, nil)
	newest, success := events.Newest(all, a.Object.GetUID(), a.Failed), events.Newest(all, a.Object.GetUID(), a.Succeeded)
	said := saying{evidence: "status.conditions"}
	switch {
	case a.Stored != nil:
		said.message, said.since = a.Stored.Message, a.Stored.Since
	case newest == nil || r.Now().Sub(events.Last(newest)) >= retries || !strings.Contains(newest.Message, a.About):
		return nil
	case success != nil && !events.Last(success).Before(events.Last(newest)):
		return nil
	default:
		said.message, said.since, said.evidence = newest.Message, first(newest), "event "+newest.Name
	}
	about := ownership.RefTo(a.Kind, a.Object)
	c, class := said.cause(decision.Cause{Object: about, Reason: a.Failed, Next: describe(strings.ToLower(about.Kind), about.Namespace, about.Name)})
	switch class {
	case WebhookDenied:
		c.Label, c.Briefs = a.Noun+" "+c.Label, []string{a.Noun + " denied by a webhook"}
	case WebhookFailed:
		c.Label, c.Briefs = a.Noun+": "+c.Label, []string{a.Noun + ": a webhook fails"}
	default:
		c.Label = a.Label
	}
	return []decision.Cause{o.stops(c, class, c.Since)}
}
