package core_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/core"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/handlers"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/trace/entry"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// diary is a memory and a queue that note what they are told.
type diary struct {
	told     []string
	failures int
}

func (d *diary) Observe(what handlers.Observation, t view.Target, _ metav1.Object) {
	d.told = append(d.told, fmt.Sprintf("%s of %s", what, t.Name))
}
func (*diary) Satisfied(t view.Target) bool                                               { return t.Name == "calm" }
func (*diary) Expect(view.Target, *decision.Decision, core.Objects) *decision.Expectation { return nil }

func (d *diary) Add(key string, after time.Duration) entry.Queueing {
	d.told = append(d.told, fmt.Sprintf("%s after %s", key, after))
	return entry.Queued
}

func (d *diary) Fail(key string) (int, time.Duration) {
	d.failures++
	d.told = append(d.told, key+" failed")
	return d.failures, time.Second
}

func (d *diary) Forget(key string) {
	d.failures = 0
	d.told = append(d.told, key+" forgotten")
}
func (d *diary) Failures(string) int { return d.failures }

var web = view.Target{Kind: view.Pods, Namespace: "shop", Name: "web"}

func TestTake(t *testing.T) {
	for _, c := range []struct {
		effect handlers.Effect
		queued entry.Queueing
		want   []string
	}{
		{handlers.Effect{Target: web}, "", nil},
		{handlers.Effect{Target: web, Enqueue: true, After: time.Second}, entry.Queued, []string{"shop/web after 1s"}},
		{handlers.Effect{Target: web, Observed: handlers.Deletion}, "", []string{"deletion of web"}},
		{handlers.Effect{Target: web, Observed: handlers.Creation, Enqueue: true}, entry.Queued, []string{"creation of web", "shop/web after 0s"}},
	} {
		var d diary
		one := core.Controller{Memory: &d, Queue: &d}
		if got := one.Take(c.effect); got != c.queued || !slices.Equal(d.told, c.want) {
			t.Errorf("%+v: %q, %q; want %q, %q", c.effect, got, d.told, c.queued, c.want)
		}
	}
}

// TestHear: handlers see the objects, and the memory of their own controller.
func TestHear(t *testing.T) {
	var d diary
	one := core.Controller{Memory: &d, Handle: func(c handlers.Cluster, _ profile.Profile, _ handlers.Event) []handlers.Effect {
		if c.Satisfied(view.Target{Name: "calm"}) && !c.Satisfied(web) {
			return []handlers.Effect{{Target: web}, {}} // the second is about no key
		}
		return nil
	}}
	if got := one.Hear(nil, profile.Profile{}, handlers.Event{}); len(got) != 1 {
		t.Errorf("got %+v", got)
	}
}

func TestSynced(t *testing.T) {
	for _, c := range []struct {
		retries, before int
		why             decision.Requeue
		after           time.Duration
		again           core.Again
		want            []string
	}{
		{0, 0, decision.NoRequeue, 0, core.Again{}, []string{"shop/web forgotten"}},
		{0, 3, decision.NoRequeue, time.Minute, core.Again{Delay: time.Minute}, []string{"shop/web forgotten", "shop/web after 1m0s"}},
		{0, 99, decision.RequeueFailed, time.Minute, core.Again{Failures: 100, Delay: time.Second}, []string{"shop/web failed"}},
		{2, 1, decision.RequeueNotReadBack, 0, core.Again{Failures: 2, Delay: time.Second}, []string{"shop/web failed"}},
		{2, 2, decision.RequeueFailed, 0, core.Again{}, []string{"shop/web forgotten"}},
	} {
		d := diary{failures: c.before}
		one := core.Controller{Memory: &d, Queue: &d, Retries: c.retries}
		if got := one.Synced(web.Key(), c.why, c.after); got != c.again || !slices.Equal(d.told, c.want) {
			t.Errorf("%+v: %+v, %q", c, got, d.told)
		}
	}
}

// TestTarget: keys are read as they are written; objects of no namespace have none.
func TestTarget(t *testing.T) {
	if got := core.Target(view.Pods, web.Key()); got.Key() != web.Key() || got.Name != "web" || got.Kind.Kind != "Pod" {
		t.Errorf("got %+v", got)
	}
	if got := core.Target(view.Nodes, "n1"); got.Namespace != "" || got.Name != "n1" {
		t.Errorf("got %+v", got)
	}
}
