package trace_test

import (
	"bytes"
	"errors"
	"slices"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/utils/clock"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/trace"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/trace/entry"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins"
)

// TestNamedIsThere: a trace of a name that is not there ends when the lists are read, and
// so does the replay of its record.
func TestNamedIsThere(t *testing.T) {
	p, err := profile.New(profile.Options{Emulate: "1.37", Releases: plugins.All().Releases()})
	if err != nil {
		t.Fatal(err)
	}
	sets := serve(view.ReplicaSets, &appsv1.ReplicaSet{})
	sets.Add(setOf("web", 1))
	kinds := []view.Kind{view.ReplicaSets}
	o := trace.Options{
		Profile: p, Controllers: trace.Running(plugins.All(), kinds), Named: trace.Pick{Namespace: "shop", Names: []string{"replicasets/wed"}}.Named(kinds),
		Out: func(e *entry.Entry) { t.Errorf("%s is said, want the error alone", e.Type) },
	}
	var kept bytes.Buffer
	_, err = trace.Follow(t.Context(), clock.RealClock{}, o, []trace.Feed{sets.feed}, trace.NewRecorder(&kept, trace.Header{Follows: trace.Kinds([]view.Need{sets.feed.Need})}, plugins.All().Keep()))
	wantAbsent(t, err, "wed")

	rec, err := trace.OpenRecord(&kept)
	if err != nil {
		t.Fatal(err)
	}
	_, err = rec.Replay(t.Context(), o)
	wantAbsent(t, err, "wed")
}

func wantAbsent(t *testing.T, err error, name string) {
	t.Helper()
	absent, ok := errors.AsType[*trace.Absent](err)
	if !ok || absent.Name != name || !slices.Equal(absent.Others, []string{"web"}) {
		t.Errorf("%v, want that %s is absent, beside web", err, name)
	}
}

// TestSomeNamedAreThere: of several names, those that are not there yet are said.
func TestSomeNamedAreThere(t *testing.T) {
	p, err := profile.New(profile.Options{Emulate: "1.37", Releases: plugins.All().Releases()})
	if err != nil {
		t.Fatal(err)
	}
	kinds := []view.Kind{view.ReplicaSets}
	var caveats []string
	e := trace.New(trace.Options{
		Profile: p, Controllers: trace.Running(plugins.All(), kinds), Named: trace.Pick{Namespace: "shop", Names: []string{"replicasets/edge", "replicasets/web"}}.Named(kinds),
		Out: func(e *entry.Entry) {
			if e.Started != nil {
				for _, c := range e.Started.Caveats {
					caveats = append(caveats, c.Message)
				}
			}
		},
	})
	defer e.Stop()
	e.Feed(time.Time{}, trace.Delta{Type: cache.Replaced, Kind: view.ReplicaSets, Object: setOf("web", 1), Initial: true})
	if err := e.Run(time.Time{}); err != nil {
		t.Fatal(err)
	}
	if want := []string{`replicasets.apps "edge" not found in namespace "shop": it is traced from its creation on`}; !slices.Equal(caveats, want) {
		t.Errorf("%q, want %q", caveats, want)
	}
}
