package statefulset_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/controller"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/simulate"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/statefulset"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/clusterdsl"
)

// stepOf is what becomes of a sync of web.
func stepOf(t *testing.T, text string) *simulate.Sync {
	t.Helper()
	v, err := clusterdsl.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	step, err := statefulset.Controller().Step(v.Reader(), emulating(t, "1.37", ""), targetOf("web"))
	if err != nil {
		t.Fatal(err)
	}
	return step
}

const twoRevisions = "srev web-a of=sts/web image=web:1\nsrev web-b of=sts/web number=2 image=web:2\n"

// TestStanding: its own Pods count that have not ended and are not being deleted; those
// beyond the ordinals stand for none that is desired.
func TestStanding(t *testing.T) {
	step := stepOf(t, "sts web selector=app=web replicas=3 minReady=60 image=web:2 current=web-a update=web-b\n"+twoRevisions+
		`ord web-0 of=sts/web rev=web-b age=65m ready=60m
ord web-1 of=sts/web rev=web-a age=1h ready=10s restarts=2
ord web-2 of=sts/web rev=web-a notready=1m
ord web-3 of=sts/web rev=web-b ready=1h
ord web-4 of=sts/web rev=web-b ready=1h deleted=1s
ord web-5 of=sts/web rev=web-b phase=Failed
ord web-6 rev=web-b age=61m ready=60m
ord web-7 of=sts/web rev=web-b ready=1h phase=Unknown
`)
	want := []simulate.Pod{
		{Name: "web-0", Revision: "web-b", Updated: true, Ready: true, Available: true},
		{Name: "web-1", Revision: "web-a", Ready: true},
		{Name: "web-2", Revision: "web-a"},
		{Name: "web-3", Revision: "web-b", Updated: true, Ready: true, Available: true, Surplus: true},
		{Name: "web-7", Revision: "web-b", Updated: true, Surplus: true},
	}
	if diff := cmp.Diff(want, step.Pods); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if step.Terminating != 1 || step.Wanted != 3 {
		t.Errorf("%d are terminating, %d wanted", step.Terminating, step.Wanted)
	}
	if diff := cmp.Diff([]simulate.StartUp{{Took: 5 * time.Minute}}, step.StartUps()); diff != "" {
		t.Errorf("start-ups (-want +got):\n%s", diff)
	}
}

// TestLeft: what is in the way of a sync comes before what its spec keeps.
func TestLeft(t *testing.T) {
	const set = "sts web selector=app=web replicas=1 image=web:2 current=web-a update=web-b "
	for _, c := range []struct {
		name, text, rule string
		bySpec           bool
	}{
		{"nothing", set + "\n" + twoRevisions + "ord web-0 of=sts/web rev=web-b ready=1h\n", "", false},
		{"it is being deleted", set + "deleted=1s\n" + twoRevisions, statefulset.SetDeleting, false},
		{"another Pod has the name", set + "\n" + twoRevisions + "ord web-0 of=rs/other ready=1h\n", simulate.WritesRefused, false},
		{"a Pod is not ready", set + "\n" + twoRevisions + "ord web-0 of=sts/web rev=web-b notready=1m\n", statefulset.WaitReady, false},
		{"a partition", set + "partition=1\n" + twoRevisions + "ord web-0 of=sts/web rev=web-a ready=1h\n", statefulset.PartitionKeeps, true},
		{"OnDelete", set + "strategy=OnDelete\n" + twoRevisions + "ord web-0 of=sts/web rev=web-a ready=1h\n", statefulset.OnDeleteKeeps, true},
		{"OnDelete, and a Pod is not ready", set + "strategy=OnDelete\n" + twoRevisions + "ord web-0 of=sts/web rev=web-a notready=1m\n", statefulset.WaitReady, false},
		{"the last Pod beyond the ordinals is being deleted", set + "\n" + twoRevisions + "ord web-0 of=sts/web rev=web-b ready=1h\nord web-1 of=sts/web rev=web-b ready=1h deleted=1s\n", "", false},
		{"one below it is still to be deleted", set + "\n" + twoRevisions + "ord web-0 of=sts/web rev=web-b ready=1h\nord web-1 of=sts/web rev=web-b ready=1h\nord web-2 of=sts/web rev=web-b ready=1h deleted=1s\n", statefulset.WaitGoneBefore, false},
		{"one of the ordinals is still to be updated", set + "\n" + twoRevisions + "ord web-0 of=sts/web rev=web-a ready=1h\nord web-1 of=sts/web rev=web-b ready=1h deleted=1s\n", statefulset.WaitGoneBefore, false},
	} {
		why, bySpec := stepOf(t, c.text).Left()
		got := ""
		if len(why) > 0 {
			got = why[0].Rule
		}
		if got != c.rule || bySpec != c.bySpec || len(why) > 1 {
			t.Errorf("%s: left by %q, by the spec %t; want %q, %t", c.name, got, bySpec, c.rule, c.bySpec)
		}
	}
}

