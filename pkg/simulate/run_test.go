package simulate_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/simulate"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/clusterdsl"
)

// toy is a controller of one pod more in each sync, of which nothing is ready,
// until there are wanted.
type toy struct {
	wanted, alone, weight int
	// deletes one of the new pods when all are there.
	deletes bool
	// held by its spec, after all.
	held bool
	// burst is how many pods one sync creates, 0 for one.
	burst int
	// strays: the pods it makes are not its own.
	strays bool
}

func (c toy) sync(r *view.Reader, _ view.Target) (*simulate.Sync, error) {
	pods := r.All(view.Pods)
	if c.strays {
		pods = nil
	}
	d := &decision.Decision{Target: decision.Ref{Kind: "Toy", Namespace: clusterdsl.Namespace, Name: "toy"}}
	if n := c.wanted - c.alone; len(pods) < n {
		d.Actions = []decision.Action{{Verb: decision.Create, Count: max(1, c.burst), Certainty: decision.Certain, Object: decision.Ref{Kind: "Pod", Namespace: clusterdsl.Namespace}}}
	} else if c.deletes && len(pods) == n {
		d.Actions = []decision.Action{{Verb: decision.Delete, Count: 1, Certainty: decision.Certain, Object: decision.Ref{Kind: "Pod", Namespace: clusterdsl.Namespace, Name: pods[0].GetName()}}}
	}
	s := &simulate.Sync{
		Decision: d, Wanted: c.wanted,
		Begin: func(*cluster.Model) {}, StartUps: func() []simulate.StartUp { return nil },
		Left: func() ([]decision.Ruling, bool) { return nil, false },
		Say:  func(decision.Ruling) string { return "toys are held" },
	}
	if c.held {
		s.Left = func() ([]decision.Ruling, bool) { return []decision.Ruling{{Rule: "Toys"}}, true }
	}
	for _, p := range pods {
		s.Pods = append(s.Pods, simulate.Pod{Name: p.GetName(), Ready: c.held, Available: c.held})
	}
	s.Pods = append(s.Pods, make([]simulate.Pod, c.weight)...)
	for i := range d.Actions {
		a := &d.Actions[i]
		a.Write = i + 1
		w := cluster.Write{Verb: cluster.Create, Kind: view.Pods, Namespace: clusterdsl.Namespace, Name: "toy-", Generate: true, Count: a.Count, Object: &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: clusterdsl.Namespace}}}
		if a.Verb == decision.Delete {
			w = cluster.Write{Verb: cluster.Delete, Kind: view.Pods, Namespace: clusterdsl.Namespace, Name: a.Object.Name}
		}
		s.Writes = append(s.Writes, w)
	}
	return s, nil
}

func (c toy) simulate(v *view.View, o simulate.Options) (*simulate.Result, error) {
	target := view.Target{Kind: view.ReplicaSets, Namespace: clusterdsl.Namespace, Name: "toy"}
	return simulate.Run(v, target, []simulate.Actor{{Kind: target.Kind, Step: c.sync}}, o)
}

func (c toy) run(t *testing.T, o simulate.Options) *decision.Timeline {
	t.Helper()
	b := view.NewBuilder(clusterdsl.Now)
	res, err := c.simulate(b.View(), o)
	if err != nil {
		t.Fatal(err)
	}
	return res.Timeline
}

func TestEnds(t *testing.T) {
	for _, c := range []struct {
		toy     toy
		o       simulate.Options
		rule    string
		outcome decision.Outcome
		rounds  int
	}{
		{toy{wanted: 3}, simulate.Options{}, simulate.EndUnready, decision.Blocked, 3},
		{toy{wanted: 3, alone: 1}, simulate.Options{}, simulate.EndAlone, decision.Blocked, 2},
		{toy{wanted: 3}, simulate.Options{Rounds: 2}, simulate.RoundsShown, decision.Unfinished, 2},
		{toy{wanted: 3}, simulate.Options{Rounds: 9}, simulate.EndUnready, decision.Blocked, 3},
		{toy{wanted: 3, held: true}, simulate.Options{}, simulate.EndHeld, decision.Stable, 3},
		{toy{wanted: 1003}, simulate.Options{}, simulate.TooManyRounds, decision.Unfinished, 1000},
		{toy{wanted: 1003}, simulate.Options{Rounds: 1001}, simulate.RoundsShown, decision.Unfinished, 1001},
		{toy{wanted: 30, weight: 100_000}, simulate.Options{}, simulate.TooMuchWork, decision.Unfinished, 9},
		{toy{wanted: 3, strays: true}, simulate.Options{}, simulate.EndStrays, decision.Unfinished, 21},
		{toy{wanted: 12, weight: 100_000}, simulate.Options{Rounds: 11}, simulate.RoundsShown, decision.Unfinished, 11},
	} {
		t.Run(fmt.Sprintf("%+v %+v", c.toy, c.o), func(t *testing.T) {
			line := c.toy.run(t, c.o)
			if line.End.Rule != c.rule || line.End.Outcome != c.outcome || line.Totals.Rounds != c.rounds {
				t.Errorf("%d rounds, %s by %s: %s", line.Totals.Rounds, line.End.Outcome, line.End.Rule, line.Answer)
			}
		})
	}
}

// TestTooManyPods: what is too much work is refused before a pod is made.
func TestTooManyPods(t *testing.T) {
	for _, c := range []struct {
		toy  toy
		o    simulate.Options
		want string
	}{
		{toy{wanted: 1 << 31, burst: 1<<31 - 1}, simulate.Options{}, "toy/shop/toy: too much work: 2147483647 Pods would be created, and at most 10000 are simulated"},
		{toy{wanted: 1 << 31, burst: 10_001}, simulate.Options{Rounds: 1}, "too much work: 10001 Pods"},
		{toy{wanted: 1 << 31, burst: 6_000}, simulate.Options{Rounds: 1}, ""},
		{toy{wanted: 1 << 31, burst: 10_000}, simulate.Options{Rounds: 1}, ""},
	} {
		_, err := c.toy.simulate(view.NewBuilder(clusterdsl.Now).View(), c.o)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%+v %+v: %v, want %q", c.toy, c.o, err, c.want)
		}
	}
}

