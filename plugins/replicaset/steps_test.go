package replicaset_test

import (
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/simulate"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/replicaset"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/clusterdsl"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/states"
)

func (s situation) simulate(t *rapid.T) *decision.Timeline {
	p, err := profile.New(profile.Options{Emulate: s.version, Gates: s.Gates})
	if err != nil {
		t.Fatal(err)
	}
	d, readers, err := replicaset.Controller().Simulate(oracle.ViewAt(s.Request, states.Now), p, oracle.Target(s.Request), nil, simulate.Options{})
	if err != nil && strings.Contains(err.Error(), "too much work") {
		t.Skip("hundreds of Pods in every round, without end")
	}
	if err != nil {
		t.Fatal(err)
	}
	if d.Timeline == nil {
		t.Fatalf("something is missing: %v", readers[0].Missing())
	}
	return d.Timeline
}

// TestLastRoundIsCounted: up to 1.34 a Pod counts whose reference has the set's UID and
// another name, and the event of its deletion finds no set to queue. What is left is
// counted all the same.
func TestLastRoundIsCounted(t *testing.T) {
	v, err := clusterdsl.Parse("rs web selector=app=web replicas=1 status=2/2/1/1\npod a of=rs/renamed@web app=web node=n1 notready\npod b of=rs/web app=web node=n2 ready=1h")
	if err != nil {
		t.Fatal(err)
	}
	p, err := profile.New(profile.Options{Emulate: "1.34.1", Gates: map[string]bool{"DeploymentReplicaSetTerminatingReplicas": true}})
	if err != nil {
		t.Fatal(err)
	}
	d, _, err := replicaset.Controller().Simulate(v, p, webTarget, nil, simulate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	line := d.Timeline
	if len(line.Rounds) != 1 || line.Rounds[0].Counts.Pods != 1 || line.End.Counts.Pods != 1 || line.End.Outcome != decision.Stable {
		t.Errorf("want one round that leaves 1 Pod, and a stable end: %+v, %+v", line.Rounds, line.End)
	}
}

// Every simulation comes to an end that says why, and its numbers add up.
func TestEverySimulationEnds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSituation(t)
		s.Expectations = nil
		if !s.createsMatching() {
			return // its new pods are not its own: it creates pods without end
		}
		line := s.simulate(t)
		end := line.End
		if pods := line.Counts.Pods + line.Totals.Create + line.Totals.Adopt - line.Totals.Delete; pods != end.Counts.Pods {
			t.Fatalf("%d pods, %+v, and then %d", line.Counts.Pods, line.Totals, end.Counts.Pods)
		}
		switch end.Outcome {
		case decision.Stable:
			if end.Counts.Pods != end.Counts.Wanted || end.Counts.Available != end.Counts.Wanted {
				t.Fatalf("stable with %+v", end.Counts)
			}
		case decision.Blocked:
			if len(end.Why) == 0 && end.Rule != simulate.EndUnready && end.Rule != simulate.EndNotDeleted {
				t.Fatalf("stuck with %+v, and nothing says why", end)
			}
		default:
			t.Fatalf("%s by %s after %d rounds", end.Outcome, end.Rule, line.Totals.Rounds)
		}
		for _, r := range line.Rounds {
			if r.Counts.Unavailable > line.Peak.Unavailable || r.Counts.Pods < 0 {
				t.Fatalf("round %d leaves %+v, at most %d unavailable", r.Number, r.Counts, line.Peak.Unavailable)
			}
		}
	})
}

func TestSimulatingIsAFunctionOfTheState(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSituation(t)
		first := s.simulate(t)
		s.Pods = rapid.Permutation(s.Pods).Draw(t, "pods")
		if again := s.simulate(t); !reflect.DeepEqual(first, again) {
			t.Fatalf("the same objects gave\n%+v\nand\n%+v", first, again)
		}
	})
}
