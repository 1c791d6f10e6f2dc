package view

import (
	"errors"
	"slices"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
)

var now = time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)

func pod(name, app string, owner types.UID) *corev1.Pod {
	p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name, Labels: map[string]string{"app": app}}}
	if owner != "" {
		yes := true
		p.OwnerReferences = []metav1.OwnerReference{{UID: owner, Controller: &yes}}
	}
	return p
}

var shopPods = Need{Kind: Pods, Namespace: "shop", Detail: Full}

func shop(pods ...metav1.Object) *View {
	b := NewBuilder(now)
	b.Reads(shopPods, nil)
	for _, p := range pods {
		b.Add(Pods, p)
	}
	return b.View()
}

func namesOf[T metav1.Object](objs []T) []string {
	var names []string
	for _, o := range objs {
		names = append(names, o.GetName())
	}
	return names
}

func TestListSelectsInOrder(t *testing.T) {
	r := shop(pod("b", "web", ""), pod("a", "web", ""), pod("c", "db", "")).Reader()
	got := namesOf(List[*corev1.Pod](r, shopPods, labels.SelectorFromSet(labels.Set{"app": "web"})))
	if !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("got %v", got)
	}
	if len(r.Missing()) != 0 {
		t.Errorf("all pods of the namespace were read, but %v is missing", r.Missing())
	}
	if got := List[*corev1.Pod](r, shopPods, labels.Nothing()); got != nil {
		t.Errorf("a selector of nothing selects %v", namesOf(got))
	}
}

func TestOwnersAndOrphans(t *testing.T) {
	r := shop(pod("a", "web", "u1"), pod("b", "web", ""), pod("c", "web", "u2")).Reader()
	if got := namesOf(r.ControlledBy(shopPods, "u1")); !slices.Equal(got, []string{"a"}) {
		t.Errorf("controlled by u1: %v", got)
	}
	if got := namesOf(r.Orphans(shopPods)); !slices.Equal(got, []string{"b"}) {
		t.Errorf("orphans: %v", got)
	}
}

func TestFullObjectsWinOverMetadata(t *testing.T) {
	bare := &metav1.PartialObjectMetadata{ObjectMeta: pod("a", "web", "").ObjectMeta}
	for _, objs := range [][]metav1.Object{{pod("a", "web", ""), bare}, {bare, pod("a", "web", "")}} {
		if got := List[*corev1.Pod](shop(objs...).Reader(), shopPods, nil); len(got) != 1 {
			t.Errorf("got %d full pods, want 1", len(got))
		}
	}
}

func TestWithLeavesTheViewAsItIs(t *testing.T) {
	v := shop(pod("a", "web", ""))
	over := v.With(Pods, pod("b", "web", ""))
	if got := namesOf(v.All(Pods)); !slices.Equal(got, []string{"a"}) || v.Hypothetical() {
		t.Errorf("underlying View: %v, hypothetical %v", got, v.Hypothetical())
	}
	if got := namesOf(over.All(Pods)); !slices.Equal(got, []string{"a", "b"}) || !over.Hypothetical() {
		t.Errorf("overlay: %v, hypothetical %v", got, over.Hypothetical())
	}
}

// TestDroppedLastIsKnown: files that held objects of a kind are not without it once the
// last of them is taken out.
func TestDroppedLastIsKnown(t *testing.T) {
	b := NewOpenBuilder(time.Time{})
	b.Add(Pods, pod("a", "web", ""))
	v := b.View().Changed(Pods, nil, []metav1.Object{pod("a", "web", "")})
	if err := v.Reader().Err(shopPods); err != nil || len(v.All(Pods)) > 0 || !v.Mentions(Pods) || v.TakenAsNone(Pods) {
		t.Errorf("read with %v, holds %v, mentions %v", err, namesOf(v.All(Pods)), v.Mentions(Pods))
	}
	if none := NewOpenBuilder(time.Time{}).View().Changed(Pods, nil, nil); none.Reader().Err(shopPods) == nil || none.Mentions(Pods) || !none.TakenAsNone(Pods) {
		t.Error("Pods that files never held are known")
	}
}