// A pod of the simulation's own making has a made-up name: that it goes and
// not the other one is not known.
func TestNewPodsAreAlike(t *testing.T) {
	line := toy{wanted: 2, deletes: true}.run(t, simulate.Options{Rounds: 3})
	last := line.Rounds[2].Actions[0]
	if last.Certainty != decision.Possible || *last.Choice != (decision.Choice{K: 1, N: 2}) {
		t.Errorf("one of two new pods goes: %+v", last)
	}
	found := false
	for _, n := range line.Notes {
		found = found || n.Rule == simulate.NewPodsAlike
	}
	if !found {
		t.Errorf("nothing says so: %+v", line.Notes)
	}
}

// TestRestless: a controller whose every sync makes the next one necessary comes to
// an end all the same.
func TestRestless(t *testing.T) {
	b := view.NewBuilder(clusterdsl.Now)
	b.Add(view.Pods, &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: clusterdsl.Namespace, Name: "one"}})
	target := view.Target{Kind: view.ReplicaSets, Namespace: clusterdsl.Namespace, Name: "toy"}
	step := func(r *view.Reader, at view.Target) (*simulate.Sync, error) {
		s, err := toy{}.sync(r, at)
		s.Looks, s.Writes = true, []cluster.Write{{Verb: cluster.Patch, Kind: view.Pods, Namespace: clusterdsl.Namespace, Name: "one", Stored: func(now metav1.Object) metav1.Object { return now }}}
		return s, err
	}
	res, err := simulate.Run(b.View(), target, []simulate.Actor{{Kind: target.Kind, Step: step}}, simulate.Options{})
	if err != nil || res.Timeline.End.Rule != simulate.TooMuchWork || res.Timeline.End.Outcome != decision.Unfinished {
		t.Errorf("%+v, %v", res.Timeline.End, err)
	}
}

// TestOwnStatus: a status that a sync writes is a reason to sync again only for
// controllers that go by it.
func TestOwnStatus(t *testing.T) {
	for looks, want := range map[bool]int{false: 1, true: 2} {
		b := view.NewBuilder(clusterdsl.Now)
		b.Add(view.ReplicaSets, &appsv1.ReplicaSet{ObjectMeta: metav1.ObjectMeta{Namespace: clusterdsl.Namespace, Name: "toy"}})
		target := view.Target{Kind: view.ReplicaSets, Namespace: clusterdsl.Namespace, Name: "toy"}
		syncs := 0
		step := func(r *view.Reader, at view.Target) (*simulate.Sync, error) {
			syncs++
			s, err := toy{}.sync(r, at)
			written := &appsv1.ReplicaSet{ObjectMeta: metav1.ObjectMeta{Namespace: clusterdsl.Namespace, Name: "toy"}, Status: appsv1.ReplicaSetStatus{Replicas: 1}}
			s.Looks, s.Writes = looks, []cluster.Write{{Verb: cluster.Update, Kind: view.ReplicaSets, Status: true, Namespace: clusterdsl.Namespace, Name: "toy", Object: written}}
			return s, err
		}
		if _, err := simulate.Run(b.View(), target, []simulate.Actor{{Kind: target.Kind, Step: step}}, simulate.Options{}); err != nil || syncs != want {
			t.Errorf("looks %v: %d syncs, want %d; %v", looks, syncs, want, err)
		}
	}
}

// TestIdleTimers: timers of one object that change nothing do not hide that of
// another one.
func TestIdleTimers(t *testing.T) {
	target := view.Target{Kind: view.Deployments, Namespace: clusterdsl.Namespace, Name: "toy"}
	b := view.NewBuilder(clusterdsl.Now)
	b.Add(view.Deployments, &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Namespace: clusterdsl.Namespace, Name: "toy", UID: "toy"}})
	for _, name := range []string{"restless", "slow"} {
		rs := &appsv1.ReplicaSet{ObjectMeta: metav1.ObjectMeta{Namespace: clusterdsl.Namespace, Name: name}}
		rs.OwnerReferences = []metav1.OwnerReference{{Kind: "Deployment", Name: "toy", UID: "toy", Controller: new(true)}}
		b.Add(view.ReplicaSets, rs)
	}
	own := func(r *view.Reader, at view.Target) (*simulate.Sync, error) {
		return toy{wanted: 1, alone: 1}.sync(r, at)
	}
	dependents := func(r *view.Reader, at view.Target) (*simulate.Sync, error) {
		s, err := toy{}.sync(r, at)
		passed := r.Now().Sub(clusterdsl.Now)
		switch {
		case at.Name == "slow":
			s.Pods, s.Decision.After = []simulate.Pod{{Name: "slow", Ready: true, Available: passed >= 10*time.Second}}, max(0, 10*time.Second-passed)
		case passed < 2*time.Second:
			s.Decision.After = time.Second
		}
		return s, err
	}
	actors := []simulate.Actor{{Kind: view.Deployments, Step: own}, {Kind: view.ReplicaSets, Step: dependents}}
	res, err := simulate.Run(b.View(), target, actors, simulate.Options{})
	if err != nil || res.Timeline.End.Outcome != decision.Stable || res.Timeline.End.Clock != decision.Span(10*time.Second) {
		t.Errorf("%+v, %v", res.Timeline.End, err)
	}
}
