package bundle

import (
	"errors"
	"fmt"
	"time"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// lastYear is too late for now: what comes after it has no form in RFC 3339.
const lastYear = 9999

// settleNow finds the instant that ages are measured at.
func (c *content) settleNow(at *time.Time) error {
	switch {
	case at != nil:
		c.now = *at
	case c.header != nil:
		c.now = c.header.CapturedAt
	case c.newest.at.IsZero():
		return errors.New("the input has neither a capture time nor any timestamp: say with --at when it was taken, such as --at 2026-11-01T12:00:00Z")
	case c.newest.at.Year() >= lastYear:
		return fmt.Errorf("the newest timestamp in the input is %s (%s): say with --at when it was taken, such as --at 2026-11-01T12:00:00Z",
			c.newest.at.UTC().Format(time.RFC3339), c.newest.of)
	default:
		c.now = c.newest.at
		c.notes = append(c.notes, view.Note{Code: "NowFromData", Message: fmt.Sprintf(
			"the input has no capture time; ages are taken at its newest timestamp, %s (%s); set another with --at",
			c.now.UTC().Format(time.RFC3339Nano), c.newest.of)})
	}
	return nil
}

// view builds the View. absent are needs beyond what the bundle covers.
func (c *content) view(absent []view.Need) *view.View {
	b := view.NewOpenBuilder(c.now)
	if c.header != nil {
		b = view.NewBuilder(c.now)
		b.FromFiles(c.header.FromFiles)
	}
	for _, o := range c.objects.ordered {
		b.AddOrdered(o.kind, o.objs)
	}
	for _, o := range c.strangers {
		b.Add(o.Kind, o.Obj)
	}
	for _, k := range c.listed {
		b.Reads(view.Need{Kind: k, Detail: view.Full}, nil)
	}
	for _, r := range c.reads {
		b.Reads(r.Need, r.Err)
	}
	for _, n := range absent {
		b.Reads(n, c.absence(n))
	}
	for _, n := range c.notes {
		b.Note(n.Code, n.Message)
	}
	return b.View()
}

// absence is the error of a need that was not captured, or nil when it asks
// for an object that came along with another need. What could not be read in one
// detail could not be read in another, nor can a part of it.
func (c *content) absence(n view.Need) error {
	if n.Name != "" && c.objects.holds(n) {
		return nil
	}
	for _, read := range c.reads {
		tried := read.Need
		if tried.Detail = n.Detail; read.Err != nil && tried.Covers(n) {
			return read.Err
		}
	}
	return &NotCaptured{n}
}
