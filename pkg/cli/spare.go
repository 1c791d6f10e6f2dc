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
	pods, own, err := s.keptPods(r, a, d)
	if err != nil || r.Provisional() {
		return []*view.Reader{r}, err
	}
	k := &sparing{
		view: v, decides: s.toTheEnd(a, changes), used: []*view.Reader{r}, pods: pods, costs: costsAbove(r, a.Namespace, own),
		all: make([]decision.Spared, len(pods)), lost: map[string]bool{},
	}
	for _, step := range []func() error{k.look, k.together, k.cheaply, k.alone} {
		if err := step(); err != nil {
			return k.used, err
		}
	}
	d.Keeps(k.all)
	return k.used, nil
}

// sparing is a search for what spares Pods.
type sparing struct {
	view    *view.View
	decides func(*view.View) (*decision.Decision, []*view.Reader, error)
	used    []*view.Reader
	pods    []*corev1.Pod
	// costs are those that may spare a Pod, the least first.
	costs []int64
	all   []decision.Spared
	// lost are the names of Pods that are deleted, or may be, without a cost.
	lost map[string]bool
}

// decide decides with a cost of some Pods.
func (k *sparing) decide(names map[string]bool, cost int64) (*decision.Decision, error) {
	v := k.view
	if len(names) > 0 {
		v = v.With(view.Pods, withCost(k.pods, names, fmt.Sprint(cost))...)
	}
	d, more, err := k.decides(v)
	k.used = append(k.used, more...)
	return d, err
}

func (k *sparing) highest() int64 { return k.costs[len(k.costs)-1] }

// look finds out what becomes of the Pods.
func (k *sparing) look() error {
	end, err := k.decide(nil, 0)
	if err != nil {
		return err
	}
	for i, p := range k.pods {
		k.all[i] = end.FateOf(decision.Ref{APIVersion: "v1", Kind: view.Pods.Kind, Namespace: p.Namespace, Name: p.Name, UID: string(p.UID)})
		switch {
		case p.DeletionTimestamp != nil:
			k.all[i].Fate, k.all[i].Message, k.all[i].Going = decision.Doomed, "it is being deleted already", true
		case k.all[i].Fate != decision.Safe:
			k.lost[p.Name] = true
		}
	}
	return nil
}

// together gives all that are lost the highest cost, and finds those that it spares: one
// that is spared may cost another.
func (k *sparing) together() error {
	for before := -1; len(k.lost) > max(before, 0); {
		before = len(k.lost)
		d, err := k.decide(k.lost, k.highest())
		if err != nil {
			return err
		}
		for i := range k.all {
			pod := k.all[i].Pod
			left := d.FateOf(pod).Fate
			k.all[i].Command, k.all[i].MayStay = "", left == decision.AtRisk
			switch {
			case left == decision.Safe && k.lost[pod.Name]:
				k.all[i].Command = costly(pod, k.highest())
			case left != decision.Safe:
				k.lost[pod.Name] = true
			}
		}
	}
	return nil
}

// cheaply takes the least cost for those that one spares together.
func (k *sparing) cheaply() error {
	var spared []decision.Ref
	for _, one := range k.all {
		if one.Command != "" {
			spared = append(spared, one.Pod)
		}
	}
	if len(spared) == 0 {
		return nil
	}
	cost, err := k.cheapest(k.lost, spared...)
	for i := range k.all {
		if k.all[i].Command != "" {
			k.all[i].Command = costly(k.all[i].Pod, cost)
		}
	}
	return err
}

// alone finds the cost for each that none spares together with others.
func (k *sparing) alone() error {
	for i := range k.all {
		pod := k.all[i].Pod
		if len(k.lost) == 1 || !k.lost[pod.Name] || k.all[i].Command != "" {
			continue
		}
		one := map[string]bool{pod.Name: true}
		d, err := k.decide(one, k.highest())
		if err != nil {
			return err
		}
		if d.FateOf(pod).Fate != decision.Safe {
			continue
		}
		least, err := k.cheapest(one, pod)
		if err != nil {
			return err
		}
		k.all[i].CommandAlone = costly(pod, least)
	}
	return nil
}

// cheapest is the least cost that spares all of some Pods, which the highest does; none
// that any of those that get it has already.
func (k *sparing) cheapest(names map[string]bool, of ...decision.Ref) (cost int64, failed error) {
	has := int64(math.MinInt32)
	for _, p := range k.pods {
		if names[p.Name] {
			has = max(has, costOf(p))
		}
	}
	i := sort.Search(len(k.costs)-1, func(i int) bool {
		if k.costs[i] <= has || failed != nil {
			return false
		}
		d, err := k.decide(names, k.costs[i])
		failed = err
		return err == nil && !slices.ContainsFunc(of, func(pod decision.Ref) bool { return d.FateOf(pod).Fate != decision.Safe })
	})
	return k.costs[i], failed
}

// costly is the command that gives a Pod a pod-deletion-cost.
func costly(pod decision.Ref, cost int64) string {
	return fmt.Sprintf("kubectl annotate pod %s -n %s --overwrite %s=%d", pod.Name, pod.Namespace, corev1.PodDeletionCost, cost)
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
