package cluster_test

import (
	"strconv"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/admission"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/clusterdsl"
)

// TestOutdated: a write made from what a cache shows is refused where the object has
// changed meanwhile, and accepted once the cache shows that.
func TestOutdated(t *testing.T) {
	v, err := clusterdsl.Parse("rs web selector=app=web replicas=1\npod a of=rs/web app=web ready=1h")
	if err != nil {
		t.Fatal(err)
	}
	m := cluster.New(v, admission.Features{})
	cache := m.Cache()
	change := func(metav1.Object) metav1.Object {
		p, _ := cluster.GetPod(m, clusterdsl.Namespace, "a")
		p.Labels["tier"] = "front"
		return p
	}
	update := cluster.Write{Verb: cluster.Update, Kind: view.Pods, Namespace: clusterdsl.Namespace, Name: "a", Stored: change}
	create := cluster.Write{Verb: cluster.Create, Kind: view.Pods, Namespace: clusterdsl.Namespace, Name: "b", Object: &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: clusterdsl.Namespace}}}
	all := []cluster.Write{update, update, create}
	if o := m.Outdated(cache, all, nil); o != nil {
		t.Errorf("refused before anything has changed: %v", o)
	}
	m.CommitAll(all, nil)
	rereads, patch := update, update
	rereads.Rereads, patch.Verb = true, cluster.Patch
	for _, c := range []struct {
		writes []cluster.Write
		left   map[int]bool
		number int
		reason metav1.StatusReason
	}{
		{[]cluster.Write{patch, rereads, update}, nil, 0, ""}, // what it wrote before, it knows
		{[]cluster.Write{update}, nil, 1, metav1.StatusReasonConflict},
		{[]cluster.Write{update, create}, map[int]bool{1: true}, 2, metav1.StatusReasonAlreadyExists},
	} {
		o := m.Outdated(cache, c.writes, c.left)
		if o == nil && c.number == 0 {
			continue
		}
		if o == nil || o.Number != c.number || o.Reason != c.reason {
			t.Errorf("%d writes: refused %v, want number %d for %s", len(c.writes), o, c.number, c.reason)
		}
	}
	for _, c := range m.Changes() {
		cache.Show(c)
	}
	if o := m.Outdated(cache, all, nil); o != nil {
		t.Errorf("refused although the cache shows all: %v", o)
	}
	pod, _ := cache.Get(view.Pods, clusterdsl.Namespace, "b")
	if now, _ := m.Get(view.Pods, clusterdsl.Namespace, "b"); pod != now || len(cache.View().All(view.Pods)) != 2 {
		t.Error("the cache does not show what was created")
	}
}

// TestVersionsOfAllObjects: once a cache may be behind, what is written later has a
// higher resource version than all before it, of whichever object.
func TestVersionsOfAllObjects(t *testing.T) {
	v, err := clusterdsl.Parse("rs web selector=app=web replicas=2\npod a of=rs/web app=web ready=1h\npod b of=rs/web app=web ready=1h")
	if err != nil {
		t.Fatal(err)
	}
	m := cluster.New(v, admission.Features{})
	old, _ := cluster.GetPod(m, clusterdsl.Namespace, "a")
	old.ResourceVersion = "41"
	m = cluster.New(v.Changed(view.Pods, []metav1.Object{old}, nil), admission.Features{})
	m.Cache()
	var last uint64 = 41
	for _, name := range []string{"b", "a", "a", "b"} {
		p, _ := cluster.GetPod(m, clusterdsl.Namespace, name)
		m.Put(view.Pods, p)
		version, err := strconv.ParseUint(p.ResourceVersion, 10, 64)
		if err != nil || version <= last {
			t.Errorf("%s is written as version %q after version %d (%v)", name, p.ResourceVersion, last, err)
		}
		last = version
	}
}
