package plugins_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/simulate"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/whatif"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/clusterdsl"
)

// drawRollout is a CloneSet in the middle of a rollout, some Pods of which have not been
// ready for long.
func drawRollout(t *rapid.T) (text string, pods int) {
	number := func(name string, low, high int) int { return rapid.IntRange(low, high).Draw(t, name) }
	pods = number("pods", 2, 6)
	var b strings.Builder
	fmt.Fprintf(&b, "manager v1.9.1\ncs web selector=app=web image=web:2 tlabel=app:web current=web-a replicas=%d type=%s partition=%d maxUnavailable=%d maxSurge=%d minReady=%d\n",
		pods, rapid.SampledFrom([]string{"ReCreate", "InPlaceIfPossible"}).Draw(t, "type"), number("partition", 0, pods), number("maxUnavailable", 1, 3), number("maxSurge", 0, 1), 60*number("minReady", 0, 1))
	b.WriteString("rev web-a of=cs/web number=1 app=web image=web:1 tlabel=app:web\nrev web-b of=cs/web number=2 app=web image=web:2 tlabel=app:web\n")
	for i := range pods {
		old := rapid.Bool().Draw(t, "old")
		rev, image := "web-b", "web:2"
		if old {
			rev, image = "web-a", "web:1"
		}
		fmt.Fprintf(&b, "kpod web-%d of=cs/web app=web rev=%s state=Normal age=%dh ready=%s node=n%d id=%d image=%s running=old gate inplace=True\n",
			i, rev, i+1, rapid.SampledFrom([]string{"10s", "30s", "1h", "2h"}).Draw(t, "ready"), i%2, i, image)
	}
	return b.String(), pods
}

// podReport is the report on a Pod of a state.
func podReport(t rapid.TB, v *view.View, p profile.Profile, name string) *decision.PodReport {
	rep, _, err := plugins.All().Pod(v, p, target(view.Pods, name))
	if err != nil {
		t.Fatal(err)
	}
	return rep
}

// fateAt is what becomes of a Pod in all rounds when the CloneSet is scaled.
func fateAt(t rapid.TB, v *view.View, p profile.Profile, pod decision.Ref, n int) decision.Fate {
	c, _, _ := plugins.All().ForKind(view.CloneSets.Resource)
	web := target(view.CloneSets, "web")
	replicas := int32(n)
	obj, _ := v.Held(web.Kind, web.Namespace, web.Name)
	obj, changes, err := c.WhatIf.Change(obj, whatif.Fields{Replicas: &replicas})
	if err != nil {
		t.Fatal(err)
	}
	d, _, err := c.Simulate(v.With(web.Kind, obj).AsWhatIf(), p, web, changes, simulate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return d.FateOf(pod).Fate
}

// TestPodSizes: what is said of a Pod at each number of replicas is what the rounds of
// that scale-down come to, whether or not fewer replicas spare it.
func TestPodSizes(t *testing.T) {
	p, err := profile.New(profile.Options{Emulate: "1.36", Releases: plugins.All().Releases()})
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		text, pods := drawRollout(t)
		v, err := clusterdsl.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		rep := podReport(t, v, p, fmt.Sprint("web-", rapid.IntRange(0, pods-1).Draw(t, "pod")))
		d := rep.Deletion
		if d == nil || d.Now != decision.Safe {
			return
		}
		var possible, certain *int
		next := pods - 1
		for _, r := range d.Sizes {
			if r.From != next || r.To > r.From {
				t.Fatalf("%d is left out of %+v", next, d.Sizes)
			}
			for n := r.From; n >= r.To; n-- {
				if got := fateAt(t, v, p, rep.Target, n); got != r.Fate {
					t.Errorf("at %d it is %s, not %s: %+v", n, got, r.Fate, d.Sizes)
				}
				if possible == nil && r.Fate != decision.Safe {
					possible = &n
				}
				if certain == nil && r.Fate == decision.Doomed {
					certain = &n
				}
			}
			next = r.To - 1
		}
		if next != -1 || d.Incomplete || !same(possible, d.PossibleAt) || !same(certain, d.CertainAt) {
			t.Errorf("%+v", d)
		}
	})
}

// sparing is a rollout in which 2 replicas may delete web-1, and 1 keeps it.
const sparing = `manager v1.9.1
cs web selector=app=web image=web:2 tlabel=app:web current=web-a replicas=4 type=ReCreate partition=0 maxUnavailable=2 maxSurge=0 minReady=60
rev web-a of=cs/web number=1 app=web image=web:1 tlabel=app:web
rev web-b of=cs/web number=2 app=web image=web:2 tlabel=app:web
kpod web-0 of=cs/web app=web rev=web-b state=Normal age=1h ready=10s node=n0 id=0 image=web:2 running=old gate inplace=True
kpod web-1 of=cs/web app=web rev=web-b state=Normal age=2h ready=10s node=n1 id=1 image=web:2 running=old gate inplace=True
kpod web-2 of=cs/web app=web rev=web-a state=Normal age=3h ready=10s node=n0 id=2 image=web:1 running=old gate inplace=True
kpod web-3 of=cs/web app=web rev=web-a state=Normal age=4h ready=1h node=n1 id=3 image=web:1 running=old gate inplace=True
`