func TestWhatIsMissing(t *testing.T) {
	metadata, all := shopPods, shopPods
	metadata.Detail, all.Namespace = Metadata, ""
	selected, other := shopPods, shopPods
	selected.Selector, other.Namespace = "app=web", "other"
	for _, c := range []struct {
		asked   Need
		missing bool
	}{
		{shopPods, false}, {metadata, false}, {selected, false}, {all, true}, {other, true},
		{Need{Kind: Events, Namespace: "shop", Detail: Full}, true},
	} {
		r := shop().Reader()
		if err := r.Err(c.asked); err != nil {
			t.Errorf("%s: %v", c.asked, err)
		}
		if got := len(r.Missing()) > 0; got != c.missing {
			t.Errorf("%s: missing %v, want %v", c.asked, got, c.missing)
		}
	}
}

func TestAFailedWideReadLeavesNarrowOnesToTry(t *testing.T) {
	forbidden := errors.New("forbidden")
	b := NewBuilder(now)
	all := shopPods
	all.Namespace = ""
	b.Reads(all, forbidden)
	r := b.View().Reader()
	if err := r.Err(all); !errors.Is(err, forbidden) {
		t.Errorf("the failed read itself: %v", err)
	}
	if err := r.Err(shopPods); err != nil || len(r.Missing()) != 1 {
		t.Errorf("a narrower one is to be tried: %v, missing %v", err, r.Missing())
	}
}

func TestFilesWithoutAKindSaySo(t *testing.T) {
	b := NewOpenBuilder(now)
	b.Add(Pods, pod("a", "web", ""))
	r := b.View().Reader()
	if err := r.Err(shopPods); err != nil {
		t.Errorf("pods are there: %v", err)
	}
	var absent *NotInInput
	if err := r.Err(Need{Kind: Events, Namespace: "shop"}); !errors.As(err, &absent) {
		t.Errorf("events are not: %v", err)
	}
}

func TestNames(t *testing.T) {
	for _, arg := range []string{"rs", "replicaset", "replicasets", "ReplicaSet", "replicasets.apps", "replicaset.v1.apps", "rs.apps", "rs.v1.apps"} {
		if !ReplicaSets.Named(arg) {
			t.Errorf("%q is a name of ReplicaSets", arg)
		}
	}
	for _, arg := range []string{"", "r", "rss", "replicasets.extensions", "replicasets.v1beta1.apps", "rs.extensions", "pods"} {
		if ReplicaSets.Named(arg) {
			t.Errorf("%q is no name of ReplicaSets", arg)
		}
	}
	for _, arg := range []string{"rc", "replicationcontroller", "replicationcontrollers.v1", "rc.v1."} {
		if !ReplicationControllers.Named(arg) {
			t.Errorf("%q is a name of ReplicationControllers", arg)
		}
	}
}

// TestExtra: of what is extra no caveat says that it is not there. What one part of an answer
// is whole without, another may need, and two may lack different things.
func TestExtra(t *testing.T) {
	needed := Need{Kind: Nodes, Name: "n1", Detail: Full, IfMissing: "whether n1 is ready is not known"}
	extra, other := needed, needed
	extra.Extra, other.IfMissing = true, "whether n1 is cordoned is not known"
	all := extra
	all.Name = ""
	resource := schema.GroupResource{Resource: "nodes"}
	for _, tt := range []struct {
		err   error
		asked []Need
		gaps  int
	}{
		{apierrors.NewNotFound(resource, "n1"), []Need{extra}, 0},
		{apierrors.NewNotFound(resource, "n1"), []Need{needed}, 1},
		{apierrors.NewNotFound(resource, "n1"), []Need{extra, needed}, 1},
		{apierrors.NewNotFound(resource, "n1"), []Need{needed, extra}, 1},
		{apierrors.NewNotFound(resource, "n1"), []Need{needed, other, needed, other}, 2},
		{apierrors.NewNotFound(resource, "n1"), []Need{all}, 1},
		{apierrors.NewForbidden(resource, "n1", nil), []Need{extra}, 1},
		{&NotInInput{Need: extra, Vouched: true}, []Need{extra}, 0},
		{errors.New("the server sent half an answer"), []Need{extra}, 1},
	} {
		b := NewBuilder(now)
		b.Reads(needed, tt.err)
		b.Reads(all, tt.err)
		r := b.View().Reader()
		for _, n := range tt.asked {
			if r.Err(n) == nil {
				t.Error("n1 was read")
			}
		}
		if got := len(r.Gaps()); got != tt.gaps {
			t.Errorf("%v: %d caveats of %v, want %d", tt.err, got, tt.asked, tt.gaps)
		}
	}
}
