package oracle

import (
	"fmt"
	"iter"

	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/contract"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/states"
)

// tolerated is how many mismatches a run collects before it gives up.
const tolerated = 20

// Mismatch is a state of which the plugin and upstream disagree.
type Mismatch struct {
	Seed        int
	Question    Question
	Differences []string
}

// Result is what a run over one version's states came to.
type Result struct {
	Version    string             `json:"version"`
	States     int                `json:"states"`
	Syncs      int                `json:"syncs"`
	Mismatches int                `json:"mismatches"`
	Kinds      map[string]int     `json:"kinds"`
	Rules      Coverage           `json:"rules"`
	Effects    Effects            `json:"effects"`
	Chance     map[string]*Chance `json:"chance"`
	// Bodies are the states whose created Pods were compared field by field.
	Bodies int `json:"bodies"`

	Found []Mismatch `json:"-"`
	// undecided are the groups that came out one way so far.
	undecided []Question
	err       error
}

// Check asks the oracle about the states with seeds from first on, and
// compares.
// over ends the run early.
func Check(p *Process, first, n int, over func() bool) (*Result, error) {
	r := &Result{Version: p.Version, Kinds: map[string]int{}, Rules: Coverage{}, Effects: Effects{}, Chance: map[string]*Chance{}}
	if err := Ask(p, r.questions(first, n, over), r.answer); err != nil {
		return r, err
	}
	if r.err != nil {
		return r, r.err
	}
	return r, r.insist(p)
}

func (r *Result) questions(first, n int, over func() bool) iter.Seq2[*contract.Request, seeded] {
	return func(yield func(*contract.Request, seeded) bool) {
		for seed := first; seed < first+n && !over(); seed++ {
			q, err := NewQuestion(r.Version, states.Draw(r.Version, seed), uint64(seed))
			if err != nil {
				r.err = fmt.Errorf("state %d: %w", seed, err)
				return
			}
			q.Request.Bodies = true
			if !yield(q.Request, seeded{q, seed}) {
				return
			}
		}
	}
}

type seeded struct {
	Question
	seed int
}

// answer compares every run of one state.
func (r *Result) answer(req *contract.Request, q seeded, resp *contract.Response) {
	r.States++
	r.Syncs += len(resp.Runs)
	r.Kinds[req.Kind]++
	r.Rules.Count(q.Decision)
	r.Effects.Count(req, q.Decision)
	differences := Differences(q.Question, resp)
	if len(differences) == 0 {
		differences = r.body(req, resp)
	}
	if len(differences) > 0 {
		r.Mismatches++
		if len(r.Found) < tolerated {
			r.Found = append(r.Found, Mismatch{q.seed, q.Question, differences})
		}
		return
	}
	r.watchChance(q.Question, resp)
}

// body compares what the first run created.
func (r *Result) body(req *contract.Request, resp *contract.Response) []string {
	differences, compared, err := Body(r.Version, req, &resp.Runs[0])
	if err != nil {
		return []string{err.Error()}
	}
	if compared {
		r.Bodies++
	}
	return differences
}

// Differences are those of the first run that has any.
func Differences(q Question, resp *contract.Response) []string {
	for i := range resp.Runs {
		if d := Compare(q.Request, q.Decision, &resp.Runs[i]); len(d) > 0 {
			return append(d, fmt.Sprintf("in order %v", q.Request.Orders[i]))
		}
	}
	return nil
}

func (r *Result) watchChance(q Question, resp *contract.Response) {
	if order := q.Decision.Ranking; order == nil || order.Undetermined == nil {
		return
	}
	r.chance(q).Groups++
	if len(outcomes(q.Decision, resp.Runs)) > 1 {
		r.chance(q).Varied++
	} else {
		r.undecided = append(r.undecided, q)
	}
}

func (r *Result) chance(q Question) *Chance {
	rule := q.Decision.Ranking.Undetermined.Rule
	if r.Chance[rule] == nil {
		r.Chance[rule] = &Chance{}
	}
	return r.Chance[rule]
}

// insist tries many more orders on the groups that came out one way.
func (r *Result) insist(p *Process) error {
	for _, more := range []int{60, 600} {
		again := r.undecided
		r.undecided = nil
		ask := func(yield func(*contract.Request, Question) bool) {
			for _, q := range again {
				q.Request.Orders = Orders(len(q.Request.Pods), more, 1)
				if !yield(q.Request, q) {
					return
				}
			}
		}
		if err := Ask(p, ask, r.again); err != nil {
			return err
		}
	}
	for _, q := range r.undecided {
		if leans(q.Decision) {
			r.chance(q).Leaning++
		} else {
			r.chance(q).Steady++
		}
	}
	return nil
}

func (r *Result) again(_ *contract.Request, q Question, resp *contract.Response) {
	r.Syncs += len(resp.Runs)
	if len(outcomes(q.Decision, resp.Runs)) > 1 {
		r.chance(q).Varied++
	} else {
		r.undecided = append(r.undecided, q)
	}
}
