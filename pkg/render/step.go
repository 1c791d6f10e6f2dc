package render

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/trace/entry"
)

// parts are what the parts of the machinery are called.
var parts = map[entry.Part]string{
	entry.ReflectorPart: "reflector", entry.DeltaQueuePart: "delta queue", entry.InformerPart: "informer",
	entry.ProcessorPart: "processor", entry.WorkQueuePart: "work queue", entry.ExpectationsPart: "expectations",
	entry.StorePart: "store", entry.DecisionPart: "decision",
}

// step writes one step of the machinery.
func (t *tracer) step(s *entry.Step) {
	if s == nil {
		return
	}
	text := ""
	switch {
	case s.Request != nil:
		text = requestText(s.Did, s.Request)
	case s.Deltas != nil:
		text = deltasText(s.Deltas)
	case s.Calls != nil:
		text = callsText(s.Calls)
	case s.Work != nil:
		text = workText(s.Work)
	case s.Expects != nil:
		text = expectsText(s.Did, s.Expects)
	case s.Lookups != nil:
		text = lookupsText(s.Lookups)
	case s.Decided != nil:
		text = s.Decided.Key + ": why this sync acts, or may act"
	}
	part := parts[s.Part]
	if part == "" {
		part = string(s.Part)
	}
	t.row(part+" "+s.Resource, text)
	if s.Decided != nil {
		t.decided(s.Decided)
	}
}

// decided says why a sync does what it does, a line for each reason.
func (t *tracer) decided(d *entry.Decided) {
	for _, w := range d.Why {
		line := w.Did
		if w.Object != "" {
			line += " " + w.Object
		}
		if may := (decision.Action{Certainty: w.Certainty, Choice: w.Choice}); w.Choice != nil || w.Certainty == decision.Possible {
			line += " (" + certainty(may) + ")"
		}
		if w.Message != "" {
			line += ": " + w.Message
		}
		t.more(line + " [" + w.Rule + "]")
		if w.Order != nil {
			t.more("  order: " + w.Order.Message + " [" + w.Order.Rule + "]")
		}
		switch {
		case w.Whole:
			t.more("  updates the whole object, which changes " + w.Sends)
		case w.Sends != "":
			t.more("  sends " + w.Sends)
		}
		if w.Containers != nil && w.Containers.Message != "" {
			t.more("  " + w.Containers.Message + " [" + w.Containers.Rule + "]")
		}
	}
	if d.More > 0 {
		t.more(more(d.More, "reasons"))
	}
}

// requestText says what a reflector asked for, and what it got.
func requestText(did entry.Did, r *entry.Request) string {
	if did == entry.Listed && r.Streamed {
		return fmt.Sprintf("list streamed by the watch: %s, %s; %s; got resourceVersion %s",
			format.Plural(r.Objects, "object"), precise(r.Took), wantedState(r), version(r.Got))
	}
	switch did {
	case entry.Listed:
		return fmt.Sprintf("lists%s: %s in %s%s, %s; %s; got resourceVersion %s", again(r),
			format.Plural(r.Objects, "object"), format.Plural(r.Pages, "page"), received(r.Bytes), precise(r.Took), wantedState(r), version(r.Got))
	case entry.ListFailed:
		return fmt.Sprintf("list failed%s after %s, %s: %s", again(r), precise(r.Took), wantedState(r), failure(r))
	case entry.Watches:
		text := fmt.Sprintf("watches%s from resourceVersion %s, for %s", again(r), version(r.ResourceVersion), short(r.Timeout))
		if r.Streamed {
			text += ", with a list that is streamed"
		}
		return text
	case entry.WatchFailed:
		return fmt.Sprintf("watch refused%s, from resourceVersion %s: %s", again(r), version(r.ResourceVersion), failure(r))
	case entry.Bookmarked:
		return "bookmark: resourceVersion " + version(r.Got)
	case entry.ErrorEvent:
		return "ERROR event on the open watch: " + failure(r)
	case entry.TimedOut:
		return fmt.Sprintf("watch timed out after %s, as asked: %s", short(r.Took), format.Plural(r.Objects, "event"))
	case entry.CutOff:
		return fmt.Sprintf("watch was cut off after %s of %s: %s", short(r.Took), short(r.Timeout), format.Plural(r.Objects, "event"))
	case entry.Reopened:
		return fmt.Sprintf("watch ended by the trace after %s, to see by the next one what the server has: %s", short(r.Took), format.Plural(r.Objects, "event"))
	case entry.InformerSynced:
		return fmt.Sprintf("synced %s after its start: %s", precise(r.Took), format.Plural(r.Objects, "object"))
	}
	return string(did)
}

