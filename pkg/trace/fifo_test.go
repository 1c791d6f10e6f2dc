package trace

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/cache"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/controller"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

func podNamed(namespace, name string) *corev1.Pod {
	return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}}
}

// TestFIFOOfRelease: the queue hands out a list that lacks an object as that of client-go's
// release does.
func TestFIFOOfRelease(t *testing.T) {
	for minor, want := range map[int]string{
		32: "cache.DeltaFIFO [Deleted] [Replaced]",
		33: "cache.RealFIFO [Deleted] [Replaced]",
		35: "cache.RealFIFO [Deleted] [Replaced]",
		36: "cache.RealFIFO [ReplacedAll] [Bookmark]",
	} {
		known := cache.NewStore(cache.MetaNamespaceKeyFunc)
		_ = known.Add(podNamed("shop", "gone"))
		q := newFIFO(minor, known, nil, nil, schema.GroupVersionResource{})
		if err := q.Replace([]any{podNamed("shop", "web")}, "7"); err != nil {
			t.Fatal(err)
		}
		if b, ok := q.(cache.ReflectorBookmarkStore); ok {
			_ = b.Bookmark("8")
		}
		q.Close()
		popped := map[bool]string{}
		for err := error(nil); err == nil; {
			_, err = q.Pop(func(obj any, _ bool) error {
				d := obj.(cache.Deltas)
				popped[d[0].Type == cache.Deleted] += fmt.Sprintf(" [%s]", d[0].Type)
				return nil
			})
		}
		if got := fmt.Sprintf("%T", q)[1:] + popped[true] + popped[false]; got != want { // a DeltaFIFO has deletions last
			t.Errorf("client-go 0.%d: got %s, want %s", minor, got, want)
		}
	}
}

func TestClientGoOfManagers(t *testing.T) {
	p := profile.Profile{Kubernetes: profile.Version{Major: 1, Minor: 36}}
	running := func(minors ...int) (all []controller.Running) {
		for _, m := range minors {
			all = append(all, controller.Running{Controller: controller.Controller{Agent: &controller.Agent{ClientGo: m}}})
		}
		return all
	}
	for want, minors := range map[int][]int{0: nil, 32: {32}, 36: {0}, 37: {37, 0, 32}} {
		if got := clientGo(p, running(minors...)); got != want {
			t.Errorf("%v: got %d, want %d", minors, got, want)
		}
	}
}

// TestListOfOneNamespace: a list says nothing of the objects of other feeds.
func TestListOfOneNamespace(t *testing.T) {
	all := cache.NewStore(cache.MetaNamespaceKeyFunc)
	for _, namespace := range []string{"shop", "other"} {
		_ = all.Add(podNamed(namespace, "web"))
	}
	s := scoped{all, view.Need{Kind: view.Pods, Namespace: "shop"}}
	deltas := s.each(cache.Delta{Type: cache.ReplacedAll, Object: cache.ReplacedAllInfo{}})
	if len(deltas) != 1 || deltas[0].Object.(cache.DeletedFinalStateUnknown).Key != "shop/web" {
		t.Errorf("deleted %v", deltas)
	}
	if deltas := s.each(cache.Delta{Type: cache.SyncAll, Object: cache.SyncAllInfo{}}); len(deltas) != 1 || deltas[0].Type != cache.Sync {
		t.Errorf("synced %v", deltas)
	}
}
