package statefulset_test

import (
	"testing"

	appsv1 "k8s.io/api/apps/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/statefulset"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/clusterdsl"
)

// emulating is a release with feature gates.
func emulating(t testing.TB, version, gates string) profile.Profile {
	t.Helper()
	releases := statefulset.Controller().Releases
	set, err := releases.ParseGates(gates)
	if err != nil {
		t.Fatal(err)
	}
	p, err := profile.New(profile.Options{Emulate: version, Gates: set, Releases: releases})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// targetOf is a StatefulSet of the tests.
func targetOf(name string) view.Target {
	return view.Target{Kind: view.StatefulSets, Namespace: clusterdsl.Namespace, Name: name}
}

// sync is what a sync of web comes to.
func sync(t *testing.T, text, version string, given statefulset.Given) *statefulset.Result {
	t.Helper()
	return syncOf(t, "web", text, version, given)
}

func syncOf(t *testing.T, name, text, version string, given statefulset.Given) *statefulset.Result {
	t.Helper()
	v, err := clusterdsl.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	r, err := statefulset.Sync(v.Reader(), emulating(t, version, ""), targetOf(name), given)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

const fresh = "sts web selector=app=web replicas=1 image=web:1\n"

// madeRevisions are the names of the revisions that a sync stores, and the answers.
func madeRevisions(r *statefulset.Result) (names []string, refused int) {
	for _, w := range r.Writes {
		if w.Verb != cluster.Create || w.Kind.GroupKind() != view.ControllerRevisions.GroupKind() {
			continue
		}
		if names = append(names, w.Name); w.Err != nil {
			refused++
		}
	}
	return names, refused
}

// TestNamesTaken: the name of a revision is a hash of its data and of the collisions so
// far. One of the same data is used, one of other data leads to the next hash.
func TestNamesTaken(t *testing.T) {
	exact := statefulset.Given{Exact: true}
	first, _ := madeRevisions(sync(t, fresh, "1.37", exact))
	if len(first) != 1 {
		t.Fatalf("stored %q, want one", first)
	}
	other := sync(t, fresh+"srev "+first[0]+" of=ds/other image=web:9\n", "1.37", exact)
	names, refused := madeRevisions(other)
	if len(names) != 2 || refused != 1 || names[1] == first[0] {
		t.Errorf("stored %q, %d refused, want another name after %s", names, refused, first[0])
	}
	if set, ok := status(other); !ok || set.Status.CollisionCount == nil || *set.Status.CollisionCount != 1 {
		t.Error("the collision is not counted in status")
	}
	same := sync(t, fresh+"srev "+first[0]+" of=ds/other number=7 image=web:1\n", "1.37", exact)
	if names, refused = madeRevisions(same); len(names) != 1 || refused != 1 {
		t.Errorf("stored %q, %d refused, want the one that is there", names, refused)
	}
	if got := same.Decision.Revisions[0]; got.Name != first[0] || got.Rule != statefulset.RevisionNameTaken {
		t.Errorf("updates to %s by %s", got.Name, got.Rule)
	}
}

func status(r *statefulset.Result) (*appsv1.StatefulSet, bool) {
	for _, w := range r.Writes {
		if w.Status {
			set, ok := w.Object.(*appsv1.StatefulSet)
			return set, ok
		}
	}
	return nil, false
}

// TestNamesByRelease: releases before 1.34 hash other bytes.
func TestNamesByRelease(t *testing.T) {
	exact := statefulset.Given{Exact: true}
	before, _ := madeRevisions(sync(t, fresh, "1.33", exact))
	since, _ := madeRevisions(sync(t, fresh, "1.34", exact))
	if before[0] == since[0] {
		t.Errorf("both are %s", since[0])
	}
}

// TestNamesShown: a name is predicted only where the newest revision shows that hashes
// are those of the manager.
func TestNamesShown(t *testing.T) {
	first, _ := madeRevisions(sync(t, fresh, "1.37", statefulset.Given{Exact: true}))
	for newest, known := range map[string]bool{first[0]: true, "web-a": false} {
		names, _ := madeRevisions(sync(t, "sts web selector=app=web replicas=1 image=web:2\nsrev "+newest+" of=sts/web image=web:1\n", "1.37", statefulset.Given{}))
		if len(names) != 1 || (names[0] != "web-<hash>") != known {
			t.Errorf("newest is %s: stored %q, known %v", newest, names, known)
		}
	}
}

// TestRolledBack: the revision that is rolled back to gets the highest number.
func TestRolledBack(t *testing.T) {
	r := sync(t, "sts web selector=app=web replicas=1 image=web:1 current=web-b update=web-b\nsrev web-a of=sts/web number=1 image=web:1\nsrev web-b of=sts/web number=4 image=web:2\n", "1.37", statefulset.Given{})
	var stored []int64
	for _, w := range r.Writes {
		if cr, ok := w.Object.(*appsv1.ControllerRevision); ok && w.Verb == cluster.Update && cr.Name == "web-a" {
			stored = append(stored, cr.Revision)
		}
	}
	if len(stored) != 1 || stored[0] != 5 {
		t.Errorf("stored revisions %v of web-a, want 5", stored)
	}
}
