package live

import (
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/version"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

var (
	shopPods = view.Need{Kind: view.Pods, Namespace: "shop", Detail: view.Full}
	barePods = view.Need{Kind: view.Pods, Namespace: "shop"}
	shopRS   = view.Need{Kind: view.ReplicaSets, Namespace: "shop", Name: "web", Detail: view.Full}
)

func TestFullWinsOverMetadata(t *testing.T) {
	a := serve(t, shop())
	s, _ := open(t, a.config(), Options{})
	one := view.Need{Kind: view.Pods, Namespace: "shop", Name: "web-2", Detail: view.Full}
	v := load(t, s, barePods)
	if _, bare := v.All(view.Pods)[1].(*metav1.PartialObjectMetadata); !bare {
		t.Errorf("got %T", v.All(view.Pods)[1])
	}
	v = load(t, s, one)
	p, full := view.Get[*corev1.Pod](v.Reader(), one)
	if !full || p.Spec.NodeName != "node-1" {
		t.Fatalf("got %v", p)
	}
	for _, obj := range v.All(view.Pods) {
		if obj.GetManagedFields() != nil {
			t.Errorf("%s has managed fields", obj.GetName())
		}
	}
	if got := names(v, view.Pods); got != "web-1 web-2 web-3" {
		t.Errorf("pods %q", got)
	}
	load(t, s, shopPods)
	if got := len(s.informers); got != 1 {
		t.Errorf("%d informers run, want the widest", got)
	}
}

func TestSkewIsNotedAndCorrected(t *testing.T) {
	a := serve(t, shop())
	a.date = start.Add(-42 * time.Second)
	s, _ := open(t, a.config(), Options{})
	v := load(t, s, shopRS)
	if got := noteOf(v, "ClockSkew"); got != "the local clock is 42s ahead of the server's; ages use the server's" {
		t.Errorf("note %q", got)
	}
	if got := start.Sub(v.Now()).Round(time.Second); got != 42*time.Second {
		t.Errorf("now is %s behind the local clock", got)
	}
}

func TestVersion(t *testing.T) {
	tests := []struct {
		info              version.Info
		version, emulated string
	}{
		{version.Info{Major: "1", Minor: "30", GitVersion: "v1.30.2-eks-1"}, "v1.30.2-eks-1", ""},
		{version.Info{Major: "1", Minor: "37", GitVersion: "v1.37.1", EmulationMajor: "1", EmulationMinor: "37"}, "v1.37.1", ""},
		{version.Info{Major: "1", Minor: "34+", GitVersion: "v1.34.4", EmulationMajor: "1", EmulationMinor: "34"}, "v1.34.4", ""},
		{version.Info{Major: "1", Minor: "37", GitVersion: "v1.37.1", EmulationMajor: "1", EmulationMinor: "35"}, "v1.37.1", "v1.35"},
	}
	for _, tt := range tests {
		t.Run(tt.version+tt.emulated, func(t *testing.T) {
			a := serve(t, nil)
			a.intercept = func(w http.ResponseWriter, _ *request) bool { return json.NewEncoder(w).Encode(tt.info) == nil }
			s, _ := open(t, a.config(), Options{})
			got, err := s.Version(t.Context())
			if want := (view.ServerVersion{Version: tt.version, Emulated: tt.emulated, Basis: "server"}); got != want || err != nil {
				t.Errorf("got %+v, %v; want %+v", got, err, want)
			}
			if got := a.seen(); !slices.Equal(got, []string{"get /version"}) {
				t.Errorf("requests %q", got)
			}
		})
	}
}

func TestClosedSource(t *testing.T) {
	a := serve(t, shop())
	s, _ := open(t, a.config(), Options{})
	load(t, s, shopPods)
	s.Close()
	if _, err := s.Load(t.Context(), nil); !errors.Is(err, errClosed) {
		t.Errorf("got %v", err)
	}
}

func BenchmarkLoadMetadata(b *testing.B) {
	a := serve(b, map[string][]runtime.Object{"pods": manyPods(10000)})
	b.ReportAllocs()
	for b.Loop() {
		s, err := Open(a.config(), Options{})
		if err != nil {
			b.Fatal(err)
		}
		if got := len(load(b, s, barePods).All(view.Pods)); got != 10000 {
			b.Fatalf("%d pods", got)
		}
		s.Close()
	}
}
