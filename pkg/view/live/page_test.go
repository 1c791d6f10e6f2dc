package live

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/cache"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// TestPagesAreTold: each request of a list is told, with what was sent and received.
func TestPagesAreTold(t *testing.T) {
	a := serve(t, map[string][]runtime.Object{"pods": manyPods(pageSize + 1)})
	a.perPage = pageSize
	s, _ := open(t, a.config(), Options{})
	stream, err := s.Stream(view.Need{Kind: view.Pods, Namespace: "shop", Detail: view.Full})
	if err != nil {
		t.Fatal(err)
	}
	var told []Page
	stream.OnPage(func(p Page) { told = append(told, p) })
	before := len(a.received())
	_, err = cache.ToListerWatcherWithContext(stream.ListWatch(false)).ListWithContext(t.Context(), metav1.ListOptions{ResourceVersion: "0"})
	if err != nil {
		t.Fatal(err)
	}
	got := a.received()[before:]
	if len(told) != 2 || len(got) != len(told) {
		t.Fatalf("told of %v, the server got %d requests", told, len(got))
	}
	for n, p := range told {
		if q := got[n].URL.Query(); p.ResourceVersion != q.Get("resourceVersion") || p.Continue != q.Get("continue") || p.Bytes < 40 || (p.Continue != "") != (n == 1) {
			t.Errorf("page %d: told of %+v, the server got %s", n, p, got[n].URL)
		}
	}
	if first, last := told[0].Bytes, told[1].Bytes; first < 1000*last {
		t.Errorf("%d bytes with %d Pods, %d with one", first, pageSize, last)
	}
}
