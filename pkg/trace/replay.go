package trace

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/tools/cache"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/trace/entry"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// maxLine bounds one line of a record: an object in etcd has 1.5 MB at most.
const maxLine = 16 << 20

// maxGap bounds the time between two lines: no trace pauses for longer.
const maxGap = 7 * 24 * time.Hour

// lastYear leaves room before the last year that JSON can hold.
const lastYear = 9000

// Record is an opened record, of which the header was read.
type Record struct {
	Header
	lines *bufio.Scanner
	n     int
}

// OpenRecord reads the header of a record.
func OpenRecord(r io.Reader) (*Record, error) {
	rec := &Record{lines: bufio.NewScanner(r)}
	rec.lines.Buffer(make([]byte, 0, 64<<10), maxLine)
	if !rec.lines.Scan() {
		return nil, cmp.Or(rec.lines.Err(), errors.New("the record is empty"))
	}
	rec.n = 1
	if err := json.Unmarshal(rec.lines.Bytes(), &rec.Header); err != nil {
		return nil, fmt.Errorf("line 1: no header of a record: %w", err)
	}
	if rec.Kind != recordKind {
		return nil, fmt.Errorf("line 1: want a record made by trace --record, got kind %q", rec.Kind)
	}
	if rec.APIVersion != recordVersion {
		return nil, fmt.Errorf("line 1: the record is of %s, this version reads %s", rec.APIVersion, recordVersion)
	}
	if err := known(rec.lines.Bytes()); err != nil {
		return nil, fmt.Errorf("line 1: %w: replay it with the version that recorded it (%s)", err, cmp.Or(rec.ToolVersion, "which the record does not name"))
	}
	return rec, nil
}

// known refuses a header that says of what was modelled what this version would leave out.
func known(header []byte) error {
	strict := json.NewDecoder(bytes.NewReader(header))
	strict.DisallowUnknownFields()
	return strict.Decode(&Header{})
}

// Replay feeds an engine from the record, as fast as it can. A record without
// an end, such as one of a process that was killed, ends with its last line. Errors: lines that
// can't be read, an *Absent, a record that ends before the trace began, and the cause of ctx
// when that ended before the record.
func (r *Record) Replay(ctx context.Context, o Options) (entry.Summary, error) {
	o.Start, o.Profile, o.Confirmed = r.Start, r.Profile, r.Confirmed
	o.Workers = r.Workers
	e := New(o)
	defer e.Stop()
	for _, text := range r.Follows {
		k, err := kindOf(text)
		if err != nil {
			return entry.Summary{}, fmt.Errorf("line 1: %w", err)
		}
		e.Follows(k)
	}
	last := r.Start
	for r.lines.Scan() && ctx.Err() == nil {
		r.n++
		ended, at, err := e.replay(r.lines.Bytes())
		if _, absent := errors.AsType[*Absent](err); absent {
			return e.Summary(), err
		}
		if err != nil {
			return e.Summary(), fmt.Errorf("line %d: %w", r.n, err)
		}
		if last = at; ended {
			return e.replayed(at)
		}
	}
	switch err := cmp.Or(r.lines.Err(), context.Cause(ctx)); {
	case err != nil:
		return e.Summary(), fmt.Errorf("after line %d: %w", r.n, err)
	case len(e.group) > 0:
		e.Feed(last, e.group...)
	}
	e.cutOff = true
	if e.running {
		e.emit(&entry.Entry{Type: entry.Note, Message: "the record has no end: whatever made it was killed, or it is a part of one"})
	}
	return e.replayed(last)
}

// replayed sums up a record.
func (e *Engine) replayed(at time.Time) (entry.Summary, error) {
	if !e.running {
		return e.Summary(), errors.New("the record ends before the trace began: it holds no whole first lists")
	}
	return e.End(at), nil
}

// grouped are deltas of a record that are fed together, more how many of them follow.
type grouped struct {
	group []Delta
	more  int
}

