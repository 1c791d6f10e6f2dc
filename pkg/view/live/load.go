package live

import (
	"context"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// Load reads needs, besides those of earlier calls, and returns a View of the
// latest state. Needs that this user may not read are in it as failed Reads,
// as are those that took too long while others could be read. The error is
// Unreachable when the server gives no answers to this user at all. A Load
// without needs begins a question, whose Loads together wait little longer than
// Options.Timeout for what does not come.
func (s *Source) Load(ctx context.Context, needs []view.Need) (*view.View, error) {
	s.loading.Lock()
	defer s.loading.Unlock()
	if len(needs) == 0 {
		s.waited = 0
	}
	s.ask(needs)
	s.drop((*informer).lost) // what did not get through is tried again
	// A wide need that was forbidden leaves needs missing: another round.
	for {
		started, err := s.startMissing()
		if err != nil {
			return nil, err
		}
		pending := s.pending()
		if started == 0 && len(pending) == 0 {
			break
		}
		if err := s.await(ctx, pending); err != nil {
			return nil, err
		}
	}
	s.retire()
	return s.view(), nil
}

func (s *Source) ask(needs []view.Need) {
	for _, n := range needs {
		if id := n.ID(); !s.askedID[id] {
			s.askedID[id] = true
			s.asked = append(s.asked, n)
		}
	}
}

// startMissing starts informers for all needs that were asked for and that no
// informer answers yet, and tells how many.
func (s *Source) startMissing() (started int, err error) {
	if s.ctx.Err() != nil {
		return 0, errClosed
	}
	select {
	case <-s.broken: //nolint:errcheck // of an earlier call
	default:
	}
	for _, n := range coalesce(s.missing(), s.reading(), s.inVain) {
		i, err := newInformer(s, n)
		if err != nil {
			return started, err
		}
		s.start(i)
		started++
	}
	return started, nil
}

// pending lists the informers that are worth waiting for, also those of an
// earlier call that was cut short.
func (s *Source) pending() []*informer {
	var out []*informer
	for _, i := range s.informers {
		if done, late := i.outcome(); !done && late == nil {
			out = append(out, i)
		}
	}
	return out
}

func (s *Source) start(i *informer) {
	ctx, cancel := context.WithCancel(s.ctx)
	i.cancel = cancel
	s.informers = append(s.informers, i)
	s.byID[i.need.ID()] = i
	s.byKind[i.need.Kind.GroupKind()] = append(s.byKind[i.need.Kind.GroupKind()], i)
	s.running.Go(func() {
		defer cancel()
		i.run(ctx)
	})
}

func (s *Source) missing() []view.Need {
	var out []view.Need
	for _, n := range s.asked {
		if !s.answered(n) {
			out = append(out, n)
		}
	}
	return out
}

// answered reports whether need was tried itself or a wider one is being read, or names an
// object that can't be there.
func (s *Source) answered(need view.Need) bool {
	if madeUp(need) {
		return true
	}
	if _, tried := s.byID[need.ID()]; tried {
		return true
	}
	for _, i := range s.byKind[need.Kind.GroupKind()] {
		if i.need.Covers(need) && !i.failed() {
			return true
		}
	}
	return false
}

// madeUp reports whether a need is for what is only predicted: no name has the "<" that marks
// what is not known of such a name, and no label the hash.
func madeUp(n view.Need) bool {
	return strings.Contains(n.Name+n.Fields, "<") || strings.Contains(n.Selector, view.PredictedHash)
}

func (s *Source) reading() []view.Need {
	var out []view.Need
	for _, i := range s.informers {
		if !i.failed() {
			out = append(out, i.need)
		}
	}
	return out
}

func (s *Source) inVain(n view.Need) bool {
	i, tried := s.byID[n.ID()]
	return tried && i.failed()
}

// retire stops informers whose objects a wider one holds as well.
func (s *Source) retire() {
	s.drop(func(i *informer) bool {
		for _, wider := range s.byKind[i.need.Kind.GroupKind()] {
			if wider.need.Covers(i.need) && !i.need.Covers(wider.need) && wider.synced() {
				return true
			}
		}
		return false
	})
}

// drop stops and forgets the informers that are unwanted.
func (s *Source) drop(unwanted func(*informer) bool) {
	var kept []*informer
	byKind := map[schema.GroupKind][]*informer{}
	for _, i := range s.informers {
		if unwanted(i) {
			i.cancel()
			delete(s.byID, i.need.ID())
			continue
		}
		kept = append(kept, i)
		byKind[i.need.Kind.GroupKind()] = append(byKind[i.need.Kind.GroupKind()], i)
	}
	s.informers, s.byKind = kept, byKind
}
