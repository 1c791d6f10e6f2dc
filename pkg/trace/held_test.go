package trace

import (
	"cmp"
	"strconv"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// TestHeld: what a record holds at one time is bounded, not how much it says.
func TestHeld(t *testing.T) {
	type delta struct {
		kind, name string
		typ        cache.DeltaType
		tombstone  bool
	}
	const half = mostHeld / 2
	for name, c := range map[string]struct {
		deltas []delta
		refuse bool
	}{
		"again and again": {[]delta{{kind: "/v1/Pod", name: "a"}, {kind: "/v1/Pod", name: "a"}, {kind: "/v1/Pod", name: "a"}}, false},
		"two":             {[]delta{{kind: "/v1/Pod", name: "a"}, {kind: "/v1/Pod", name: "b"}}, false},
		"three":           {[]delta{{kind: "/v1/Pod", name: "a"}, {kind: "/v1/Pod", name: "b"}, {kind: "/v1/Pod", name: "c"}}, true},
		"three kinds":     {[]delta{{kind: "/v1/Pod", name: "a"}, {kind: "/v1/Node", name: "a"}, {kind: "/v1/Event", name: "a"}}, true},
		"one deleted":     {[]delta{{kind: "/v1/Pod", name: "a"}, {kind: "/v1/Pod", name: "b"}, {kind: "/v1/Pod", name: "b", typ: cache.Deleted}, {kind: "/v1/Pod", name: "c"}}, false},
		"one missed":      {[]delta{{kind: "/v1/Pod", name: "a"}, {kind: "/v1/Pod", name: "b"}, {kind: "/v1/Pod", name: "b", tombstone: true}, {kind: "/v1/Pod", name: "c"}}, false},
	} {
		var h held
		var err error
		for _, d := range c.deltas {
			err = h.take(line{Kind: d.kind, Type: d.typ, Tombstone: d.tombstone}, &metav1.ObjectMeta{Namespace: "shop", Name: d.name}, half)
		}
		if refused := err != nil && strings.Contains(err.Error(), "more than 1024 MiB"); refused != c.refuse || err != nil && !c.refuse {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestTraced: what a trace holds at one time is bounded as well, and a list that is streamed.
func TestTraced(t *testing.T) {
	long := strings.Repeat("x", 1<<28)
	const most = int(mostTraced>>28) - 1
	typed := func(name string) metav1.Object {
		return &appsv1.ReplicaSet{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name, Annotations: map[string]string{"long": long}}}
	}
	untyped := func(name string) metav1.Object {
		return &unstructured.Unstructured{Object: map[string]any{
			"metadata": map[string]any{"namespace": "shop", "name": name}, "spec": map[string]any{"list": []any{long}},
		}}
	}
	for name, object := range map[string]func(string) metav1.Object{"typed": typed, "untyped": untyped} {
		c := newCluster(Options{})
		var listed error
		w := &sensedWatch{of: &sensing{ends: func(err error) { listed = cmp.Or(listed, err) }}, lists: true}
		apply := func(typ cache.DeltaType, object metav1.Object, tombstone bool) {
			c.apply(Delta{Type: typ, Kind: view.ReplicaSets, Object: object, Tombstone: tombstone})
		}
		for n := range most {
			apply(cache.Added, object(strconv.Itoa(n)), false)
			w.listing(watch.Event{Type: watch.Added, Object: object(strconv.Itoa(n)).(runtime.Object)}, new(int))
		}
		apply(cache.Updated, object("0"), false)
		apply(cache.Sync, object("0"), false)
		apply(cache.Deleted, object("0"), false)
		apply(cache.Deleted, object("1"), true)
		apply(cache.Replaced, object("a"), false)
		apply(cache.Added, object("b"), false)
		if err := cmp.Or(overfull(c.bytes), listed); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		apply(cache.Added, object("c"), false)
		w.listing(watch.Event{Type: watch.Added, Object: object("c").(runtime.Object)}, new(int))
		for _, err := range []error{overfull(c.bytes), listed} {
			if err == nil || err.Error() != "the trace holds objects of more than 2048 MiB at one time: trace one --namespace, or one TYPE" {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}
