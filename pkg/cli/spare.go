package cli

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/simulate"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// spare says what becomes of the Pods of --keep. For those that are deleted, or may be,
// it decides again with a pod-deletion-cost above that of all others: where that spares
// them, the command that sets the least that does is the answer.
func (s *session) spare(v *view.View, a aim, changes []decision.Change, d *decision.Decision) ([]*view.Reader, error) {
	r := v.Reader()
	used := []*view.Reader{r}
	pods, own, err := s.keptPods(r, a, d)
	if err != nil || r.Provisional() {
		return used, err
	}
	decide := s.toTheEnd(a, changes)
	end, more, err := decide(v)
	used = append(used, more...)
	if err != nil {
		return used, err
	}
	all, lost := make([]decision.Spared, len(pods)), map[string]bool{}
	for i, p := range pods {
		all[i] = end.FateOf(decision.Ref{APIVersion: "v1", Kind: view.Pods.Kind, Namespace: p.Namespace, Name: p.Name, UID: string(p.UID)})
		switch {
		case p.DeletionTimestamp != nil:
			all[i].Fate, all[i].Message, all[i].Going = decision.Doomed, "it is being deleted already", true
		case all[i].Fate != decision.Safe:
			lost[p.Name] = true
		}
	}
	costs := costsAbove(r, a.Namespace, own)
	highest := fmt.Sprint(costs[len(costs)-1])
	for before := -1; len(lost) > max(before, 0); { // one that is spared may cost another
		before = len(lost)
		spared, more, err := decide(v.With(view.Pods, withCost(pods, lost, highest)...))
		used = append(used, more...)
		if err != nil {
			return used, err
		}
		for i := range all {
			k := &all[i]
			k.Command = ""
			switch left := spared.FateOf(k.Pod).Fate; {
			case left == decision.Safe && lost[k.Pod.Name]:
				k.Command = costly(k.Pod, highest)
			case left != decision.Safe:
				lost[k.Pod.Name] = true
			}
		}
	}
	// cheapest is the least cost that spares all of some Pods, which the highest does; none
	// that any of those that get it has already.
	cheapest := func(lost map[string]bool, of ...decision.Ref) (string, error) {
		var failed error
		has := int64(math.MinInt32)
		for _, p := range pods {
			if lost[p.Name] {
				has = max(has, costOf(p))
			}
		}
		i := sort.Search(len(costs)-1, func(i int) bool {
			if costs[i] <= has || failed != nil {
				return false
			}
			less, more, err := decide(v.With(view.Pods, withCost(pods, lost, fmt.Sprint(costs[i]))...))
			used, failed = append(used, more...), err
			return err == nil && !slices.ContainsFunc(of, func(pod decision.Ref) bool { return less.FateOf(pod).Fate != decision.Safe })
		})
		return fmt.Sprint(costs[i]), failed
	}
	var spared []decision.Ref
	for _, k := range all {
		if k.Command != "" {
			spared = append(spared, k.Pod)
		}
	}
	cost := highest
	if len(spared) > 0 {
		if cost, err = cheapest(lost, spared...); err != nil {
			return used, err
		}
	}
	for i := range all {
		k := &all[i]
		if k.Command != "" {
			k.Command = costly(k.Pod, cost)
		}
		if len(lost) > 1 && lost[k.Pod.Name] && k.Command == "" {
			one := map[string]bool{k.Pod.Name: true}
			alone, more, err := decide(v.With(view.Pods, withCost(pods, one, highest)...))
			used = append(used, more...)
			if err != nil {
				return used, err
			}
			if alone.FateOf(k.Pod).Fate != decision.Safe {
				continue
			}
			least, err := cheapest(one, k.Pod)
			if err != nil {
				return used, err
			}
			k.CommandAlone = costly(k.Pod, least)
		}
	}
	d.Keeps(all)
	return used, nil
}

// costly is the command that gives a Pod a pod-deletion-cost.
func costly(pod decision.Ref, cost string) string {
	return fmt.Sprintf("kubectl annotate pod %s -n %s --overwrite %s=%s", pod.Name, pod.Namespace, corev1.PodDeletionCost, cost)
}

