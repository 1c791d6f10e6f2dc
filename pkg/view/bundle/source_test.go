package bundle

import (
	"context"
	"errors"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

func open(t *testing.T, path string) *Source {
	t.Helper()
	s, err := Open([]string{path}, nil, Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

func TestBundleRestoresReads(t *testing.T) {
	s := open(t, "testdata/ok/snapshot.yaml")
	v, err := s.Load(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	r := v.Reader()
	if rs, ok := view.Get[*appsv1.ReplicaSet](r, view.Need{Kind: view.ReplicaSets, Namespace: "shop", Name: "web"}); !ok || rs.Name != "web" {
		t.Error("replicaset web is not there")
	}
	if pods := r.Metadata(view.Need{Kind: view.Pods, Namespace: "shop"}); len(pods) != 1 || full(pods[0]) {
		t.Errorf("pods: %v", pods)
	}
	err = r.Err(view.Need{Kind: view.Events, Namespace: "shop", Fields: "involvedObject.name=web", Detail: view.Full})
	if !apierrors.IsForbidden(err) || err.Error() != "events in namespace shop where involvedObject.name=web: forbidden for this user (list)" {
		t.Errorf("events: %v", err)
	}
	if len(r.Missing()) > 0 {
		t.Errorf("missing %v", r.Missing())
	}
	if v, _ := s.Version(context.Background()); v != (view.ServerVersion{Version: "v1.37.1", Basis: "bundle"}) {
		t.Errorf("version %+v", v)
	}
	if s.Changes() != nil {
		t.Error("files change")
	}
}

// A question that the bundle was not captured for comes to an end, with an
// error for what is not there, or with the object when it came along.
func TestSettleEnds(t *testing.T) {
	s := open(t, "testdata/ok/snapshot.yaml")
	job := view.Need{Kind: view.Jobs, Namespace: "shop", Detail: view.Full}
	elsewhere := view.Need{Kind: view.Pods, Namespace: "shop", Name: "web-1", Selector: "app=web"}
	whole := view.Need{Kind: view.Pods, Namespace: "shop", Name: "web-1", Detail: view.Full}
	settled, err := view.Settle(context.Background(), s, func(v *view.View) (*view.Reader, []*view.Reader, error) {
		r := v.Reader()
		for _, n := range []view.Need{job, elsewhere, whole} {
			_ = r.Err(n)
		}
		return r, []*view.Reader{r}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	r, v := settled.Value(), settled.View()
	if err := r.Err(job); !errors.As(err, new(*view.NotInInput)) || err.Error() != "the bundle was captured without jobs.batch in namespace shop" {
		t.Errorf("jobs: %v", err)
	}
	if r.Err(whole) == nil {
		t.Error("a pod of which only metadata was captured counts as whole")
	}
	if again, _ := s.Load(context.Background(), []view.Need{job}); again != v {
		t.Error("another View though nothing is new")
	}
}

func TestOpenViewKnowsEmptyLists(t *testing.T) {
	r := open(t, "testdata/dump").view.Reader()
	if pods := view.List[*corev1.Pod](r, view.Need{Kind: view.Pods, Namespace: "shop"}, nil); len(pods) > 0 {
		t.Errorf("pods: %v", pods)
	}
	for _, asked := range r.Asked() {
		if asked.Err != nil {
			t.Errorf("%s: %v", asked.Need, asked.Err)
		}
	}
	if r.Err(view.Need{Kind: view.Jobs, Namespace: "shop"}) == nil {
		t.Error("jobs are not in the input")
	}
}

func TestLoadIsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := open(t, "testdata/ok/list.yaml").Load(ctx, nil); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