// suspended is a scale-in that waits for the hook of two Pods, and then chooses others.
const suspended = `manager v1.9.1
cs web selector=app=web replicas=3 image=web:1 type=InPlaceIfPossible preDelete=example.com/hook current=web-a update=web-a
rev web-a of=cs/web number=1 app=web image=web:1
kpod web-0 of=cs/web app=web rev=web-a id=0 state=PreparingDelete node=n0 ready=10m age=1h finalizer=example.com/hook
kpod web-1 of=cs/web app=web rev=web-a id=1 state=Normal node=n1 ready=11m age=1h finalizer=example.com/hook
kpod web-2 of=cs/web app=web rev=web-a id=2 state=PreparingDelete node=n2 ready=12m age=1h finalizer=example.com/hook
kpod web-3 of=cs/web app=web rev=web-a id=3 state=Normal node=n1 ready=11m age=1h finalizer=example.com/hook
kpod web-4 of=cs/web app=web rev=web-a id=4 state=Normal node=n1 ready=11m age=1h finalizer=example.com/hook
`

// TestPodSpared: fewer replicas may spare a Pod that more of them delete, and one that
// waits for others to be gone is not safe.
func TestPodSpared(t *testing.T) {
	p, err := profile.New(profile.Options{Emulate: "1.36", Releases: plugins.All().Releases()})
	if err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		cluster string
		want    []decision.PodFates
		steady  bool
	}{
		"sparing": {sparing, []decision.PodFates{
			{From: 3, To: 3, Fate: decision.Safe}, {From: 2, To: 2, Fate: decision.AtRisk}, {From: 1, To: 1, Fate: decision.Safe}, {From: 0, To: 0, Fate: decision.Doomed},
		}, false},
		"suspended": {suspended, []decision.PodFates{{From: 2, To: 1, Fate: decision.AtRisk}, {From: 0, To: 0, Fate: decision.Doomed}}, true},
	} {
		v, err := clusterdsl.Parse(tt.cluster)
		if err != nil {
			t.Fatal(err)
		}
		if d := podReport(t, v, p, "web-1").Deletion; !slices.Equal(d.Sizes, tt.want) || d.Steady() != tt.steady {
			t.Errorf("%s: %+v", name, d.Sizes)
		}
	}
}

// TestPodBeingDeleted: no number of replicas is told at which a Pod goes that goes already.
func TestPodBeingDeleted(t *testing.T) {
	p, err := profile.New(profile.Options{Emulate: "1.36", Releases: plugins.All().Releases()})
	if err != nil {
		t.Fatal(err)
	}
	v, err := clusterdsl.Parse("sts web selector=app=web replicas=2 image=web:1 current=web-a update=web-a\nsrev web-a of=sts/web image=web:1\nord web-0 of=sts/web rev=web-a image=web:1 node=n1 ready=1h\nord web-1 of=sts/web rev=web-a image=web:1 node=n1 ready=1h deleted=5s\n")
	if err != nil {
		t.Fatal(err)
	}
	for name, told := range map[string]bool{"web-0": true, "web-1": false} {
		if rep := podReport(t, v, p, name); (rep.Deletion != nil) != told || rep.Claim == nil {
			t.Errorf("%s: deletion %v, claim %v", name, rep.Deletion, rep.Claim)
		}
	}
}

func same(a, b *int) bool {
	return a == nil && b == nil || a != nil && b != nil && *a == *b
}

// TestPodOfMany: of a set whose Pods are deleted in several syncs, a Pod that the first
// of them spares is not said to be kept.
func TestPodOfMany(t *testing.T) {
	p, err := profile.New(profile.Options{Emulate: "1.36", Releases: plugins.All().Releases()})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	b.WriteString("rs web selector=app=web replicas=620\n")
	for i := range 620 {
		fmt.Fprintf(&b, "pod web-%d of=rs/web app=web node=n1 age=1h ready=30m cost=%d\n", i, i)
	}
	v, err := clusterdsl.Parse(b.String())
	if err != nil {
		t.Fatal(err)
	}
	for name, at := range map[string]int{"web-619": 0, "web-550": 69, "web-0": 619} {
		d := podReport(t, v, p, name).Deletion
		if d.Now != decision.Safe || !same(d.PossibleAt, &at) || !same(d.CertainAt, &at) || !d.Incomplete {
			t.Errorf("%s, deleted at %d: %+v", name, at, d)
		}
	}
}

