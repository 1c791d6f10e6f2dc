package ownership

import (
	"fmt"
	"slices"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
)

// drawController is one of any traits. Selectors are few, so that many match.
func drawController(t *rapid.T, i int) *Controller {
	text := rapid.SampledFrom([]string{"app", "app", "app=web", "app!=web", "!tier", "app in (web,db)"}).Draw(t, "selector")
	sel, err := labels.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	name := fmt.Sprintf("s-%d", i)
	c := &Controller{Obj: &metav1.ObjectMeta{Namespace: "shop", Name: name, UID: types.UID(name)}}
	c.Selector, c.Ref = sel, decision.Ref{Kind: "Set", Namespace: "shop", Name: name, UID: name}
	c.Deleting = rapid.IntRange(0, 9).Draw(t, "deleting") == 0
	switch rapid.SampledFrom([]string{"", "", "active", "named", "never", "idle"}).Draw(t, "traits") {
	case "active":
		c.ActiveOnly = true
	case "named":
		c.Member = func(pod metav1.Object) bool { return isOrdinalOf(pod.GetName(), name) }
	case "never":
		c.NeverAdopts = true
	case "idle":
		c.Idle = &decision.Ruling{Rule: FinishedJob}
	}
	return c
}

func drawOrphan(t *rapid.T) *metav1.ObjectMeta {
	obj := &metav1.ObjectMeta{
		Namespace: "shop", Name: fmt.Sprintf("s-%d-%d", rapid.IntRange(0, 30).Draw(t, "set"), rapid.IntRange(0, 2).Draw(t, "ordinal")), UID: "p",
		Labels: map[string]string{"app": rapid.SampledFrom([]string{"web", "db", "x"}).Draw(t, "app")},
	}
	if rapid.Bool().Draw(t, "tier") {
		obj.Labels["tier"] = "front"
	}
	for range rapid.IntRange(0, 2).Draw(t, "references") {
		uid := fmt.Sprintf("s-%d", rapid.IntRange(0, 30).Draw(t, "owner"))
		obj.OwnerReferences = append(obj.OwnerReferences, metav1.OwnerReference{Kind: "Set", Name: uid, UID: types.UID(uid)})
	}
	if rapid.IntRange(0, 5).Draw(t, "deleting") == 0 {
		obj.DeletionTimestamp = &metav1.Time{}
	}
	return obj
}

// TestRivalsAreWhatClaimsComeTo: the counts, and those that are listed, are what
// asking every controller would find.
func TestRivalsAreWhatClaimsComeTo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var all []*Controller
		for i := range rapid.IntRange(0, 40).Draw(t, "controllers") {
			all = append(all, drawController(t, i))
		}
		claimants := newClaimants(all)
		for range rapid.IntRange(1, 4).Draw(t, "objects") { // answers are kept from one to the next
			obj := drawOrphan(t)
			except := types.UID(fmt.Sprintf("s-%d", rapid.IntRange(0, 60).Draw(t, "except")))
			ended := rapid.Bool().Draw(t, "ended")
			checkRivals(t, all, claimants, obj, except, func(metav1.Object) bool { return ended })
		}
	})
}

func checkRivals(t *rapid.T, all []*Controller, claimants *Claimants, obj metav1.Object, except types.UID, ended func(metav1.Object) bool) {
	var matching, adopting, refusing []*Controller
	matches := 0
	for _, c := range all {
		if !c.matches(obj) {
			continue
		}
		matches++
		switch {
		case c.Obj.GetUID() == except:
			continue
		case c.Claim(obj, ended).Decision == decision.ToAdopt:
			adopting = append(adopting, c)
		default:
			refusing = append(refusing, c)
		}
		matching = append(matching, c)
	}
	got := claimants.Rivals(obj, except, ended)
	if got.Adopting != len(adopting) || got.Refusing != len(refusing) {
		t.Fatalf("%d adopt and %d refuse, want %d and %d", got.Adopting, got.Refusing, len(adopting), len(refusing))
	}
	want := matching
	switch {
	case matches <= format.Most:
	case len(adopting) > 0:
		want = adopting
	default:
		want = refusing
	}
	if len(got.First) != min(len(want), format.Most) {
		t.Fatalf("%d are listed, want the first %d of %d", len(got.First), format.Most, len(want))
	}
	for i, c := range got.First {
		if !slices.Contains(want, c) || slices.Contains(got.First[:i], c) || matches <= format.Most && c != want[i] {
			t.Fatalf("%s is listed, at %d", c.Ref, i)
		}
	}
}
