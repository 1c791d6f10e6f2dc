package live

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// view freezes what the informers hold. The objects are theirs, shared and
// never changed.
func (s *Source) view() *view.View {
	now, skew := s.traffic.now()
	b := view.NewBuilder(now)
	if skew != "" {
		b.Note("ClockSkew", skew)
	}
	if s.clients.later.Load() {
		b.Note(view.ReadAsLater, view.ReadAsLaterMessage)
	}
	if message, ok := s.interruption(); ok {
		b.Note("WatchInterrupted", message)
	}
	s.fill(b, view.Metadata)
	s.fill(b, view.Full) // last: a full object wins over metadata
	for _, n := range s.asked {
		b.Reads(n, s.outcome(n))
	}
	return b.View()
}

func (s *Source) fill(b *view.Builder, detail view.Detail) {
	for _, i := range s.informers {
		if i.need.Detail != detail || !i.synced() {
			continue
		}
		for _, obj := range i.shared.GetStore().List() {
			if m, ok := obj.(metav1.Object); ok {
				b.Add(i.need.Kind, m)
			}
		}
		b.Reads(i.need, nil)
	}
}

// outcome is nil when one of the informers holds the objects of need, else the
// reason: its own rather than that of a wider one.
func (s *Source) outcome(need view.Need) error {
	var failure error
	for _, i := range s.byKind[need.Kind.GroupKind()] {
		if !i.need.Covers(need) {
			continue
		}
		done, err := i.outcome()
		if done && err == nil {
			return nil
		}
		if failure == nil || i.need.ID() == need.ID() {
			failure = err
		}
	}
	return failure
}
