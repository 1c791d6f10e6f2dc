package render

import (
	"fmt"
	"time"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/trace/entry"
)

// internals writes what the machinery did, with its source.
func (t *tracer) internals(i *entry.Internals) {
	t.row("internals", "client-go here, unless said to be modelled or of the manager, whose caches are not visible: they are in its memory")
	if i.NotRecorded != "" {
		t.more("informers: not recorded: " + i.NotRecorded)
	}
	for _, informer := range i.Informers {
		t.informer(informer)
	}
	for _, s := range i.Stores {
		t.store(s)
	}
	t.detector(i.Detector)
	for _, q := range i.Queues {
		t.more(fmt.Sprintf("queue of %s: %s, %d merged, %d in flight; %d left, at most %d at a time",
			q.Resource, format.Plural(q.Adds, "add"), q.Merged, q.InFlight, q.Depth, q.Deepest))
		if q.Recorded > 0 {
			t.more(fmt.Sprintf("  in the record: %s; this version comes to other syncs than the one that recorded, whose times these are", format.Plural(q.Recorded, "add")))
		}
		t.more("  workers: " + workersText(q.Workers))
		t.more("  in the manager: " + managerText(q.Manager))
		if q.Manager != nil {
			for _, m := range q.Manager.Informers {
				t.more("  in the manager, informer of " + m.Resource + ": " + managersInformer(m))
			}
		}
		for _, x := range q.Expects {
			t.more(fmt.Sprintf("  expectations (modelled): %s; %d left after %s", expectsText(entry.Raised, &x), *x.After, x.Record.Age.Brief()))
		}
		t.spans("again after failed syncs", q.Failed)
		t.spans("added for later", q.Delayed)
		if q.NotRecorded != "" {
			t.more("  in the queue, in syncs: not recorded: " + q.NotRecorded)
			continue
		}
		t.spans("in the queue", q.Waited)
		t.spans("in syncs", q.Worked)
		t.unfinished(q)
	}
	if len(i.Informers) > 0 {
		t.more("other than in the manager:")
		t.more("  " + listsDiffer(i.Informers))
		for _, d := range differences {
			t.more("  " + d)
		}
	}
}

// workersText says how many keys are synced at a time, here and in the manager.
func workersText(w *entry.Workers) string {
	if w == nil {
		return "not recorded"
	}
	text := fmt.Sprintf("%d here", w.Here)
	if w.Busiest > 0 {
		text += fmt.Sprintf(", at most %d busy at a time", w.Busiest)
	}
	switch {
	case w.Source == entry.NotRecorded:
		return text + "; in the manager not recorded"
	case w.Manager == "":
		return text + "; in the manager not visible"
	case w.Flag == "":
		return text + fmt.Sprintf("; %s in the manager, no flag sets how many", w.Manager)
	}
	return text + fmt.Sprintf("; %s in the manager, --%s%s", w.Manager, w.Flag, sourced(w.Source))
}

// managerText says what the manager's own metrics count of its queue.
func managerText(q *entry.ManagerQueue) string {
	switch {
	case q == nil:
		return "not recorded"
	case q.NotVisible != "":
		return "not visible: " + q.NotVisible
	}
	text := fmt.Sprintf("%s, %d added for later, %d left, by its /metrics (queue %s)", format.Plural(q.Adds, "add"), q.Retries, q.Depth, q.Name)
	if q.Restarted {
		text += ", since it started again"
	}
	for _, m := range []struct {
		what string
		mean *entry.Mean
	}{{"in the queue", q.Waited}, {"in syncs", q.Worked}} {
		if m.mean != nil {
			text += fmt.Sprintf("; %s: %s, %s on average", m.what, format.Plural(m.mean.Count, "time"), precise(m.mean.Mean))
		}
	}
	if q.Longest > 0 {
		text += "; one sync runs since " + precise(q.Longest)
	}
	return text
}

// managersInformer says what the manager's own metrics say of an informer.
func managersInformer(m entry.ManagerInformer) string {
	if m.Queued == nil {
		return "not visible: in none of its metrics"
	}
	text := fmt.Sprintf("%d in the delta queue", *m.Queued)
	if m.Popped != nil {
		text += fmt.Sprintf("; %s, %s on average until handlers are told", format.Plural(m.Popped.Count, "pop"), precise(m.Popped.Mean))
	}
	if m.Version == 0 {
		return text + "; resourceVersion of its store not visible: in none of its metrics"
	}
	return text + fmt.Sprintf("; store: resourceVersion %d", m.Version)
}

// spans writes several spans of time; nothing for none.
func (t *tracer) spans(what string, p *entry.Percentiles) {
	if p == nil {
		return
	}
	t.more(fmt.Sprintf("  %s: %s, half within %s, 99%% within %s, at most %s", what, format.Plural(p.Count, "time"), precise(p.Half), precise(p.NinetyNine), precise(p.Most)))
}

// unfinished says what client-go found of syncs that run.
func (t *tracer) unfinished(q entry.WorkQueue) {
	switch {
	case q.Unfinished == nil || q.Longest == nil:
		t.more("  unfinished work, longest running: not recorded")
	case *q.Longest == 0:
		t.more("  unfinished work, longest running: 0s, as no sync ran when client-go looked, every 500ms")
	default:
		t.more(fmt.Sprintf("  unfinished work, longest running: at most %s and %s when client-go looked, every 500ms", precise(*q.Unfinished), precise(*q.Longest)))
	}
}

// precise is a span in microseconds, a longer one as short has it.
func precise(s decision.Span) string {
	if d := time.Duration(s); d < 10*time.Millisecond {
		return d.Round(time.Microsecond).String()
	}
	return short(s)
}
