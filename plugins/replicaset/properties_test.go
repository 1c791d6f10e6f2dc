package replicaset_test

import (
	"flag"
	"fmt"
	"os"
	"reflect"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/replicaset"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/contract"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/states"
)

// TestMain keeps rapid's failure files out of testdata, which holds goldens;
// the seed it prints reproduces a failure as well.
func TestMain(m *testing.M) {
	if err := flag.Set("rapid.nofailfile", "true"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// situation is a state that an oracle could be asked about, on an API server
// that refuses nothing.
type situation struct {
	*contract.Request
	version string
}

func drawSituation(t *rapid.T) situation {
	version := rapid.SampledFrom([]string{"1.37", "1.34.1", "1.29", "1.23"}).Draw(t, "version")
	req := states.Generator(version).Draw(t, "state")
	req.Faults, req.Live = nil, nil
	return situation{req, version}
}

func (s situation) decide(t *rapid.T, now time.Time) *decision.Decision {
	p, err := profile.New(profile.Options{Emulate: s.version, Gates: s.Gates})
	if err != nil {
		t.Fatal(err)
	}
	given, err := oracle.Given(s.Request)
	if err != nil {
		t.Fatal(err)
	}
	d, err := replicaset.Decide(oracle.ViewAt(s.Request, now).Reader(), p, oracle.Target(s.Request), given)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestDecidingIsAFunctionOfTheState(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSituation(t)
		first := s.decide(t, states.Now)
		s.Pods = rapid.Permutation(s.Pods).Draw(t, "pods")
		if again := s.decide(t, states.Now); !reflect.DeepEqual(first, again) {
			t.Fatalf("the same objects gave\n%+v\nand\n%+v", first, again)
		}
	})
}

func TestEveryActivePodHasOneFate(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawSituation(t).decide(t, states.Now)
		if d.Ranking == nil {
			return
		}
		active, rows := activePods(d), []string{}
		for _, row := range d.Ranking.Rows {
			rows = append(rows, row.Object.Name)
		}
		slices.Sort(rows)
		if !slices.Equal(active, rows) {
			t.Fatalf("active %v, ranked %v", active, rows)
		}
		checkCut(t, d)
	})
}

// activePods are those that the sync counts.
func activePods(d *decision.Decision) []string {
	var names []string
	for _, c := range d.Claims {
		if c.Decision == decision.Owned || c.Decision == decision.ToAdopt {
			names = append(names, c.Object.Name)
		}
	}
	slices.Sort(names)
	return names
}

// checkCut demands that certain fates fill the places before the cut, and that
// possible ones share what is left, neither none nor all of it.
func checkCut(t *rapid.T, d *decision.Decision) {
	count := map[decision.Fate]int{}
	for _, row := range d.Ranking.Rows {
		count[row.Fate]++
	}
	n := d.Summary.PossibleAmong
	if isContested(d) { // what happens without an adoption is at risk as well
		n = max(n, count[decision.AtRisk])
	}
	if count[decision.Doomed] != d.Summary.DeleteCertain || count[decision.AtRisk] != n || d.Summary.Delete() != d.Ranking.Cut {
		t.Fatalf("fates %v, summary %+v, cut %d", count, d.Summary, d.Ranking.Cut)
	}
	for _, a := range d.Actions {
		if a.Choice != nil && a.Verb == decision.Delete && (a.Choice.K < 1 || a.Choice.K >= a.Choice.N) {
			t.Fatalf("%d of %d is no choice", a.Choice.K, a.Choice.N)
		}
	}
}

func isContested(d *decision.Decision) bool {
	return slices.ContainsFunc(d.Actions, func(a decision.Action) bool {
		return a.Verb == decision.Adopt && a.Certainty == decision.Possible
	})
}

func TestExpectationsMatchActions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSituation(t)
		d := s.decide(t, states.Now)
		after := d.Expectations.After
		switch {
		case d.Summary.Create > 0:
			if after.Adds != int64(d.Summary.Create) || after.Dels != 0 {
				t.Fatalf("%d creations, expected %+v", d.Summary.Create, after)
			}
		case d.Summary.Delete() > 0:
			if after.Adds != 0 || after.Dels != int64(d.Summary.Delete()) || len(after.DeleteKeys) != d.Summary.DeleteCertain || len(after.PossibleKeys) != d.Summary.PossibleAmong {
				t.Fatalf("%+v, expected %+v", d.Summary, after)
			}
		case !d.Gate.Open && !reflect.DeepEqual(d.Expectations.Before, after):
			t.Fatalf("nothing was done, expectations went from %+v to %+v", d.Expectations.Before, after)
		}
	})
}

// Nothing but the clock moves until HoldsUntil, or for an hour without one.
func TestFatesHold(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSituation(t)
		d := s.decide(t, states.Now)
		if d.Ranking == nil {
			return
		}
		until := states.Now.Add(time.Hour)
		if h := d.Ranking.HoldsUntil; h != nil {
			until = *h
		}
		wait := rapid.Int64Range(0, max(0, int64(until.Sub(states.Now))-1)).Draw(t, "wait")
		later := s.decide(t, states.Now.Add(time.Duration(wait)))
		if before, after := fates(d), fates(later); before != after {
			t.Fatalf("until %v the fates are %s, but after %v %s", until, before, time.Duration(wait), after)
		}
	})
}

func fates(d *decision.Decision) string {
	all := map[string]decision.Fate{}
	for _, row := range d.Ranking.Rows {
		all[row.Object.Namespace+"/"+row.Object.Name] = row.Fate
	}
	return fmt.Sprint(all)
}
