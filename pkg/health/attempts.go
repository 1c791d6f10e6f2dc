package health

import (
	"fmt"
	"slices"
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
	// Stored is the condition that it fails; nil for none.
	Stored *Failed
	// Decision does it by the Verb, where no condition tells; nil for nothing. Failed and
	// Succeeded are the reasons of the events that it leaves then, and Events what is read for
	// them. Those count that name one of its Pods, and that say About.
	Decision          *decision.Decision
	Verb              decision.Verb
	Failed, Succeeded string
	Events            view.Need
	About             string
	// Asked is what an event says of a refusal that is predicted anyway; empty for none.
	Asked string
	// Noun and Label say what is attempted, and that it fails.
	Noun, Label string
}

// Deletions are made until no Pod is too many, or outdated (recordPodEvent of
// statefulset/stateful_pod_control.go, v1.37.1, deletePods of sync/cloneset_scale.go, Kruise
// v1.9.1). ReplicaSets have a condition for it (calculateStatus of replica_set_utils.go).
func Deletions(k view.Kind, obj metav1.Object) Attempt {
	return Attempt{
		Kind: k, Object: obj, Verb: decision.Delete, Failed: FailedDelete, Succeeded: "SuccessfulDelete", Noun: "deletion", Label: "deleting Pods fails",
		Events: view.Need{
			Kind: view.Events, Namespace: obj.GetNamespace(),
			Fields:    fmt.Sprintf("involvedObject.kind=%s,involvedObject.name=%s", k.Kind, obj.GetName()),
			IfMissing: "whether deletions fail is not known", Explains: true, Spare: true,
		},
	}
}

// FailedDelete is the reason of events and conditions about failed deletions.
const FailedDelete = "FailedDelete"

// made reports whether the Decision does it to any Pod.
func (a Attempt) made() bool {
	return a.Decision != nil && slices.ContainsFunc(a.Decision.Actions, func(act decision.Action) bool { return act.Verb == a.Verb })
}

// names reports whether an event is of a Pod that the Decision does it to, as it is now.
func (a Attempt) names(r *view.Reader, e *corev1.Event) bool {
	return slices.ContainsFunc(a.Decision.Actions, func(act decision.Action) bool {
		of := act.Object
		if act.Verb != a.Verb || !strings.Contains(e.Message, " "+of.Name+" ") && !strings.Contains(e.Message, " "+of.Name+":") {
			return false
		}
		pod, there := r.Held(view.Pods, of.Namespace, of.Name)
		return there && pod.GetCreationTimestamp().Time.Before(events.Last(e))
	})
}

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
	said, found := a.said(r)
	if !found {
		return nil
	}
	about := ownership.RefTo(a.Kind, a.Object)
	c, class := said.cause(decision.Cause{Object: about, Reason: a.Failed, Next: describe(strings.ToLower(about.Kind), about.Namespace, about.Name)})
	switch {
	case class == WebhookDenied:
		c.Label, c.Briefs = a.Noun+" "+c.Label, []string{a.Noun + " denied by a webhook"}
	case class == WebhookFailed:
		c.Label, c.Briefs = a.Noun+": "+c.Label, []string{a.Noun + ": a webhook fails"}
	case strings.HasPrefix(c.Label, "denied by "):
		c.Label, c.Briefs = a.Noun+" "+c.Label, []string{a.Noun + " denied by a policy"}
	default:
		c.Label = a.Label
	}
	c = o.Judge(c, class, c.Since)
	c.StopsBlocked, c.Stops, c.Refuses = true, c.Blocked, c.Blocked // a conflict, or a time-out, ends by the next try
	return []decision.Cause{c}
}

// said is what was said when the last attempt failed.
func (a Attempt) said(r *view.Reader) (saying, bool) {
	if a.Stored != nil {
		return saying{message: a.Stored.Message, evidence: "status.conditions", since: a.Stored.Since}, true
	}
	if !a.made() {
		return saying{}, false
	}
	all := view.List[*corev1.Event](r, a.Events, nil)
	newest, success := events.Newest(all, a.Object.GetUID(), a.Failed), events.Newest(all, a.Object.GetUID(), a.Succeeded)
	switch {
	case newest == nil || r.Now().Sub(events.Last(newest)) >= retries || !a.names(r, newest) || !strings.Contains(newest.Message, a.About):
	case a.Asked != "" && strings.Contains(newest.Message, a.Asked):
	case success != nil && !events.Last(success).Before(events.Last(newest)):
	default:
		return saying{message: newest.Message, since: first(newest), evidence: "event " + newest.Name}, true
	}
	return saying{}, false
}
