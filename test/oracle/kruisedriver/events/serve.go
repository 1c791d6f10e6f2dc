package events

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sort"
	"testing"
	"testing/synctest"
	"time"
	"unsafe"

	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	appsv1alpha1 "github.com/openkruise/kruise/apis/apps/v1alpha1"
	"github.com/openkruise/kruise/pkg/controller/cloneset/utils"
	"github.com/openkruise/kruise/pkg/util/expectations"
)

// Names are what is expected of one CloneSet.
type Names struct {
	Create []string `json:"create"`
	Delete []string `json:"delete"`
}

// Event is one call of a handler; Kind is Pod or PersistentVolumeClaim.
type Event struct {
	Type string          `json:"type"`
	Kind string          `json:"kind"`
	Old  json.RawMessage `json:"old,omitempty"`
	New  json.RawMessage `json:"new,omitempty"`
}

// Request is what is there, what is expected, and what comes.
type Request struct {
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

// Serve answers until in ends.
func Serve(t *testing.T, in io.Reader, out io.Writer) error {
	from, to := json.NewDecoder(bufio.NewReaderSize(in, 1<<20)), json.NewEncoder(out)
	for {
		var req Request
		if err := from.Decode(&req); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		var runs []Run
		var err error
		synctest.Test(t, func(*testing.T) { runs, err = answer(&req) })
		if err != nil {
			return err
		}
		if err := to.Encode(runs); err != nil {
			return err
		}
	}
}

func answer(req *Request) ([]Run, error) {
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
	h := &podHandler{reader{sets: req.Sets}}
	var runs []Run
	for i, ev := range req.Events {
		q := &recording{}
		if err := see(h, q, ev); err != nil {
			return nil, fmt.Errorf("event %d: %w", i, err)
		}
		runs = append(runs, q.run(req))
	}
	return runs, nil
}

func see(h *podHandler, q queue, ev Event) error {
	if ev.Kind == "Pod" {
		return call(ev, unsafe.Pointer(h), q, podCreate, podUpdate, podDelete)
	}
	return call(ev, unsafe.Pointer(&struct{}{}), q, claimCreate, claimUpdate, claimDelete)
}

// call decodes an event's objects and calls the handler.
func call[T any, P interface {
	*T
	client.Object
}](ev Event, h unsafe.Pointer, q queue,
	create func(unsafe.Pointer, context.Context, event.TypedCreateEvent[P], queue),
	update func(unsafe.Pointer, context.Context, event.TypedUpdateEvent[P], queue),
	remove func(unsafe.Pointer, context.Context, event.TypedDeleteEvent[P], queue),
) error {
	was, is := P(new(T)), P(new(T))
	for text, obj := range map[*json.RawMessage]P{&ev.Old: was, &ev.New: is} {
		if len(*text) > 0 {
			if err := json.Unmarshal(*text, obj); err != nil {
				return err
			}
		}
	}
	switch ctx := context.Background(); ev.Type {
	case "added":
		create(h, ctx, event.TypedCreateEvent[P]{Object: is}, q)
	case "updated":
		update(h, ctx, event.TypedUpdateEvent[P]{ObjectOld: was, ObjectNew: is}, q)
	default:
		remove(h, ctx, event.TypedDeleteEvent[P]{Object: was}, q)
	}
	return nil
}

// reader lists the CloneSets of a request.
type reader struct {
	client.Reader
	sets []appsv1alpha1.CloneSet
}

func (r reader) List(_ context.Context, list client.ObjectList, opts ...client.ListOption) error {
	var o client.ListOptions
	o.ApplyOptions(opts)
	found := list.(*appsv1alpha1.CloneSetList)
	for _, set := range r.sets {
		if set.Namespace == o.Namespace {
			found.Items = append(found.Items, set)
		}
	}
	return nil
}

// recording is a queue that writes down what handlers ask for.
type recording struct {
	queue
	added, after []string
}

func (q *recording) Add(r reconcile.Request) { q.added = append(q.added, r.String()) }
func (q *recording) AddAfter(r reconcile.Request, d time.Duration) {
	q.after = append(q.after, fmt.Sprint(r, " ", d))
}

func (q *recording) run(req *Request) Run {
	run := Run{Added: q.added, After: q.after, Memory: map[string]Names{}}
	sort.Strings(run.Added)
	for key := range req.Memory {
		if names := utils.ScaleExpectations.GetExpectations(key); names != nil {
			run.Memory[key] = Names{Create: names[expectations.Create].List(), Delete: names[expectations.Delete].List()}
		}
	}
	return run
}
