package reconcile

import (
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/api"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/core"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/order"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/pubcontrol"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/revision"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/rules"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise/inplace"
)

// Run is one run of doReconcile over a View: what it goes by, which requests it makes,
// and what is put on record of it.
type Run struct {
	Reader *view.Reader
	// Kubernetes is the API server's version.
	Kubernetes profile.Version
	Kruise     profile.Installed
	Behaviour  core.Behaviour
	Given      Given
	Set        *api.Set
	Now        time.Time

	Limits    core.Limits
	Revisions revision.History
	Changes   revision.Changes
	// Pods are the claimed ones, in the order of their names.
	Pods []*core.PodState
	// Volumes are the volume claims that are not being deleted.
	Volumes []metav1.Object
	// Done reads the records of updates in place, and whether these are done.
	Done    inplace.Records
	Budgets Budgets

	Outcome Outcome
	Chance  Chance
	Record  Record
	Timers  Timers
	// Log are the requests that the sync makes; nil where they are not asked for.
	Log      *cluster.Log
	Decision *decision.Decision
}

// New returns a run before its first step.
func New(r *view.Reader, kubernetes profile.Version, k profile.Installed, set *api.Set, given Given) *Run {
	s := &Run{Reader: r, Kubernetes: kubernetes, Kruise: k, Behaviour: core.BehaviourOf(k), Given: given, Set: set, Now: r.Now()}
	s.Changes = revision.NewChanges(s.Behaviour, set)
	s.Done = inplace.NewRecords(s.Behaviour.Release)
	s.Budgets.Control = pubcontrol.New(r, set, s.Behaviour, s.Done, func(budget string) error {
		return s.Refused(Call{Verb: "update", Kind: view.PodUnavailableBudgets.Kind, Subresource: "status", Name: budget, Retried: true})
	})
	s.Record.dropped = s.Behaviour.DropExpired
	s.Decision = s.frame()
	return s
}

// Sorter orders the set's Pods.
func (s *Run) Sorter() order.Sorter { return order.NewSorter(s.Reader, s.Set, s.Behaviour) }

// frame is the decision before anything is decided.
func (s *Run) frame() *decision.Decision {
	return &decision.Decision{
		Target: s.Set.Ref, AsOf: s.Now, Modelled: kruise.Modelled("CloneSet controller", s.Kruise),
		Owners:       ownership.Chain(s.Reader, s.Set),
		Count:        decision.F(rules.KeyReplicas, 0),
		Expectations: decision.Expectations{Basis: "computed"},
		Actions:      []decision.Action{}, Claims: []decision.Claim{},
		Status: decision.StatusWrite{Ruling: decision.Ruled(rules.StatusSkipped)},
	}
}
