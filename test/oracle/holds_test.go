package oracle

import (
	"slices"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/contract"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/program"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/states"
)

// holding is how long a ranking is looked at that no instant ends.
const holding = time.Hour

// aged is a state whose Pods have grown older by so much.
type aged struct {
	Question
	by   time.Duration
	over bool // the ranking holds no longer
}

// TestHoldsUntil: what is deleted stays as predicted while nothing but the clock moves,
// until the instant that the ranking names, and the real controller changes its choice
// then often enough for that to be one.
func TestHoldsUntil(t *testing.T) {
	first := program.Setting(t, "ORACLE_SEED", 1)
	eachVersion(t, func(t *testing.T, p *Process) {
		var held, named, turned int
		compare := func(_ *contract.Request, q aged, resp *contract.Response) {
			for i := range resp.Runs {
				var out diff
				switch out.deletions(q.Decision, &resp.Runs[i]); {
				case q.over && len(out) > 0:
					turned++
					return
				case !q.over && len(out) > 0:
					t.Errorf("%v later, before %v: %v\n%s", q.by, q.Decision.Ranking.HoldsUntil, out, Report(q.Request))
				}
			}
			if q.over {
				named++
			} else {
				held++
			}
		}
		if err := Ask(p, ageing(t, p.Version, first, program.States(t, p.Version, share)), compare); err != nil {
			t.Fatal(err)
		}
		if held < 100 || turned < 10 || turned < named {
			t.Errorf("%d choices held, %d turned when that was predicted and %d did not: too few", held, turned, named)
		}
		t.Logf("%d choices held, %d turned when that was predicted and %d did not", held, turned, named)
	})
}

// ageing are states with a choice among Pods, as they are just before the ranking ends, and
// just after.
func ageing(t *testing.T, version string, first, n int) func(yield func(*contract.Request, aged) bool) {
	return func(yield func(*contract.Request, aged) bool) {
		for seed := first; seed < first+n; seed++ {
			q, err := NewQuestion(version, states.Draw(version, seed), uint64(seed))
			if err != nil {
				t.Error(err)
				return
			}
			if q.Decision.Ranking == nil || q.Decision.Summary.Delete() == 0 {
				continue
			}
			for _, a := range later(q) {
				if !divides(a.Request.Pods) && !yield(a.Request, a) {
					return
				}
			}
		}
	}
}

// divides reports whether a Pod has just been created: upstream's metric of deleted ages
// divides by that of the youngest ready Pod, and panics
// (reportSortingDeletionAgeRatioMetric in pkg/controller/replicaset/replica_set.go, v1.37.1).
func divides(pods []*corev1.Pod) bool {
	return slices.ContainsFunc(pods, func(p *corev1.Pod) bool { return p.CreationTimestamp.Time.Equal(states.Now) })
}

// later are a question just before the ranking ends, and just after it.
func later(q Question) []aged {
	until := holding
	if h := q.Decision.Ranking.HoldsUntil; h != nil {
		until = h.Sub(states.Now)
	}
	var all []aged
	if before := (until - 1).Truncate(time.Second); before > 0 { // times of objects are whole seconds
		all = append(all, aged{Question{older(q.Request, before), q.Decision}, before, false})
	}
	if q.Decision.Ranking.HoldsUntil != nil {
		after := until.Truncate(time.Second) + time.Second
		all = append(all, aged{Question{older(q.Request, after), q.Decision}, after, true})
	}
	return all
}

// older is a request whose Pods were created, and became ready, that much earlier.
func older(req *contract.Request, by time.Duration) *contract.Request {
	out := *req
	out.Bodies, out.Orders, out.Pods = false, req.Orders[:min(2, len(req.Orders))], slices.Clone(req.Pods)
	earlier := func(at *metav1.Time) {
		if !at.IsZero() {
			at.Time = at.Add(-by)
		}
	}
	for i, p := range out.Pods {
		p = p.DeepCopy()
		earlier(&p.CreationTimestamp)
		for j := range p.Status.Conditions {
			if c := &p.Status.Conditions[j]; c.Type == corev1.PodReady {
				earlier(&c.LastTransitionTime)
			}
		}
		out.Pods[i] = p
	}
	return &out
}
