package ownership

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

var web = decision.Ref{APIVersion: "apps/v1", Kind: "ReplicaSet", Namespace: "shop", Name: "web", UID: "u1"}

func claimer(t *testing.T, selector string) *Claimer {
	t.Helper()
	sel, err := labels.Parse(selector)
	if err != nil {
		t.Fatal(err)
	}
	return &Claimer{Ref: web, Selector: sel}
}

func object(app string, refs ...metav1.OwnerReference) *metav1.ObjectMeta {
	return &metav1.ObjectMeta{Namespace: "shop", Name: "a", UID: "p1", Labels: map[string]string{"app": app}, OwnerReferences: refs}
}

func controlledBy(kind, name string, uid types.UID) metav1.OwnerReference {
	yes := true
	return metav1.OwnerReference{Kind: kind, Name: name, UID: uid, Controller: &yes}
}

// TestClaimTable goes through every row of ClaimObject.
func TestClaimTable(t *testing.T) {
	ours, plain := controlledBy("ReplicaSet", "web", "u1"), metav1.OwnerReference{Kind: "ReplicaSet", Name: "web", UID: "u1"}
	renamed := controlledBy("ReplicaSet", "other", "u1")
	for _, c := range []struct {
		name              string
		obj               *metav1.ObjectMeta
		deleting, byIndex bool
		hold              decision.ClaimDecision
		rule              string
	}{
		{"owned, matching", object("web", ours), false, true, decision.Owned, OwnedMatching},
		{"owned, matching, set deleting", object("web", ours), true, true, decision.Owned, OwnedMatching},
		{"owned, not matching", object("db", ours), false, true, decision.ToRelease, ReleaseMismatch},
		{"owned, not matching, set deleting", object("db", ours), true, true, decision.Ignored, DeletingKeeps},
		{"other UID under the same name", object("web", controlledBy("ReplicaSet", "web", "u2")), false, true, decision.Ignored, OtherController},
		{"our UID under another name, by index", object("web", renamed), false, true, decision.Ignored, ForeignReference},
		{"our UID under another name, by UID", object("web", renamed), false, false, decision.Owned, OwnedMatching},
		{"orphan, matching", object("web"), false, true, decision.ToAdopt, AdoptOrphan},
		{"a reference that is no controller counts for nothing", object("web", plain), false, true, decision.ToAdopt, AdoptOrphan},
		{"orphan, matching, set deleting", object("web"), true, true, decision.Ignored, DeletingAdoptsNothing},
		{"orphan, not matching", object("db"), false, true, decision.Ignored, ""},
	} {
		cl := claimer(t, "app=web")
		cl.Deleting, cl.ByIndex = c.deleting, c.byIndex
		if v := cl.Claim(c.obj); v.Decision != c.hold || v.Ruling.Rule != c.rule {
			t.Errorf("%s: got %s %s, want %s %s", c.name, v.Decision, v.Ruling.Rule, c.hold, c.rule)
		}
	}
}

func TestMismatchNamesTheTerm(t *testing.T) {
	ours := controlledBy("ReplicaSet", "web", "u1")
	for _, c := range []struct{ selector, term, label string }{
		{"app=web", "app=web", "label app=db"},
		{"tier", "tier", "no label tier"},
		{"app in (a,b)", "app in (a,b)", "label app=db"},
		{"!app", "!app", "label app=db"},
	} {
		facts := claimer(t, c.selector).Claim(object("db", ours)).Ruling.Facts
		if facts.Str("term") != c.term || facts.Str("label") != c.label {
			t.Errorf("%s: got %q, %q", c.selector, facts.Str("term"), facts.Str("label"))
		}
	}
}

func TestPatchesAreWhatUpstreamSends(t *testing.T) {
	const adopt = `{"metadata":{"ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"web","uid":"u1","controller":true,"blockOwnerDeletion":true}],"uid":"p1"}}`
	if got := newAdoption(web, nil).patch("p1"); got != adopt {
		t.Errorf("adopt: %s", got)
	}
	const release = `{"metadata":{"uid":"p1","ownerReferences":[{"$patch":"delete","uid":"u1"}]}}`
	if got := releasePatch("p1", "u1"); got != release {
		t.Errorf("release: %s", got)
	}
}

func TestOrdinals(t *testing.T) {
	for pod, want := range map[string]bool{"web-0": true, "web-12": true, "web-": false, "web-x": false, "web": false, "other-0": false, "web-1-2": false} {
		if got := isOrdinalOf(pod, "web"); got != want {
			t.Errorf("%s: got %v", pod, got)
		}
	}
}

// TestOtherControllerTold: kinds of one name are told apart by the group of the reference.
func TestOtherControllerTold(t *testing.T) {
	for version, want := range map[string]string{
		"apps/v1":                "controlled by statefulset/db (uid u9)",
		"apps.kruise.io/v1beta1": "controlled by statefulset/db (apps.kruise.io/v1beta1, uid u9)",
	} {
		ref := controlledBy("StatefulSet", "db", "u9")
		ref.APIVersion = version
		v := claimer(t, "app=web").Claim(object("web", ref))
		if got := Rules.Say(v.Ruling.Rule, v.Ruling.Facts); got != want {
			t.Errorf("%s: %s", version, got)
		}
	}
}
