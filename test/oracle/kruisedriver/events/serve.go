package events

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"testing"
	"testing/synctest"

	appsv1alpha1 "github.com/openkruise/kruise/apis/apps/v1alpha1"
	"github.com/openkruise/kruise/pkg/controller/cloneset/utils"
	"github.com/openkruise/kruise/pkg/util/expectations"
)

// Names are what is expected of one CloneSet.
type Names struct {
	Create []string `json:"create"`
	Delete []string `json:"delete"`
}

// Event is what an informer tells; Kind is Pod, PersistentVolumeClaim or
// CloneSet, Type added, updated, deleted, or missed for a deletion that was
// noticed later.
type Event struct {
	Type string          `json:"type"`
	Kind string          `json:"kind"`
	Old  json.RawMessage `json:"old,omitempty"`
	New  json.RawMessage `json:"new,omitempty"`
}

// Request is what is there, what is expected, and what comes. All Gates but
// those named have their defaults.
type Request struct {
	Gates  map[string]bool         `json:"gates,omitempty"`
	Sets   []appsv1alpha1.CloneSet `json:"sets"`
	Memory map[string]Names        `json:"memory"`
	Events []Event                 `json:"events"`
}

// Run is what one event did.
type Run struct {
	Added  []string         `json:"added,omitempty"`
	After  []string         `json:"after,omitempty"`
	Memory map[string]Names `json:"memory"`
}

// Serve answers until in ends; setGates sets the gates for a request. The
// controller is started outside of the bubbles that requests are answered in:
// its workers only wait, and handlers start nothing.
func Serve(t *testing.T, in io.Reader, out io.Writer, setGates func(map[string]bool) error) error {
	c, err := start()
	if err != nil {
		return err
	}
	from, to := json.NewDecoder(bufio.NewReaderSize(in, 1<<20)), json.NewEncoder(out)
	for {
		var req Request
		if err := from.Decode(&req); errors.Is(err, io.EOF) {
			return c.stop()
		} else if err != nil {
			return err
		}
		if err := setGates(req.Gates); err != nil {
			return err
		}
		var runs []Run
		synctest.Test(t, func(*testing.T) { runs, err = c.answer(&req) })
		if err != nil {
			return err
		}
		if err := to.Encode(runs); err != nil {
			return err
		}
	}
}

func (c *controller) answer(req *Request) ([]Run, error) {
	utils.ScaleExpectations = expectations.NewScaleExpectations()
	utils.ResourceVersionExpectations = expectations.NewResourceVersionExpectation()
	for key, names := range req.Memory {
		for _, name := range names.Create {
			utils.ScaleExpectations.ExpectScale(key, expectations.Create, name)
		}
		for _, name := range names.Delete {
			utils.ScaleExpectations.ExpectScale(key, expectations.Delete, name)
		}
	}
	c.cache.fill(req.Sets)
	var runs []Run
	for i, ev := range req.Events {
		if err := c.cache.deliver(ev); err != nil {
			return nil, fmt.Errorf("event %d: %w", i, err)
		}
		runs = append(runs, c.run(req))
	}
	return runs, nil
}

func (c *controller) run(req *Request) Run {
	run := Run{Memory: map[string]Names{}}
	run.Added, run.After = c.queue.take()
	for key := range req.Memory {
		if names := utils.ScaleExpectations.GetExpectations(key); names != nil {
			run.Memory[key] = Names{Create: names[expectations.Create].List(), Delete: names[expectations.Delete].List()}
		}
	}
	return run
}
