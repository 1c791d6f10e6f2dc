package trace_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/cache"
	"k8s.io/utils/clock"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/trace"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/trace/entry"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins"
)

// hanging gives no answer to a list.
type hanging struct{ cache.ListerWatcher }

func (h hanging) List(o metav1.ListOptions) (runtime.Object, error) {
	return h.ListWithContext(context.Background(), o)
}

func (hanging) ListWithContext(ctx context.Context, _ metav1.ListOptions) (runtime.Object, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

// TestFirstLists: a trace that ends before all first lists are there is an error and sums up
// nothing, live and replayed. One that it can do without is given up.
func TestFirstLists(t *testing.T) {
	for name, c := range map[string]struct {
		optional bool
		lasts    time.Duration
		err      string
	}{
		"hangs":               {false, 2 * time.Minute, "the trace ended after 2m0s, before it began: events in all namespaces had not been read"},
		"not needed, so long": {true, 20 * time.Second, "before it began: events in all namespaces had not been read"},
		"not needed":          {true, 40 * time.Second, ""},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				sets, events := serve(view.ReplicaSets, &appsv1.ReplicaSet{}), serve(view.Events, &corev1.Event{})
				events.feed.ListerWatcher, events.feed.Optional = hanging{events.feed.ListerWatcher}, c.optional
				events.feed.Need.IfMissing = "why creations failed is not known"
				sets.Add(setOf("web", 1))
				ctx, cancel := context.WithTimeout(t.Context(), c.lasts)
				defer cancel()
				defer sets.Shutdown()
				defer events.Shutdown()
				var kept strings.Builder
				said, err := traced(ctx, t, &kept, trace.Options{}, sets, events)
				said = slices.DeleteFunc(said, func(e *entry.Entry) bool { return e.Type == entry.Note })
				began := len(said) > 0
				if (err == nil) != began || err != nil && !strings.Contains(err.Error(), c.err) || (err == nil) != (c.err == "") {
					t.Errorf("%d entries, %v", len(said), err)
				}
				if began && !strings.Contains(said[0].Started.Caveats[0].Message, "events in all namespaces: not read within 30s: why creations failed is not known") {
					t.Errorf("%v", said[0].Started.Caveats)
				}
				rec, err := trace.OpenRecord(strings.NewReader(kept.String()))
				if err != nil {
					t.Fatal(err)
				}
				if _, err = rec.Replay(t.Context(), optionsOf(t, trace.Options{Out: func(*entry.Entry) {}})); (err == nil) != began {
					t.Errorf("replayed: %v", err)
				}
			})
		})
	}
}

// TestNamespaceIsThere: a trace of a namespace that does not exist ends when the lists are
// read, unless something is read of it.
func TestNamespaceIsThere(t *testing.T) {
	for name, c := range map[string]struct {
		exists, holds, follows bool
		want                   string
	}{
		"absent":     {false, false, true, `namespace "shop" not found; list all with: kubectl get namespaces`},
		"empty":      {true, false, true, ""},
		"holds":      {false, true, true, ""},
		"not looked": {false, false, false, ""},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				sets, namespaces := serve(view.ReplicaSets, &appsv1.ReplicaSet{}), serve(view.Namespaces, &corev1.Namespace{})
				if c.exists {
					namespaces.Add(&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "shop"}})
				}
				if c.holds {
					sets.Add(setOf("web", 1))
				}
				defer sets.Shutdown()
				defer namespaces.Shutdown()
				all := []served{sets, namespaces}
				if !c.follows {
					all = all[:1]
				}
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				_, err := traced(ctx, t, &strings.Builder{}, trace.Options{Namespace: "shop"}, all...)
				if err != nil && err.Error() != c.want || err == nil && c.want != "" {
					t.Errorf("%v, want %s", err, c.want)
				}
			})
		})
	}
}

func optionsOf(t *testing.T, o trace.Options) trace.Options {
	p, err := profile.New(profile.Options{Emulate: "1.37", Releases: plugins.All().Releases()})
	if err != nil {
		t.Fatal(err)
	}
	o.Profile, o.Controllers = p, trace.Running(plugins.All(), []view.Kind{view.ReplicaSets})
	return o
}

// traced is what a trace says until its context ends.
func traced(ctx context.Context, t *testing.T, record *strings.Builder, o trace.Options, all ...served) (said []*entry.Entry, err error) {
	o = optionsOf(t, o)
	o.Out = func(e *entry.Entry) { said = append(said, e) }
	var feeds []trace.Feed
	var needs []view.Need
	for _, s := range all {
		feeds, needs = append(feeds, s.feed), append(needs, s.feed.Need)
	}
	_, err = trace.Follow(ctx, clock.RealClock{}, o, feeds, trace.NewRecorder(record, trace.Header{Follows: trace.Kinds(needs)}, plugins.All().Keep()))
	return said, err
}