// TestRefusedBefore: what refused the last creation may refuse the next one, and only it.
func TestRefusedBefore(t *testing.T) {
	const set, event = "sts web selector=app=web replicas=1 image=web:1 current=web-a update=web-a\nsrev web-a of=sts/web image=web:1\n", "event e in=web kind=StatefulSet reason=FailedCreate last=30s message=denied\n"
	step := stepOf(t, set+event)
	if step.Refused == "" || step.Again == nil {
		t.Fatalf("refused %q, again %v", step.Refused, step.Again)
	}
	if got := step.Again; got.Refused != step.Refused || got.Decision.Summary.Create != 0 {
		t.Errorf("again %q, %d created", got.Refused, got.Decision.Summary.Create)
	}
	if why, bySpec := step.Again.Left(); len(why) != 1 || why[0].Rule != simulate.WritesRefused || bySpec {
		t.Errorf("again, left by %v", why)
	}
	claims := stepOf(t, "sts web selector=app=web replicas=2 policy=Parallel claims=data image=web:1 current=web-a update=web-a\nsrev web-a of=sts/web image=web:1\nord web-0 rev=web-a claims=data ready=1h\n"+event)
	if claims.Again == nil {
		t.Fatal("a set with claims is refused no more")
	}
	if got, want := clusterdsl.Requests(nil, accepted(claims.Again.Writes)), "- patch Pod web-0; - create PersistentVolumeClaim data-web-1; - update StatefulSet/status web"; got != want {
		t.Errorf("accepts %s, want %s", got, want)
	}
	if step := stepOf(t, set+event+"ord web-0 of=sts/web rev=web-a ready=1h\n"); step.Refused != "" || step.Again != nil {
		t.Errorf("nothing is created: refused %q", step.Refused)
	}
}

// accepted are the writes that are not refused.
func accepted(all []cluster.Write) []cluster.Write {
	return slices.DeleteFunc(slices.Clone(all), func(w cluster.Write) bool { return w.Err != nil })
}

// TestStandingWithoutRevision: where no revision can be stored, no Pod is updated.
func TestStandingWithoutRevision(t *testing.T) {
	step := stepOf(t, "namespace shop terminating\nsts web selector=app=web replicas=1 image=web:1\nord web-0 of=sts/web rev=web-a ready=1h\n")
	if diff := cmp.Diff([]simulate.Pod{{Name: "web-0", Revision: "web-a", Ready: true, Available: true}}, step.Pods); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestMinor: what changes neither which Pods there are nor their revision is no progress.
func TestMinor(t *testing.T) {
	step := stepOf(t, "sts web selector=app=web replicas=1 image=web:1\n")
	for _, c := range []struct {
		kind  view.Kind
		verb  decision.Verb
		minor bool
	}{
		{view.Pods, decision.Create, false},
		{view.Pods, decision.Delete, false},
		{view.Pods, decision.Modify, true},
		{view.PersistentVolumeClaims, decision.Create, true},
		{view.PersistentVolumeClaims, decision.Delete, true},
	} {
		if got := step.Minor(decision.Action{Verb: c.verb, Object: decision.Ref{Kind: c.kind.Kind}}); got != c.minor {
			t.Errorf("%s of a %s: minor %t, want %t", c.verb, c.kind.Kind, got, c.minor)
		}
	}
}

// TestStartsWithItsClaim: a Pod whose claim was missing starts once it is created, however
// old the Pod is.
func TestStartsWithItsClaim(t *testing.T) {
	const set = "sts web selector=app=web replicas=1 claims=data image=web:1 current=web-a update=web-a\nsrev web-a of=sts/web image=web:1\nord web-0 of=sts/web rev=web-a claims=data phase=Pending notready=2h age=2h node=n1\n"
	for text, want := range map[string]bool{set: true, set + "pvc data-web-0\n": false} {
		v, err := clusterdsl.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		c := controller.NewRegistry(statefulset.Controller())[0]
		d, _, err := c.Simulate(v, emulating(t, "1.37", ""), targetOf("web"), nil, simulate.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := d.Timeline.End.Outcome == decision.Stable; got != want {
			t.Errorf("stable in the end: %t, want %t: %s", got, want, d.Headline)
		}
	}
}