// again says after what a request follows.
func again(r *entry.Request) string {
	if r.Because == "" || r.After == nil {
		return ""
	}
	return fmt.Sprintf(" %s after %s", precise(*r.After), r.Because)
}

// wantedState says which state a list was to have.
func wantedState(r *entry.Request) string {
	text := "asked for resourceVersion " + version(r.ResourceVersion)
	if r.ResourceVersion == "0" {
		text += " (any)"
	}
	if r.Sent != nil {
		text += ", sent " + version(*r.Sent)
		if *r.Sent == "" {
			text += " (the newest)"
		}
	}
	return text
}

// version is a resource version; an empty one is written as such.
func version(v string) string {
	if v == "" {
		return `""`
	}
	return v
}

func failure(r *entry.Request) string {
	if r.Code == 0 {
		return r.Error
	}
	return fmt.Sprintf("%d, %s", r.Code, r.Error)
}

// received is that of an answer, nothing where it is not visible.
func received(bytes *int64) string {
	if bytes == nil {
		return ""
	}
	return ", " + kilobytes(*bytes)
}

func kilobytes(n int64) string {
	if n < 1000 {
		return fmt.Sprintf("%d B", n)
	}
	return fmt.Sprintf("%.1f kB", float64(n)/1000)
}

// deltasText says what a queue of deltas handed out.
func deltasText(d *entry.Deltas) string {
	text, deltas := d.Queue+" hands out "+timesOf(d.Types), 0
	for _, n := range d.Types {
		deltas += n
	}
	if d.Queue == "DeltaFIFO" && deltas > 1 {
		text += " of one object at once"
	}
	if d.Types["ReplacedAll"] > 0 {
		text += " of " + format.Plural(d.Objects-len(d.Tombstones), "object")
	}
	if d.Initial {
		text += " (initial list)"
	}
	if d.Waited != nil {
		text += fmt.Sprintf(", queued %s", precise(*d.Waited))
	}
	if d.Left > 0 {
		text += fmt.Sprintf("; %d left", d.Left)
	}
	if len(d.Tombstones) > 0 {
		text += "; missed deletions, DeletedFinalStateUnknown: " + strings.Join(d.Tombstones, ", ")
	}
	return text
}

// timesOf lists how many there are of each.
func timesOf(types map[string]int) string {
	var all []string
	for _, name := range slices.Sorted(maps.Keys(types)) {
		if n := types[name]; n == 1 {
			all = append(all, name)
		} else {
			all = append(all, fmt.Sprintf("%s ×%d", name, n))
		}
	}
	return strings.Join(all, ", ")
}

// callsText says which handlers were called.
func callsText(c *entry.Calls) string {
	calls := map[string]int{}
	for name, n := range map[string]int{"OnAdd": c.Adds, "OnUpdate": c.Updates, "OnDelete": c.Deletes} {
		if n > 0 {
			calls[name] = n
		}
	}
	text := timesOf(calls)
	if c.Initial {
		text += " (isInInitialList)"
	}
	return fmt.Sprintf("%s of %s: %s", text, strings.Join(c.Handlers, ", "), precise(c.Took))
}

// workText says what a worker did with a key.
func workText(w *entry.Work) string {
	text := w.Key + ": "
	if w.Worker > 0 {
		text += fmt.Sprintf("worker %d, ", w.Worker)
	}
	text += precise(w.Waited) + " in the queue"
	if w.Merged > 0 {
		text += fmt.Sprintf(", %s merged", format.Plural(w.Merged, "more add"))
	}
	text += ", synced in " + precise(w.Worked)
	if w.InFlight > 0 {
		text += fmt.Sprintf("; added %s meanwhile", format.Plural(w.InFlight, "time"))
	}
	if w.Again != nil {
		call := "AddAfter"
		if w.Failures > 0 {
			call = fmt.Sprintf("%s in a row, AddRateLimited", format.Plural(w.Failures, "failure"))
		}
		text += fmt.Sprintf("; %s: again in %s", call, precise(*w.Again))
	}
	if w.Left > 0 {
		text += fmt.Sprintf("; %d left", w.Left)
	}
	return text
}