// replay does what one line says.
func (e *Engine) replay(text []byte) (ended bool, at time.Time, err error) {
	var l struct {
		line
		Object json.RawMessage `json:"object"`
	}
	if err := json.NewDecoder(bytes.NewReader(text)).Decode(&l); err != nil {
		return false, at, err
	}
	if gap := l.At.Sub(e.clock.Now()); gap > maxGap {
		return false, at, fmt.Errorf("it is of %s, more than %s after the line before: no trace pauses for so long", l.At.Format(time.RFC3339), decision.Span(maxGap).Brief())
	}
	if l.At.Year() > lastYear {
		return false, at, fmt.Errorf("it is of the year %d, after which times can't be written", l.At.Year())
	}
	if together := l.Mark == "" && l.Miss == nil && l.More == e.more-1; e.more > 0 && !together {
		return false, l.At, fmt.Errorf("want the next of %d more deltas that were fed together", e.more)
	}
	switch l.Mark {
	case "":
		if l.Miss == nil {
			err = e.replayDelta(l.line, l.Object)
		}
	case run:
		err = e.Run(l.At)
	case drain:
		e.Drain(l.At)
	case takes:
		err = e.replayTake(l.line)
	case ends:
		err = e.replayEnd(l.line)
	case blind:
		e.loseSight(l.At, l.Text)
	case sees:
		e.regainSight(l.At)
	case confirmed:
		err = e.replayConfirmed(l.At, l.Text)
	case unread:
		err = e.replayUnread(l.Text)
	case inside:
		e.spans = l.Internals
	case step:
		if l.Step == nil {
			return false, l.At, errors.New("a step of which nothing is said")
		}
		e.Step(l.At, l.Step)
	case end:
		return true, l.At, nil
	default:
		err = fmt.Errorf("%q is no mark that this version knows", l.Mark)
	}
	return false, l.At, err
}

// replayTake begins the sync that a worker of the record began there, if this replay traces
// the object. Keys before it that no worker took are synced as well.
func (e *Engine) replayTake(l line) error {
	e.advance(l.At)
	c, err := e.runnerOf(l)
	if c == nil || err != nil {
		return err
	}
	for c.queue.isReady(l.Text) {
		key, waited, _ := c.queue.get()
		f := e.begin(c, key, waited)
		if key == l.Text {
			e.decide(f)
			e.flights[flightOf{c, key}] = f
			return nil
		}
		e.sync(f)
	}
	return nil
}

// replayEnd ends that sync, unless it has to read more.
func (e *Engine) replayEnd(l line) error {
	e.advance(l.At)
	c, err := e.runnerOf(l)
	if c == nil || err != nil {
		return err
	}
	id := flightOf{c, l.Text}
	f, some := e.flights[id]
	switch {
	case !some:
	case e.end(f):
		delete(e.flights, id)
	default:
		e.decide(f)
	}
	return nil
}

// flightOf names a flight.
type flightOf struct {
	c   *runner
	key string
}

// runnerOf is the controller whose worker a line of a record tells of; nil where it does not
// run in this replay.
func (e *Engine) runnerOf(l line) (*runner, error) {
	k, err := kindOf(l.Kind)
	if err != nil {
		return nil, err
	}
	if e.o.Workers == nil {
		return nil, errors.New("a worker, of which the header says nothing")
	}
	for _, c := range e.controllers {
		if c.of.Kind.GroupKind() == k.GroupKind() {
			return c, nil
		}
	}
	return nil, nil
}

func (e *Engine) replayConfirmed(at time.Time, text string) error {
	until, err := time.Parse(time.RFC3339Nano, text)
	if err == nil {
		e.confirm(at, until)
	}
	return err
}

func (e *Engine) replayDelta(l line, raw json.RawMessage) error {
	k, err := kindOf(l.Kind)
	if err != nil {
		return err
	}
	obj, err := decode(k, raw)
	if err != nil {
		return err
	}
	switch l.Type {
	case cache.Added, cache.Updated, cache.Deleted, cache.Replaced, cache.Sync:
	default:
		return fmt.Errorf("%q is no type of delta", l.Type)
	}
	if err := e.held.take(l, obj, len(raw)); err != nil {
		return err
	}
	e.group = append(e.group, Delta{Type: l.Type, Kind: k, Object: obj, Tombstone: l.Tombstone, Initial: l.Initial})
	if e.more = l.More; l.More > 0 {
		return nil
	}
	e.Feed(l.At, e.group...)
	e.group = nil
	return nil
}

func decode(k view.Kind, raw json.RawMessage) (metav1.Object, error) {
	if !k.Typed() {
		obj := &unstructured.Unstructured{}
		return obj, obj.UnmarshalJSON(raw)
	}
	typed, err := view.Scheme.New(k.GroupVersionKind)
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(raw, typed); err != nil {
		return nil, err
	}
	obj, ok := typed.(metav1.Object)
	if !ok || obj.GetName() == "" {
		return nil, fmt.Errorf("a %s without a name", k.Kind)
	}
	return obj, nil
}

func kindText(k view.Kind) string { return k.Group + "/" + k.Version + "/" + k.Kind }

func kindOf(text string) (view.Kind, error) {
	for _, k := range view.Kinds() {
		if kindText(k) == text {
			return k, nil
		}
	}
	return view.Kind{}, fmt.Errorf("%q is no kind that this version knows", text)
}
