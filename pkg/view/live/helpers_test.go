package live

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	goruntime "runtime"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"
	clocktesting "k8s.io/utils/clock/testing"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

var start = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// open opens a Source with a fake clock and checks, when the test is over,
// that nothing of it goes on.
func open(t testing.TB, cfg *rest.Config, o Options) (*Source, *clocktesting.FakeClock) {
	t.Helper()
	clk := clocktesting.NewFakeClock(start)
	o.Clock = clk
	s, err := Open(cfg, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		s.Close()
		eventually(t, "all goroutines to end", func() bool { return len(goroutines()) == 0 })
	})
	return s, clk
}

// goroutines lists those that reading started.
func goroutines() []string {
	buf := make([]byte, 1<<20)
	var out []string
	for g := range strings.SplitSeq(string(buf[:goruntime.Stack(buf, true)]), "\n\n") {
		for _, mark := range []string{"client-go/tools/cache", "client-go/rest.(", "live.(*informer)", "live.(*watched)", "net/http.(*persistConn)"} {
			if strings.Contains(g, mark) {
				out = append(out, g)
				break
			}
		}
	}
	return out
}

// eventually waits, by the real clock, until ok: reading goes over real sockets.
func eventually(t testing.TB, what string, ok func() bool) {
	t.Helper()
	for range 1000 {
		if ok() {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Errorf("waited in vain for %s", what)
}

func load(t testing.TB, s *Source, needs ...view.Need) *view.View {
	t.Helper()
	v, err := s.Load(t.Context(), needs)
	if err != nil {
		t.Fatalf("load: %v", err)
	}
	return v
}

func names(v *view.View, k view.Kind) string {
	var out []string
	for _, obj := range v.All(k) {
		out = append(out, obj.GetName())
	}
	return strings.Join(out, " ")
}

func readErr(v *view.View, n view.Need) error { return v.Reader().Err(n) }

func noteOf(v *view.View, code string) string {
	for _, n := range v.Notes() {
		if n.Code == code {
			return n.Message
		}
	}
	return ""
}

func pod(namespace, name, version string) *corev1.Pod {
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: namespace, Name: name, ResourceVersion: version, UID: types.UID("uid-of-" + name),
			ManagedFields: []metav1.ManagedFieldsEntry{{Manager: "kubelet", Operation: "Update"}},
		},
		Spec: corev1.PodSpec{NodeName: "node-1"},
	}
}

func pods(namespace string, names ...string) []runtime.Object {
	var out []runtime.Object
	for _, n := range names {
		out = append(out, pod(namespace, n, "7"))
	}
	return out
}

func shop() map[string][]runtime.Object {
	return map[string][]runtime.Object{
		"pods": pods("shop", "web-1", "web-2", "web-3"),
		"replicasets": {&appsv1.ReplicaSet{
			ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web", ResourceVersion: "5", UID: "uid-of-web"},
		}},
	}
}

func kindOf(resource string) view.Kind {
	i := slices.IndexFunc(view.Kinds(), func(k view.Kind) bool { return k.Resource == resource })
	if i < 0 {
		panic(fmt.Sprintf("no kind serves %q", resource))
	}
	return view.Kinds()[i]
}

func typedList(resource string, objects []runtime.Object, next string) runtime.Object {
	k := kindOf(resource)
	list, err := view.Scheme.New(k.GroupVersion().WithKind(k.Kind + "List"))
	if err != nil {
		panic(err)
	}
	_ = meta.SetList(list, objects)
	m, _ := meta.ListAccessor(list)
	m.SetResourceVersion("100")
	m.SetContinue(next)
	return list
}

func stripped(obj runtime.Object) *metav1.PartialObjectMetadata {
	if p, ok := obj.(*metav1.PartialObjectMetadata); ok {
		return p
	}
	p := meta.AsPartialObjectMetadata(view.Meta(obj))
	p.SetGroupVersionKind(metav1.SchemeGroupVersion.WithKind("PartialObjectMetadata"))
	return p
}

func manyPods(n int) []runtime.Object {
	var out []runtime.Object
	for i := range n {
		out = append(out, pod("shop", fmt.Sprintf("web-%05d", i), "7"))
	}
	return out
}