// TestPodWithoutLeader: a Pod that is deleted next waits for a leader where none is active, and not
// where a manager is seen to act without a Lease.
func TestPodWithoutLeader(t *testing.T) {
	p, err := profile.New(profile.Options{Emulate: "1.36", Releases: plugins.All().Releases()})
	if err != nil {
		t.Fatal(err)
	}
	for words, want := range map[string]string{
		"":          "replicaset/web deletes it, once a leader is active",
		" wrote=1m": "replicaset/web deletes it",
	} {
		v, err := clusterdsl.Parse("lease gone renewed=1h\nrs web selector=app=web replicas=0" + words + "\npod web-0 app=web of=rs/web ready=2h age=2h node=n1")
		if err != nil {
			t.Fatal(err)
		}
		if got := podReport(t, v, p, "web-0").Cause; got != want {
			t.Errorf("%q: %q, want %q", words, got, want)
		}
	}
}

// TestPodThatFailsAndGoes: a Pod that crashes is blocked where it stays, or while no leader is
// active, and not where its controller deletes it.
func TestPodThatFailsAndGoes(t *testing.T) {
	p, err := profile.New(profile.Options{Emulate: "1.36", Releases: plugins.All().Releases()})
	if err != nil {
		t.Fatal(err)
	}
	for words, want := range map[string]decision.State{
		"rs web selector=app=web replicas=1":                        decision.StateBlocked,
		"rs web selector=app=web replicas=0":                        decision.StateReconciling,
		"lease gone renewed=1h\nrs web selector=app=web replicas=0": decision.StateBlocked,
	} {
		v, err := clusterdsl.Parse(words + "\npod web-0 app=web of=rs/web notready age=2h node=n1 why=crash@41m×9")
		if err != nil {
			t.Fatal(err)
		}
		if got := podReport(t, v, p, "web-0"); got.State != want || len(got.BlockedBy) > 0 != (want == decision.StateBlocked) {
			t.Errorf("%q: %s, %q, blocked by %v", words, got.State, got.Cause, got.BlockedBy)
		}
	}
}

// TestPodOfASetToAdopt: a Pod of a ReplicaSet without a controller is told of the Deployment that
// adopts it and scales it to 0; which of two does is not known.
func TestPodOfASetToAdopt(t *testing.T) {
	p, err := profile.New(profile.Options{Emulate: "1.36", Releases: plugins.All().Releases()})
	if err != nil {
		t.Fatal(err)
	}
	const state = `deploy web replicas=1 image=web:2 revision=2
set web-b of=deployment/web app=web image=web:2 revision=2 replicas=1
set web-a app=web image=web:1 revision=1 replicas=1
pod web-a-0 app=web pod-template-hash=a of=rs/web-a ready=2h age=2h node=n1
pod web-b-0 app=web of=rs/web-b ready=2h age=2h node=n2
`
	for also, want := range map[string]string{
		"": "Reconciling: deployment/web adopts replicaset/web-a, scaled to 0",
		"deploy other selector=app=web replicas=1 image=web:3": "Stable: deployment/other or deployment/web adopts replicaset/web-a",
	} {
		v, err := clusterdsl.Parse(state + also)
		if err != nil {
			t.Fatal(err)
		}
		got := podReport(t, v, p, "web-a-0")
		if said := string(got.State) + ": " + got.Cause; said != want {
			t.Errorf("%q: %q, want %q", also, said, want)
		}
	}
}

// TestPodNamedForDeletion: a ready Pod that is named for deletion, and that maxUnavailable keeps,
// is not stable, and is deleted without any change; also where its hook then holds it.
func TestPodNamedForDeletion(t *testing.T) {
	p, err := profile.New(profile.Options{Emulate: "1.36", Releases: plugins.All().Releases()})
	if err != nil {
		t.Fatal(err)
	}
	for hook, also := range map[string]string{"": "", "preDelete=hold:yes": "; then the preDelete hook holds it until label hold=yes is removed"} {
		v, err := clusterdsl.Parse(`cs web selector=app=web replicas=2 image=web:1 type=InPlaceIfPossible maxUnavailable=1 current=web-a update=web-a podsToDelete=web-0 ` + hook + `
rev web-a of=cs/web number=1 app=web image=web:1
kpod web-0 of=cs/web app=web rev=web-a id=0 state=Normal node=n0 ready=10m hold=yes
kpod web-1 of=cs/web app=web rev=web-a id=1 state=Normal node=n1 notready`)
		if err != nil {
			t.Fatal(err)
		}
		rep := podReport(t, v, p, "web-0")
		want := "named by podsToDelete or label specified-delete, and deleted as soon as maxUnavailable allows; deleteReadyLimit is 0" + also
		if d := rep.Deletion; rep.State != decision.StateProgressing || d.Now != decision.Doomed || d.Message != want {
			t.Errorf("%q: %s, %s: %s", hook, rep.State, d.Now, d.Message)
		}
	}
}
