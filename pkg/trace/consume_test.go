package trace_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"
	"k8s.io/utils/clock"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/controller"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/handlers"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/trace"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/trace/entry"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// script is what a server answers, whenever it is asked: a list, what the watch from there
// brings until its resource version expires, the next list, and so on.
type script struct {
	rounds []round
	mu     sync.Mutex
	listed int
	// watched is the last round whose events were sent.
	watched int
}

type round struct {
	list   []*corev1.Pod
	events []watch.Event
	rv     string
}

// IsWatchListSemanticsUnSupported is how a reflector asks.
func (s *script) IsWatchListSemanticsUnSupported() bool { return true }

func (s *script) List(metav1.ListOptions) (runtime.Object, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := s.rounds[min(s.listed, len(s.rounds)-1)]
	s.listed++
	list := &corev1.PodList{ListMeta: metav1.ListMeta{ResourceVersion: r.rv}}
	for _, p := range r.list {
		list.Items = append(list.Items, *p.DeepCopy())
	}
	return list, nil
}

func (s *script) Watch(metav1.ListOptions) (watch.Interface, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := min(s.listed, len(s.rounds)) - 1
	w := watch.NewFakeWithChanSize(len(s.rounds[n].events)+1, false)
	if s.watched == s.listed { // it goes on where the one before ended
		return w, nil
	}
	s.watched = s.listed
	for _, e := range s.rounds[n].events {
		w.Action(e.Type, e.Object.DeepCopyObject())
	}
	if n < len(s.rounds)-1 {
		expired := apierrors.NewResourceExpired("too old resource version").Status()
		w.Error(&expired)
	}
	return w, nil
}

// randomScript changes some Pods, on open watches and between them.
func randomScript(r *rand.Rand) *script {
	s, now, version := &script{}, map[string]*corev1.Pod{}, 0
	change := func() watch.Event {
		version++
		name := fmt.Sprintf("web-%d", r.IntN(6))
		p, there := now[name]
		switch {
		case !there:
			p = &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name}}
			p.ResourceVersion = strconv.Itoa(version)
			now[name] = p
			return watch.Event{Type: watch.Added, Object: p}
		case r.IntN(3) == 0:
			delete(now, name)
			p = p.DeepCopy()
			p.ResourceVersion = strconv.Itoa(version)
			return watch.Event{Type: watch.Deleted, Object: p}
		}
		p = p.DeepCopy()
		p.ResourceVersion = strconv.Itoa(version)
		now[name] = p
		return watch.Event{Type: watch.Modified, Object: p}
	}
	for range 6 {
		for range r.IntN(8) { // nobody watches
			change()
		}
		next := round{rv: strconv.Itoa(version)}
		for n := range 6 {
			if p, there := now[fmt.Sprintf("web-%d", n)]; there {
				next.list = append(next.list, p)
			}
		}
		for range r.IntN(10) {
			next.events = append(next.events, change())
		}
		s.rounds = append(s.rounds, next)
	}
	return s
}

// calls are those of the handlers, for each object.
type calls struct {
	mu sync.Mutex
	of map[string][]string
}

func (c *calls) note(obj metav1.Object, text string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.of[obj.GetName()] = append(c.of[obj.GetName()], text)
}

// OnAdd and the others are those of a shared informer's handler.
func (c *calls) OnAdd(obj any, initial bool) {
	p := obj.(metav1.Object)
	c.note(p, fmt.Sprintf("add %s initial %t", p.GetResourceVersion(), initial))
}

func (c *calls) OnUpdate(was, is any) {
	p := is.(metav1.Object)
	if p.GetResourceVersion() == was.(metav1.Object).GetResourceVersion() {
		return // a shared informer tells it only to handlers that resync
	}
	c.note(p, fmt.Sprintf("update %s to %s", was.(metav1.Object).GetResourceVersion(), p.GetResourceVersion()))
}

func (c *calls) OnDelete(obj any) {
	if t, ok := obj.(cache.DeletedFinalStateUnknown); ok {
		obj = t.Obj
	}
	p := obj.(metav1.Object)
	c.note(p, "delete "+p.GetResourceVersion())
}

// recorder is a controller whose handlers note that they are called.
func (c *calls) recorder() controller.Running {
	return controller.Running{
		Controller: controller.Controller{ID: "recorder", Agent: &controller.Agent{}}, Kind: view.ReplicaSets, Watches: []view.Kind{view.Pods},
		Memory: func(clock.PassiveClock) controller.Memory { return nil },
		Handle: func(_ handlers.Cluster, _ profile.Profile, ev handlers.Event) []handlers.Effect {
			switch ev.Type {
			case handlers.Added:
				c.note(ev.New, "add "+ev.New.GetResourceVersion())
			case handlers.Updated:
				c.OnUpdate(ev.Old, ev.New)
			case handlers.Deleted:
				c.OnDelete(ev.Old)
			}
			return nil
		},
	}
}

// TestConsumerActsAsSharedInformer: with the queue of each release, the handlers of a trace
// are called as those of client-go's shared informer, which gets the same answers.
func TestConsumerActsAsSharedInformer(t *testing.T) {
	for seed := range uint64(20) {
		want := &calls{of: map[string][]string{}}
		s := randomScript(rand.New(rand.NewPCG(seed, 1)))
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
			defer cancel()
			shared := cache.NewSharedIndexInformer(s, &corev1.Pod{}, 0, cache.Indexers{})
			if _, err := shared.AddEventHandler(want); err != nil {
				t.Fatal(err)
			}
			shared.RunWithContext(ctx)
		})
		for name, all := range want.of {
			for n := range all { // a trace tells its handlers nothing of initial lists
				all[n], _, _ = strings.Cut(all[n], " initial ")
			}
			want.of[name] = all
		}
		for _, version := range []string{"1.32", "1.34", "1.35", "1.37"} {
			got := &calls{of: map[string][]string{}}
			again := &script{rounds: s.rounds}
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
				defer cancel()
				p, err := profile.New(profile.Options{Emulate: version})
				if err != nil {
					t.Fatal(err)
				}
				o := trace.Options{Profile: p, Controllers: []controller.Running{got.recorder()}, Out: func(*entry.Entry) {}}
				feed := trace.Feed{Need: view.Need{Kind: view.Pods, Detail: view.Full}, ListerWatcher: again, Example: &corev1.Pod{}}
				if _, err := trace.Follow(ctx, clock.RealClock{}, o, []trace.Feed{feed}, nil); err != nil {
					t.Fatal(err)
				}
			})
			if again.listed != len(s.rounds) || !reflect.DeepEqual(got.of, want.of) {
				t.Errorf("seed %d, %s: %d lists, got\n%v\nwant\n%v", seed, version, again.listed, got.of, want.of)
			}
		}
	}
}
