package handlers

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	clocktesting "k8s.io/utils/clock/testing"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/expectations"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/handlers"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/eventhandler"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/contract"
)

// kruiseRequest is what package events of the kruise driver reads.
type kruiseRequest struct {
	Gates  map[string]bool   `json:"gates"`
	Sets   []json.RawMessage `json:"sets"`
	Memory map[string]names  `json:"memory"`
	Events []contract.Event  `json:"events"`

	sets []metav1.Object
}

type names struct {
	Create []string `json:"create"`
	Delete []string `json:"delete"`
}

// kruiseRun is what it answers to each event.
type kruiseRun struct {
	Added  []string         `json:"added,omitempty"`
	After  []string         `json:"after,omitempty"`
	Memory map[string]names `json:"memory"`

	// unsure: ours does not know whether the key that it adds is added upstream.
}

// kruiseOurs are our handlers with the memory that they change.
type kruiseOurs struct {
	ours
	memory *expectations.Scale
}

func newKruise(p profile.Profile, req *kruiseRequest, fired map[string]int) *kruiseOurs {
	o := &kruiseOurs{ours: ours{kind: view.CloneSets, handle: eventhandler.Handle(view.CloneSets), profile: p, sets: map[string]metav1.Object{}, fired: fired}}
	for _, set := range req.sets {
		o.sets[keyOf(set.GetNamespace(), set.GetName())] = set
	}
	o.memory = expectations.NewScale(clocktesting.NewFakePassiveClock(epoch))
	for key, n := range req.Memory {
		for _, name := range n.Create {
			o.memory.Expect(key, expectations.ScaleCreate, name)
		}
		for _, name := range n.Delete {
			o.memory.Expect(key, expectations.ScaleDelete, name)
		}
	}
	return o
}

// Satisfied replaces that of the ReplicaSets' memory.
func (o *kruiseOurs) Satisfied(t view.Target) bool {
	satisfied, _ := o.memory.Satisfied(keyOf(t.Namespace, t.Name))
	return satisfied
}

func (o *kruiseOurs) see(ev contract.Event, keys []string) (kruiseRun, error) {
	event, err := o.decode(ev)
	if err != nil {
		return kruiseRun{}, err
	}
	if ev.Kind == o.kind.Kind {
		o.cache(event)
	}
	run := kruiseRun{Memory: map[string]names{}}
	for _, e := range o.handle(o, o.profile, event) {
		o.fired[branch(e)]++
		o.apply(e, &run)
	}
	slices.Sort(run.Added)
	for _, key := range keys {
		if r := o.memory.Get(key); r != nil {
			creates, deletes := r.Outstanding()
			run.Memory[key] = names{creates, deletes}
		}
	}
	return run, nil
}

// branch is the rule of an effect, and why it applies where that is said.
func branch(e handlers.Effect) string {
	if why := e.Facts.Str("why"); why != "" {
		return e.Rule + ": " + why
	}
	return e.Rule
}

func (o *kruiseOurs) apply(e handlers.Effect, run *kruiseRun) {
	key := keyOf(e.Target.Namespace, e.Target.Name)
	switch e.Observed {
	case handlers.Creation:
		o.memory.Observe(key, expectations.ScaleCreate, e.Of.GetName())
	case handlers.Deletion:
		o.memory.Observe(key, expectations.ScaleDelete, e.Of.GetName())
	}
	switch {
	case e.Enqueue && e.After > 0:
		run.After = append(run.After, fmt.Sprint(key, " ", e.After))
	case e.Enqueue:
		run.Added = append(run.Added, key)
	}
}

func showKruise(r kruiseRun) string {
	text := fmt.Sprint("adds ", r.Added, " later ", r.After)
	for _, key := range slices.Sorted(maps.Keys(r.Memory)) {
		text += fmt.Sprint("; ", key, " ", r.Memory[key].Create, " ", r.Memory[key].Delete)
	}
	return text
}

// unstructuredSet is a CloneSet as our caches hold it.
func unstructuredSet() *unstructured.Unstructured {
	set := &unstructured.Unstructured{Object: map[string]any{}}
	set.SetGroupVersionKind(view.CloneSets.GroupVersionKind)
	return set
}
