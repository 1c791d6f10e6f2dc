package inference

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/events"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// combined begins the message of an event that stands for several
// (client-go tools/record/events_cache.go EventAggregatorByReasonMessageFunc, v0.37.1).
const combined = "(combined from similar events): "

// An event about an object is dropped when its source sent 25 about it and one
// more for each five minutes since. Events are kept for an hour, in which
// twelve tokens are earned: who sent fewer than that dropped none
// (client-go tools/record/events_cache.go NewEventSourceObjectSpamFilter, v0.37.1).
const (
	kept  = time.Hour
	never = 12
)

// findWrites lists what the controller did, from pods and events.
func (i *inference) findWrites() {
	i.readEvents()
	told := map[string]bool{}
	for _, w := range i.told {
		told[string(w.Verb)+w.Object.Name] = true
	}
	here := map[string]bool{}
	for _, p := range i.Pods {
		here[p.GetName()] = true
		if strings.HasPrefix(p.GetName(), ownership.Prefix(i.Target.Name)) { // else it was adopted
			i.writes = append(i.writes, Write{decision.Create, ownership.RefTo(view.Pods, p), p.GetCreationTimestamp().UTC(), "pod"})
		}
		if at, deleting := deletedAt(p); deleting && (told[string(decision.Delete)+p.GetName()] || !i.allEvents) {
			i.writes = append(i.writes, Write{decision.Delete, ownership.RefTo(view.Pods, p), at, "pod"})
		}
	}
	for _, w := range i.Updates {
		if !slices.ContainsFunc(i.told, func(e Write) bool {
			return e.Verb == w.Verb && e.Object.Name == w.Object.Name && e.At.Sub(w.At).Abs() <= apart
		}) {
			i.writes = append(i.writes, w)
		}
	}
	for _, w := range i.told {
		if w.Verb == decision.UpdateInPlace || !here[w.Object.Name] {
			i.writes = append(i.writes, w)
		}
	}
	sort.SliceStable(i.writes, func(x, y int) bool {
		a, b := &i.writes[x], &i.writes[y]
		return cmp.Or(a.At.Compare(b.At), strings.Compare(a.Object.Name, b.Object.Name)) < 0
	})
	if i.allEvents && i.eventsErr == nil {
		i.writes = unproven(i.writes)
	}
}

// apart keeps the clocks of different machines apart.
const apart = 2 * time.Second

// unproven leaves out what a later write of another kind shows to have been
// seen: a sync creates, or deletes, or updates, and does neither while something
// is outstanding.
func unproven(writes []Write) []Write {
	for at := len(writes) - 1; at > 0; at-- {
		if writes[at-1].Verb != writes[at].Verb && writes[at].At.Sub(writes[at-1].At) > apart {
			return writes[at:]
		}
	}
	return writes
}

// deletedAt is when somebody asked to delete the pod: the API server sets the
// deletion timestamp to when the grace period will be over.
func deletedAt(p metav1.Object) (time.Time, bool) {
	t := p.GetDeletionTimestamp()
	if t == nil {
		return time.Time{}, false
	}
	grace := int64(0)
	if g := p.GetDeletionGracePeriodSeconds(); g != nil {
		grace = *g
	}
	return t.Add(-time.Duration(grace) * time.Second).UTC(), true
}

// readEvents collects what events tell of writes and refusals.
func (i *inference) readEvents() {
	need := view.Need{
		Kind: view.Events, Namespace: i.Target.Namespace,
		Fields:    fmt.Sprintf("involvedObject.kind=%s,involvedObject.name=%s", i.Kind.Kind, i.Target.Name),
		IfMissing: "deletions whose Pods are gone, and refusals, are not known",
	}
	all := view.List[*corev1.Event](i.r, need, nil)
	if i.eventsErr = i.r.Err(full(need)); i.eventsErr != nil {
		return
	}
	sent := 0
	for _, e := range all {
		if e.InvolvedObject.UID != i.Object.GetUID() {
			continue
		}
		at := events.Last(e)
		if e.Reason == i.Controller.Refused {
			i.refusals = append(i.refusals, e)
		}
		kind, known := i.Controller.Events[e.Reason]
		if !known {
			continue
		}
		if i.now.Sub(at) < kept {
			sent += events.Count(e)
		}
		i.tell(e, kind, at)
	}
	i.dropped = sent >= never
	i.allEvents = !i.dropped && len(i.combined) == 0
}

func full(n view.Need) view.Need {
	n.Detail = view.Full
	return n
}

// tell notes what an event says was written.
func (i *inference) tell(e *corev1.Event, kind Event, at time.Time) {
	message, several := strings.CutPrefix(e.Message, combined)
	if several && (i.Controller.Forever || !i.now.After(expiry(at))) {
		i.combined = append(i.combined, e)
	}
	_, after, _ := strings.Cut(message, kind.Before)
	name, _, _ := strings.Cut(strings.TrimSpace(after), " ")
	if name == "" {
		return
	}
	pod := decision.Ref{APIVersion: "v1", Kind: "Pod", Namespace: i.Target.Namespace, Name: name}
	i.told = append(i.told, Write{kind.Verb, pod, at.UTC().Truncate(time.Second), "event"})
}
