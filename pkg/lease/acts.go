package lease

import (
	"fmt"
	"slices"
	"strings"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/events"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// Subject is an object of a program's controllers.
type Subject struct {
	Kind   view.Kind
	Object metav1.Object
	// Makes is the kind that its controller creates for it.
	Makes view.Kind
}

// lapse is when a Lease ran out, the zero time when it does not tell.
func lapse(l *coordinationv1.Lease) time.Time {
	if l.Spec.RenewTime == nil || l.Spec.LeaseDurationSeconds == nil {
		return time.Time{}
	}
	return l.Spec.RenewTime.Add(time.Duration(*l.Spec.LeaseDurationSeconds) * time.Second)
}

// acted is the newest thing that a program did to the subject after an instant,
// in words; empty for nothing. A program that runs without leader election
// leaves a Lease of earlier times as it is, and acts all the same. Events are
// read only where the objects do not tell.
func (of *Program) acted(r *view.Reader, s *Subject, after time.Time) string {
	newest, what := after, ""
	note := func(at time.Time, text string) {
		if at.After(newest) {
			newest, what = at, text+" "+format.Seconds(max(r.Now().Sub(at), 0))+" ago"
		}
	}
	for _, m := range s.Object.GetManagedFields() {
		if m.Manager == of.Manager && m.Time != nil {
			note(m.Time.Time, of.Manager+" wrote "+strings.ToLower(s.Kind.Kind)+"/"+s.Object.GetName())
		}
	}
	this := r.Now().Truncate(time.Second)
	for _, made := range r.ControlledBy(view.Need{Kind: s.Makes, Namespace: s.Object.GetNamespace()}, s.Object.GetUID()) {
		if !made.GetCreationTimestamp().Time.Before(this) {
			continue // predicted in this very answer; had it been seen, it would tell in a second
		}
		note(made.GetCreationTimestamp().Time, strings.ToLower(s.Makes.Kind)+"/"+made.GetName()+" was created")
	}
	if what == "" {
		for _, e := range of.events(r, s) {
			note(events.Last(e), "it sent the event "+e.Reason)
		}
	}
	return what
}

// events are those that the program sent about the subject.
func (of *Program) events(r *view.Reader, s *Subject) []*corev1.Event {
	need := view.Need{
		Kind: view.Events, Namespace: s.Object.GetNamespace(),
		Fields:    fmt.Sprintf("involvedObject.kind=%s,involvedObject.name=%s", s.Kind.Kind, s.Object.GetName()),
		IfMissing: "whether the " + of.Process + " acts without a lease is not known",
	}
	return slices.DeleteFunc(view.List[*corev1.Event](r, need, nil), func(e *corev1.Event) bool {
		return e.InvolvedObject.UID != s.Object.GetUID() ||
			!slices.Contains(of.Components, e.Source.Component) && !slices.Contains(of.Components, e.ReportingController)
	})
}

// Acts is what a program did to the subject after its Lease ran out, in words;
// empty for nothing.
func (of *Program) Acts(r *view.Reader, l *coordinationv1.Lease, s *Subject) string {
	if at := lapse(l); !at.IsZero() {
		return of.acted(r, s, at)
	}
	return ""
}

func holder(l *coordinationv1.Lease) string { return ptr.Deref(l.Spec.HolderIdentity, "") }
