package replicaset

import (
	"cmp"
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/labels"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/admission"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/podorder"
)

// caveats says what limits the answer: what was assumed, what could not be
// read, and what nobody outside the controller can know.
func (s *sync) caveats() {
	if s.profile.Caveat != "" {
		s.d.AddCaveat(decision.VersionNotKnown, s.profile.Caveat)
	}
	for _, n := range s.r.Notes() {
		s.d.Warn(decision.Caveat(n).Whole())
	}
	for _, why := range admission.Caveats(s.doubts) {
		s.d.AddCaveat("AdmissionInDoubt", why)
	}
	s.strays()
	s.contested()
	s.invalidCosts()
	s.budgets()
	for _, n := range s.r.Gaps() {
		s.d.Warn(decision.Caveat(n).Whole())
	}
}

// strays warns that the Pods which the set creates are not its own, and that it creates
// more with every sync. The API server stores no such ReplicaSet (ValidateReplicaSetSpec
// of k8s.io/kubernetes/pkg/apis/apps/validation, v1.37.1): a file holds it.
func (s *sync) strays() {
	if s.d.Summary.Create == 0 || s.set.selector.Matches(labels.Set(s.set.Spec.Template.Labels)) {
		return
	}
	why := "the labels of spec.template do not match spec.selector"
	if s.set.Spec.Selector == nil {
		why = "spec.selector is missing"
	}
	s.d.AddCaveat("SelectorMismatch", fmt.Sprintf(
		"%s, and the API server stores no such %s: the Pods that it creates are not its own, and every sync creates more; correct it in the file", why, s.set.kind.Kind))
}

// contested warns that counts assume this set wins every orphan it may adopt,
// and says what it does when it wins none.
func (s *sync) contested() {
	if len(s.claims.contested) > 0 {
		s.d.AddCaveat("ContestedAdoption", fmt.Sprintf(
			"another controller may adopt %s first; the counts assume that this one does%s", ownership.NamesOf(s.claims.contested), s.otherwise()))
	}
}

// otherwise says what follows when all that others may adopt is lost.
func (s *sync) otherwise() string {
	if len(s.courses) == 0 {
		return ""
	}
	bare := slices.MaxFunc(s.courses, func(a, b *sync) int { return cmp.Compare(a.lost.Len(), b.lost.Len()) })
	switch diff := len(bare.claims.active) - s.set.want(); {
	case !bare.d.Gate.Open:
		return "; without any of them it creates and deletes nothing"
	case diff < 0:
		return "; without any of them it " + bare.creates(min(-diff, burstReplicas))
	case diff > 0:
		return fmt.Sprintf("; without any of them it deletes %s", format.Plural(min(diff, burstReplicas), "Pod"))
	default:
		return "; without any of them it creates and deletes nothing"
	}
}

// creates says how many of n creations come about, as far as that is known.
func (s *sync) creates(n int) string {
	created := 0
	for i := range s.d.Actions {
		if a := &s.d.Actions[i]; a.Verb == decision.Create {
			created += a.Count
		}
	}
	verb := "creates"
	if tried(s.d) > 0 {
		verb = "may create"
	}
	if created < n {
		return fmt.Sprintf("%s %d of %s", verb, created, format.Plural(n, "Pod"))
	}
	return verb + " " + format.Plural(n, "Pod")
}

// invalidCosts names deletion costs that count as 0 because they do not parse.
func (s *sync) invalidCosts() {
	if !s.behaviour.cost {
		return
	}
	for _, p := range s.claims.active {
		if _, valid := podorder.DeletionCost(p); !valid {
			s.d.AddCaveat("InvalidDeletionCost", fmt.Sprintf(
				"pod/%s: deletion cost %q is no integer from -2147483648 to 2147483647 without plus sign or leading zeros; it counts as 0",
				p.Name, p.Annotations["controller.kubernetes.io/pod-deletion-cost"]))
		}
	}
}

// budgets warns of PodUnavailableBudgets. The controller does not ask them, but
// Kruise's webhook does, before ready pods are deleted
// (pkg/webhook/pod/validating/pod_unavailable_budget.go, v1.9.1).
func (s *sync) budgets() {
	doomed := map[string]bool{}
	for _, a := range s.d.Actions {
		if a.Verb == decision.Delete {
			doomed[a.Object.Name] = true
		}
	}
	for _, p := range s.claims.active {
		if name := admission.Budget(p); name != "" && doomed[p.Name] && isReady(p) && !admission.Waived(p) {
			s.d.AddCaveat("BudgetMayRefuse", fmt.Sprintf(
				"Kruise's webhook asks PodUnavailableBudget %s before Pods of it are deleted, and may refuse: what it says is not looked at here", name))
		}
	}
}
