package trace_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clientfeatures "k8s.io/client-go/features"
	clientfeaturestesting "k8s.io/client-go/features/testing"
	"k8s.io/client-go/tools/cache"
	"k8s.io/utils/clock"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/controller"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/handlers"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/trace"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/trace/entry"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// sights are the calls of handlers, each with what the store held then.
type sights struct {
	mu  sync.Mutex
	all []string
}

func (s *sights) note(call string, obj metav1.Object, get func(name string) (metav1.Object, bool)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var held []string
	for n := range 6 {
		if p, ok := get(fmt.Sprintf("web-%d", n)); ok {
			held = append(held, p.GetName()+"@"+p.GetResourceVersion())
		}
	}
	s.all = append(s.all, fmt.Sprintf("%s %s@%s: %s", call, obj.GetName(), obj.GetResourceVersion(), strings.Join(held, " ")))
}

// sorted are the sights without the order of calls. What is deleted by one list is deleted in
// no certain order, so that of these the store does not count.
func (s *sights) sorted() []string {
	for n, text := range s.all {
		if strings.HasPrefix(text, "delete") {
			s.all[n], _, _ = strings.Cut(text, ":")
		}
	}
	return slices.Sorted(slices.Values(s.all))
}

// onlyLists is a script in which all is learned from lists.
func onlyLists(seed uint64) *script {
	s := randomScript(rand.New(rand.NewPCG(seed, 2)))
	for n := range s.rounds {
		s.rounds[n].events = nil
	}
	return s
}

// gatesOf sets the gates of the client-go of a release.
func gatesOf(t *testing.T, version string) {
	for gate, since := range map[clientfeatures.Feature]string{
		clientfeatures.InOrderInformers: "1.33", clientfeatures.InOrderInformersBatchProcess: "1.35",
		clientfeatures.AtomicFIFO: "1.36", clientfeatures.UnlockWhileProcessingFIFO: "1.36",
	} {
		clientfeaturestesting.SetFeatureDuringTest(t, gate, version >= since)
	}
}

// TestStoreAtHandlers: when a handler is called for an object of a list, the store of a trace
// holds what that of client-go's own informer holds: all of the list or a part of it, as the
// release has it.
func TestStoreAtHandlers(t *testing.T) {
	for _, version := range []string{"1.32", "1.34", "1.35", "1.37"} {
		for seed := range uint64(20) {
			t.Run(fmt.Sprint(version, " ", seed), func(t *testing.T) {
				gatesOf(t, version)
				want, got := &sights{}, &sights{}
				synctest.Test(t, func(t *testing.T) { theirs(t, onlyLists(seed), want) })
				synctest.Test(t, func(t *testing.T) { ours(t, version, onlyLists(seed), got) })
				if !slices.Equal(got.sorted(), want.sorted()) {
					t.Errorf("got\n%s\nwant\n%s", strings.Join(got.sorted(), "\n"), strings.Join(want.sorted(), "\n"))
				}
			})
		}
	}
}

func theirs(t *testing.T, s *script, seen *sights) {
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	var store cache.Store
	get := func(name string) (metav1.Object, bool) {
		obj, there, _ := store.GetByKey("shop/" + name)
		if !there {
			return nil, false
		}
		return obj.(metav1.Object), true
	}
	var informer cache.Controller
	store, informer = cache.NewInformerWithOptions(cache.InformerOptions{
		ListerWatcher: s, ObjectType: &corev1.Pod{}, Handler: cache.ResourceEventHandlerFuncs{
			AddFunc:    func(obj any) { seen.note("add", obj.(metav1.Object), get) },
			UpdateFunc: func(_, obj any) { seen.note("update", obj.(metav1.Object), get) },
			DeleteFunc: func(obj any) {
				if t, ok := obj.(cache.DeletedFinalStateUnknown); ok {
					obj = t.Obj
				}
				seen.note("delete", obj.(metav1.Object), get)
			},
		},
	})
	informer.RunWithContext(ctx)
}

func ours(t *testing.T, version string, s *script, seen *sights) {
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	p, err := profile.New(profile.Options{Emulate: version})
	if err != nil {
		t.Fatal(err)
	}
	watcher := (&calls{of: map[string][]string{}}).recorder()
	watcher.Handle = func(c handlers.Cluster, _ profile.Profile, ev handlers.Event) []handlers.Effect {
		get := func(name string) (metav1.Object, bool) { return c.Get(view.Pods, "shop", name) }
		switch ev.Type {
		case handlers.Added:
			seen.note("add", ev.New, get)
		case handlers.Updated:
			seen.note("update", ev.New, get)
		case handlers.Deleted:
			seen.note("delete", ev.Old, get)
		}
		return nil
	}
	o := trace.Options{Profile: p, Controllers: []controller.Running{watcher}, Out: func(*entry.Entry) {}}
	feed := trace.Feed{Need: view.Need{Kind: view.Pods, Detail: view.Full}, ListerWatcher: s, Example: &corev1.Pod{}}
	if _, err := trace.Follow(ctx, clock.RealClock{}, o, []trace.Feed{feed}, nil); err != nil {
		t.Fatal(err)
	}
}
