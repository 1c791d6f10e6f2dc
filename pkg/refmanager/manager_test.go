package refmanager_test

import (
	"errors"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/refmanager"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

func setOf(name string, selected map[string]string) *appsv1.ReplicaSet {
	return &appsv1.ReplicaSet{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name, UID: types.UID(name)},
		Spec:       appsv1.ReplicaSetSpec{Selector: &metav1.LabelSelector{MatchLabels: selected}},
	}
}

// podOf is an orphan where owner is nil.
func podOf(name, app string, owner *appsv1.ReplicaSet) *corev1.Pod {
	p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name, UID: types.UID(name), Labels: map[string]string{"app": app}}}
	if owner != nil {
		p.OwnerReferences = []metav1.OwnerReference{*metav1.NewControllerRef(owner, view.ReplicaSets.GroupVersionKind)}
	}
	return p
}

// claimed claims the Pods for replicaset/web, whose API server answers with these.
func claimed(live func() (metav1.Object, error), refuse error, others []*appsv1.ReplicaSet, pods ...*corev1.Pod) (all []refmanager.Claimed, sent []cluster.Write, m *refmanager.Manager) {
	web := setOf("web", map[string]string{"app": "web"})
	b := view.NewBuilder(time.Unix(0, 0))
	for _, rs := range append(others, web) {
		b.Add(view.ReplicaSets, rs)
	}
	owner := ownership.Claimer{Ref: ownership.RefTo(view.ReplicaSets, web), Selector: labels.SelectorFromSet(web.Spec.Selector.MatchLabels)}
	m = &refmanager.Manager{
		Reader: b.View().Reader(), Kind: view.Pods, Owner: owner.Ref, Selector: owner.Selector, Live: live,
		Send: func(_ decision.Verb, w cluster.Write) error {
			sent = append(sent, w)
			return refuse
		},
	}
	for _, p := range pods {
		all = append(all, m.Claim(p, owner.Claim(p)))
	}
	return all, sent, m
}

// TestAnswers: what is kept, and whether the sync ends, by the API server's answer.
func TestAnswers(t *testing.T) {
	web, orphan := setOf("web", nil), podOf("orphan", "web", nil)
	own, lost := podOf("own", "web", web), podOf("lost", "blog", web)
	other := errors.New("forbidden")
	for name, c := range map[string]struct {
		pod        *corev1.Pod
		refuse     error
		sent       decision.Verb
		kept, ends bool
	}{
		"owned":                   {pod: own, refuse: other, kept: true},
		"of another":              {pod: podOf("theirs", "web", setOf("blog", nil)), refuse: other},
		"adopted":                 {pod: orphan, sent: decision.Adopt, kept: true},
		"adopted when gone":       {pod: orphan, sent: decision.Adopt, refuse: cluster.ErrNotFound},
		"adopted when invalid":    {pod: orphan, sent: decision.Adopt, refuse: cluster.ErrInvalid, ends: true},
		"adopted and forbidden":   {pod: orphan, sent: decision.Adopt, refuse: other, ends: true},
		"released":                {pod: lost, sent: decision.Release},
		"released when gone":      {pod: lost, sent: decision.Release, refuse: cluster.ErrNotFound},
		"released with no effect": {pod: lost, sent: decision.Release, refuse: cluster.ErrInvalid},
		"released and forbidden":  {pod: lost, sent: decision.Release, refuse: other, ends: true},
	} {
		all, sent, m := claimed(nil, c.refuse, nil, c.pod)
		got := all[0]
		if got.Sent != c.sent || got.Kept() != c.kept || (m.Err() != nil) != c.ends || got.Rivals != nil {
			t.Errorf("%s: sent %q, kept %t, error %v", name, got.Sent, got.Kept(), m.Err())
		}
		if c.sent == "" {
			if len(sent) > 0 {
				t.Errorf("%s: sent %v", name, sent)
			}
			continue
		}
		if len(sent) != 1 || sent[0].Verb != cluster.Patch || sent[0].Name != c.pod.Name || sent[0].Patch != got.Patch {
			t.Errorf("%s: sent %+v", name, sent)
			continue
		}
		refs := sent[0].Stored(c.pod).GetOwnerReferences()
		if c.sent == decision.Release && len(refs) > 0 {
			t.Errorf("%s: keeps %v", name, refs)
		}
		if c.sent == decision.Adopt && (len(refs) != 1 || refs[0].UID != "web" || refs[0].APIVersion != "apps/v1" || !*refs[0].Controller || !*refs[0].BlockOwnerDeletion) {
			t.Errorf("%s: owned by %v", name, refs)
		}
	}
}

// TestRecheck: the owner is read once, before the first adoption; one that is no longer there
// adopts nothing, and the sync ends.
func TestRecheck(t *testing.T) {
	deleted := setOf("web", nil)
	deleted.DeletionTimestamp = &metav1.Time{Time: time.Unix(60, 0)}
	another := setOf("web", nil)
	another.UID = "another"
	own := podOf("own", "web", setOf("web", nil))
	for name, c := range map[string]struct {
		live *appsv1.ReplicaSet
		err  error
		want string
	}{
		"as it was":     {live: setOf("web", nil)},
		"being deleted": {live: deleted, want: "can't adopt Pod shop/a (a): shop/web has just been deleted at 1970-01-01 00:01:00 +0000 UTC"},
		"another one":   {live: another, want: "can't adopt Pod shop/a (a): can't recheck DeletionTimestamp: original ReplicaSet shop/web is gone: got uid another, wanted web"},
		"not readable":  {err: errors.New("timeout"), want: "can't adopt Pod shop/a (a): can't recheck DeletionTimestamp: timeout"},
	} {
		reads := 0
		live := func() (metav1.Object, error) {
			reads++
			return c.live, c.err
		}
		if _, _, m := claimed(live, nil, nil, own); m.Read() != nil || reads > 0 {
			t.Errorf("%s: read for what is its own", name)
		}
		_, sent, m := claimed(live, nil, nil, podOf("a", "web", nil), own, podOf("b", "web", nil))
		switch err := m.Err(); {
		case reads != 1 || m.Read() == nil:
			t.Errorf("%s: %d reads", name, reads)
		case c.want == "" && (err != nil || len(sent) != 2):
			t.Errorf("%s: %v, %d sent", name, err, len(sent))
		case c.want != "" && (err == nil || len(sent) > 0 || err.(interface{ Errors() []error }).Errors()[0].Error() != c.want):
			t.Errorf("%s: %v, %d sent", name, err, len(sent))
		}
	}
}

// TestRivals: an adoption that others may make first is a choice among all of them.
func TestRivals(t *testing.T) {
	front := map[string]string{"app": "web"}
	all, _, _ := claimed(nil, nil, []*appsv1.ReplicaSet{setOf("blue", front), setOf("green", front), setOf("blog", map[string]string{"app": "blog"})}, podOf("a", "web", nil), podOf("b", "web", nil))
	for _, c := range all {
		if c.Rivals == nil || c.Rivals.Choice != (decision.Choice{K: 1, N: 3}) || c.Ruling.Rule != ownership.AdoptContested || !c.Kept() {
			t.Errorf("claimed %+v", c)
		}
	}
	if all[0].Rivals != all[1].Rivals {
		t.Error("two Pods of the same rivals don't share the rivalry")
	}
}