// expectsText says what becomes of a record of the expectations.
func expectsText(did entry.Did, x *entry.Expects) string {
	r := x.Record
	switch {
	case did == entry.Lowered && x.Before != nil && x.After != nil:
		return fmt.Sprintf("%s: %s observed, %s: %d → %d left", x.Key, x.Observed, x.By, *x.Before, *x.After)
	case did == entry.Lowered:
		return fmt.Sprintf("%s: %s observed, %s: the record is dropped", x.Key, x.Observed, x.By)
	case r == nil:
		return x.Key
	case did == entry.Clobbered:
		return fmt.Sprintf("%s: %s no longer awaited, replaced by those of this sync; upstream's store logs \"Clobbering existing delete keys\"", x.Key, waits(r))
	case did == entry.Expired:
		return fmt.Sprintf("%s: expired after %s: %s never observed; the sync may create and delete", x.Key, r.Age.Brief(), waits(r))
	}
	text := fmt.Sprintf("%s: expects %s", x.Key, waits(r))
	if r.Expires.IsZero() {
		return text + ", with no timeout"
	}
	return text + ", until " + r.Expires.UTC().Format(time.TimeOnly) + " at most"
}

// informer writes what one informer did.
func (t *tracer) informer(i entry.Informer) {
	text := "informer of " + i.Resource
	if len(i.Handlers) > 0 {
		text += " for " + strings.Join(i.Handlers, ", ")
	}
	if i.Synced == nil {
		text += ": never synced"
	} else {
		text += fmt.Sprintf(": synced after %s, %s", precise(*i.Synced), format.Plural(i.Objects, "object"))
	}
	t.more(text)
	streams := ""
	if i.Streams > 0 {
		streams = fmt.Sprintf(" and %d streamed", i.Streams)
	}
	t.more(fmt.Sprintf("  reflector: %s in %s%s%s, %s; %s, %s; %s, %s, %s; resourceVersion %s",
		format.Plural(i.Lists, "list"), format.Plural(i.Pages, "request"), received(i.Bytes), streams, format.Plural(i.Relists, "relist"),
		watchesText(i.Watches), format.Plural(i.Refused, "failure"),
		format.Plural(i.Events, "event"), format.Plural(i.Bookmarks, "bookmark"), format.Plural(i.ErrorEvents, "ERROR event"), version(i.ResourceVersion)))
	t.spans("backoff after a failure", i.Gaps)
	text = fmt.Sprintf("  %s: %s", i.Queue, format.Plural(i.Pops, "pop"))
	if len(i.Deltas) > 0 {
		text += " of " + timesOf(i.Deltas)
	}
	text = fmt.Sprintf("%s, %d at most at once; %s", text, i.Largest, format.Plural(i.Tombstones, "tombstone"))
	if i.Deepest > 0 {
		text += fmt.Sprintf("; at most %d waited", i.Deepest)
	}
	t.more(text)
	if i.Store != "" {
		t.more("  store: resourceVersion " + i.Store)
	}
	t.spans("in the delta queue", i.Queued)
	if len(i.Handlers) > 0 {
		t.spans("in handlers (modelled)", i.Handling)
	}
}

func watchesText(n int) string {
	if n == 1 {
		return "1 watch"
	}
	return fmt.Sprintf("%d watches", n)
}

// listsDiffer says how lists are other than a manager's.
func listsDiffer(all []entry.Informer) string {
	if slices.ContainsFunc(all, func(i entry.Informer) bool { return i.Streams > 0 }) {
		return "lists: streamed by watches (--stream-lists), as the manager's are since 1.35; before, these come in pages, and may be of an older state"
	}
	return "lists: in pages of 5000, of the newest state; the manager's are streamed since 1.35, and may be of an older state"
}

// differences are the settings of a trace that are other than a manager's, and why.
var differences = []string{
	"watches: 45s long, so that a silent one is noticed; the manager's 5m to 10m",
	"resync: none; the manager's informers hand out all objects again every 12h to 24h (--min-resync-period)",
	"informers: one a kind for all managers; each manager has its own",
	"indexes: those marked (own) are none of the manager's, whose stores have more that nothing here looks up by, such as controllerUID of ReplicaSets",
	"workers: their syncs send no requests here, and so end sooner: an add meets fewer keys in flight",
	"retries: what the API server numbers a write is not known here, so that a sync may fail, waiting to read one back, where the manager's does not",
	"handlers: called one after the other; the manager has a goroutine for each, whose buffers are not visible",
}
