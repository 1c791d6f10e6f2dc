package trace

import (
	"time"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/trace/entry"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// started says what is traced.
func (e *Engine) started() {
	start := &entry.Start{Targets: map[string]int{}, Modelled: decision.Modelled{
		Controller: "controller manager", Version: e.o.Profile.Kubernetes.String(), Basis: e.o.Profile.Basis,
		Gates: e.o.Profile.Gates, GatesBasis: e.o.Profile.GatesBasis,
	}}
	for _, c := range e.controllers {
		n := 0
		for _, obj := range e.cluster.In(c.of.Kind, "") {
			if e.picks(c.of.Kind, obj) {
				n++
			}
		}
		start.Targets[c.of.Kind.Resource] = n
	}
	start.Pods = len(e.cluster.store(view.Pods).ListKeys())
	if e.o.Profile.Caveat != "" {
		start.Caveats = append(start.Caveats, decision.Caveat{Code: decision.VersionNotKnown, Message: e.o.Profile.Caveat})
	}
	for _, missing := range e.absent() {
		start.Caveats = append(start.Caveats, decision.Caveat{Code: "NotFound", Message: missing.Error() + ": it is traced from its creation on"})
	}
	for _, why := range e.cluster.reasons() {
		start.Caveats = append(start.Caveats, decision.Caveat{Code: "NotRead", Message: why})
	}
	e.emit(&entry.Entry{Type: entry.Started, Started: start})
}

// End sums up, at an instant.
func (e *Engine) End(at time.Time) entry.Summary {
	e.advance(at)
	if e.running {
		e.syncAll() // what no worker took any more
	}
	for _, s := range e.everyShadow() {
		e.giveUp(s, at.Add(1)) // there is no more to come that could explain an act
		if s.state != entry.Idle {
			e.sum.Open = append(e.sum.Open, s.ref.Qualified()+" ("+string(s.state)+")")
		}
	}
	e.sum.For = decision.Span(e.clock.Since(e.o.Start).Round(time.Millisecond))
	if !e.blind.IsZero() {
		e.sum.BlindSince = new(e.blind)
	}
	sum := *e.sum
	e.emit(&entry.Entry{Type: entry.Ended, Summary: &sum})
	if e.o.Internals != nil {
		e.told = e.inside()
		e.emit(&entry.Entry{Type: entry.Inside, Internals: e.told})
	}
	return sum
}

// inside is what the machinery did. Informers and spans of a replay are those of its record.
func (e *Engine) inside() *entry.Internals {
	i := &entry.Internals{Queues: []entry.WorkQueue{}, Stores: e.cluster.sums()}
	switch {
	case e.informers != nil:
		i.Informers = e.informers()
	case e.spans != nil:
		i.Informers = e.spans.Informers
	}
	i.Detector = e.detector()
	if len(i.Informers) == 0 {
		i.NotRecorded = e.whyNotRecorded()
	}
	for _, c := range e.controllers {
		q := c.queue.meter.sum(c.of.Kind.Resource)
		if q.NotRecorded != "" {
			q.NotRecorded = e.whyNotRecorded()
		}
		if e.informers != nil || e.o.Workers != nil {
			workers := e.o.Internals.Workers[c.of.Name()]
			workers.Here, workers.Busiest = c.workers, c.queue.busiest
			if e.informers == nil {
				workers.Source = entry.NotRecorded
			}
			q.Workers = &workers
		}
		q.Manager, q.Expects = e.managers.of(c.of), e.left(c)
		if e.spans != nil {
			for _, kept := range e.spans.Queues {
				if kept.Resource == q.Resource {
					q.Unfinished, q.Longest = kept.Unfinished, kept.Longest
					q.Waited, q.Worked, q.NotRecorded, q.Workers, q.Manager = kept.Waited, kept.Worked, kept.NotRecorded, kept.Workers, kept.Manager
					if kept.Adds != q.Adds {
						q.Recorded = kept.Adds
					}
				}
			}
		}
		i.Queues = append(i.Queues, q)
	}
	return i
}

// whyNotRecorded is why a replay has only what it does itself.
func (e *Engine) whyNotRecorded() string {
	if e.cutOff {
		return "the record has no end, where that stands"
	}
	return notRecorded
}

// notRecorded is why a replay tells nothing that only the machine's clock and requests show.
const notRecorded = "the record was made without --internals"

// Summary is what was counted so far.
func (e *Engine) Summary() entry.Summary { return *e.sum }