// toTheEnd decides about all rounds, unless the question is about some of them: what
// the next sync spares may be deleted by a later one. What is not simulated, or not that
// far, is decided for the next sync.
func (s *session) toTheEnd(a aim, changes []decision.Change) func(*view.View) (*decision.Decision, []*view.Reader, error) {
	return func(v *view.View) (*decision.Decision, []*view.Reader, error) {
		if s.rounds == nil && a.controller.Step != nil {
			if d, used, err := a.controller.Simulate(v, s.profile, a.Target, changes, simulate.Options{}); err == nil {
				return d, used, nil
			}
		}
		return s.run(v, a, changes)
	}
}

// keptPods are the Pods of --keep; own names all those that the target has or adopts.
// One that is not among them would always be kept: it is an error.
func (s *session) keptPods(r *view.Reader, a aim, d *decision.Decision) (pods []*corev1.Pod, own []string, err error) {
	known := map[string]bool{}
	for _, c := range d.Claims {
		if c.Decision == decision.ToAdopt && c.Object.Kind == view.Pods.Kind {
			own = append(own, c.Object.Name)
		}
	}
	above := s.chainOf(r, a)
	for _, p := range r.Metadata(view.Need{Kind: view.Pods, Namespace: a.Namespace}) {
		known[p.GetName()] = true
		if above[controllerOf(p)] {
			own = append(own, p.GetName())
		}
	}
	if r.Provisional() {
		return nil, nil, nil
	}
	for _, name := range s.keep {
		name = strings.TrimPrefix(name, "pod/")
		need := view.Need{Kind: view.Pods, Namespace: a.Namespace, Name: name, Detail: view.Full}
		p, found := view.Get[*corev1.Pod](r, need)
		if err := r.Err(need); err != nil {
			return nil, nil, fmt.Errorf("--keep: %w", err)
		}
		if !r.Provisional() && (!found || !slices.Contains(own, name)) {
			return nil, nil, fmt.Errorf("--keep: %w", notOf(a.Target, name, own, known[name]))
		}
		pods = append(pods, p)
	}
	return pods, own, nil
}

// chainOf are the UIDs of the target and of what it scales.
func (s *session) chainOf(r *view.Reader, a aim) map[types.UID]bool {
	target, ok := r.Held(a.Kind, a.Namespace, a.Name)
	if !ok {
		return nil
	}
	chain := map[types.UID]bool{target.GetUID(): true}
	for _, k := range a.controller.Scales {
		for _, obj := range r.ControlledBy(view.Need{Kind: k, Namespace: a.Namespace}, target.GetUID()) {
			chain[obj.GetUID()] = true
		}
	}
	return chain
}

// costsAbove are the pod-deletion-costs that are 1 above those of some Pods, from 1 on,
// which one without any has.
func costsAbove(r *view.Reader, namespace string, names []string) []int64 {
	among, above := map[string]bool{}, []int64{1}
	for _, name := range names {
		among[name] = true
	}
	for _, p := range r.Metadata(view.Need{Kind: view.Pods, Namespace: namespace}) {
		if among[p.GetName()] {
			above = append(above, min(max(costOf(p), 0)+1, math.MaxInt32))
		}
	}
	slices.Sort(above)
	return slices.Compact(above)
}

// costOf is the pod-deletion-cost of a Pod, 0 where that is none.
func costOf(p metav1.Object) int64 {
	cost, err := strconv.ParseInt(p.GetAnnotations()[corev1.PodDeletionCost], 10, 32)
	if err != nil {
		return 0
	}
	return cost
}

// withCost are those of some names with another pod-deletion-cost.
func withCost(pods []*corev1.Pod, names map[string]bool, cost string) []metav1.Object {
	var all []metav1.Object
	for _, p := range pods {
		if names[p.Name] {
			p = p.DeepCopy()
			metav1.SetMetaDataAnnotation(&p.ObjectMeta, corev1.PodDeletionCost, cost)
			all = append(all, p)
		}
	}
	return all
}
