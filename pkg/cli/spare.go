package cli

import (
	"fmt"
	"math"
	"slices"
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
// them, the command that sets it is the answer.
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
	cost := fmt.Sprint(min(highestCost(r, a.Namespace, own)+1, math.MaxInt32))
	for before := -1; len(lost) > max(before, 0); { // one that is spared may cost another
		before = len(lost)
		spared, more, err := decide(v.With(view.Pods, withCost(pods, lost, cost)...))
		used = append(used, more...)
		if err != nil {
			return used, err
		}
		for i := range all {
			k := &all[i]
			k.Command = ""
			switch left := spared.FateOf(k.Pod).Fate; {
			case left == decision.Safe && lost[k.Pod.Name]:
				k.Command = costly(k.Pod, cost)
			case left != decision.Safe:
				lost[k.Pod.Name] = true
			}
		}
	}
	for i := range all {
		if k := &all[i]; len(lost) > 1 && lost[k.Pod.Name] && k.Command == "" {
			alone, more, err := decide(v.With(view.Pods, withCost(pods, map[string]bool{k.Pod.Name: true}, cost)...))
			used = append(used, more...)
			if err != nil {
				return used, err
			}
			if alone.FateOf(k.Pod).Fate == decision.Safe {
				k.CommandAlone = costly(k.Pod, cost)
			}
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

// highestCost is the highest pod-deletion-cost of some Pods, 0 where none has any.
func highestCost(r *view.Reader, namespace string, names []string) int {
	among := map[string]bool{}
	for _, name := range names {
		among[name] = true
	}
	highest := 0
	for _, p := range r.Metadata(view.Need{Kind: view.Pods, Namespace: namespace}) {
		if cost, err := strconv.ParseInt(p.GetAnnotations()[corev1.PodDeletionCost], 10, 32); err == nil && among[p.GetName()] {
			highest = max(highest, int(cost))
		}
	}
	return highest
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
