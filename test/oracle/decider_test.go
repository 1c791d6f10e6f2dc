package oracle

import (
	"maps"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/replicaset"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/contract"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/program"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/states"
)

// steps are what the comparator looks at, in its order, and how a Pod is made
// equal in it to another.
var steps = []struct {
	rules []string
	equal func(p, to *corev1.Pod)
}{
	{[]string{replicaset.UnassignedFirst}, func(p, to *corev1.Pod) { p.Spec.NodeName = to.Spec.NodeName }},
	{[]string{replicaset.PendingFirst}, func(p, to *corev1.Pod) { p.Status.Phase = to.Status.Phase }},
	{[]string{replicaset.NotReadyFirst}, func(p, to *corev1.Pod) { p.Status.Conditions = to.Status.Conditions }},
	{[]string{replicaset.LowerCostFirst}, func(p, to *corev1.Pod) { p.Annotations = to.Annotations }},
	{[]string{replicaset.CoLocatedFirst}, nil}, // a rank is no part of a Pod
	{[]string{replicaset.YoungerReadyFirst, replicaset.ReadyBucketUID}, func(p, to *corev1.Pod) {
		if isReady(p) && isReady(to) { // no other time is looked at
			p.Status.Conditions = to.Status.Conditions
		}
	}},
	{[]string{replicaset.RestartedFirst}, func(p, to *corev1.Pod) { p.Status.ContainerStatuses = to.Status.ContainerStatuses }},
	{[]string{replicaset.SidecarRestartedFirst}, func(p, to *corev1.Pod) {
		p.Spec.InitContainers, p.Status.InitContainerStatuses = to.Spec.InitContainers, to.Status.InitContainerStatuses
	}},
	{[]string{replicaset.YoungerFirst, replicaset.AgeBucketUID}, func(p, to *corev1.Pod) { p.CreationTimestamp = to.CreationTimestamp }},
}

func isReady(p *corev1.Pod) bool {
	for _, c := range p.Status.Conditions {
		if c.Type == corev1.PodReady {
			return c.Status == corev1.ConditionTrue
		}
	}
	return false
}

// pairs are compared in one request.
const pairs = 40

// TestDeciders holds the rule that is said to decide between two Pods to upstream:
// it decides the same way when all later traits are equal, and the Pods tie when
// that trait is equal, too.
func TestDeciders(t *testing.T) {
	eachVersion(t, func(t *testing.T, p *Process) {
		requests := 1 + program.States(t, p.Version, share)/30
		wrong, decided := 0, map[string]int{}
		ask := func(yield func(*contract.Request, []string) bool) {
			for seed := range requests {
				if req, said := deciders(t, p.Version, seed); !yield(req, said) {
					return
				}
			}
		}
		err := Ask(p, ask, func(req *contract.Request, said []string, resp *contract.Response) {
			for i, rule := range said {
				decided[rule]++
				if tellsApart(resp.Less, len(req.Pods), 3*i) {
					continue
				}
				if wrong++; wrong <= 3 {
					t.Errorf("gates %v: %s does not decide between\n%s%s", req.Gates, rule, podLine(req.Pods[3*i]), podLine(req.Pods[3*i+1]))
				}
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		results.of(p.Version).Deciders = sum(decided)
		for _, step := range steps {
			for _, rule := range step.rules {
				if decided[rule] == 0 && has(p.Version, rule) {
					t.Errorf("%s decided nothing", rule)
				}
			}
		}
		t.Logf("%d pairs: %v", sum(decided), decided)
	})
}

func sum(counts map[string]int) int {
	n := 0
	for _, c := range counts {
		n += c
	}
	return n
}

// tellsApart reads n×n comparisons: of three Pods from at on, the first differs from
// the second, and does not from the third.
func tellsApart(less []bool, n, at int) bool {
	before := func(i, j int) bool { return less[i*n+j] }
	a, b, c := at, at+1, at+2
	return before(a, b) != before(b, a) && !before(a, c) && !before(c, a)
}

// deciders are triples of Pods: one, another that differs from it in what decides
// and in earlier traits alone, and that one equal in it as well.
func deciders(t *testing.T, version string, seed int) (*contract.Request, []string) {
	req, said := &contract.Request{Op: contract.OpLess}, []string(nil)
	if all := gates(version); seed%3 == 2 {
		req.Gates = all[seed/3%len(all)]
	}
	p, err := profile.New(profile.Options{Emulate: version, Gates: req.Gates})
	if err != nil {
		t.Fatal(err)
	}
	pods, ranks := states.Pods(version, side, -1-seed), make([]int, side)
	for i := range ranks {
		ranks[i] = i * seed % 5 % 2
	}
	c := replicaset.Compared(p, states.Now, pods, ranks)
	for i := 0; i+1 < side && len(said) < pairs; i++ {
		rule := c.Decided(i, i+1)
		if rule == "" {
			continue
		}
		at := stepOf(rule)
		second, rank := pods[i+1], ranks[i+1]
		later, laterRank := equalFrom(second, rank, pods[i], ranks[i], at+1)
		third, thirdRank := equalFrom(later, laterRank, pods[i], ranks[i], at)
		req.Pods = append(req.Pods, renamed(pods[i], 3*len(said)), renamed(later, 3*len(said)+1), renamed(third, 3*len(said)+2))
		req.Ranks = append(req.Ranks, ranks[i], laterRank, thirdRank)
		said = append(said, rule)
	}
	return req, said
}

func stepOf(rule string) int {
	for i, s := range steps {
		if slices.Contains(s.rules, rule) {
			return i
		}
	}
	panic(rule + " is no step of the comparator")
}

// equalFrom is a Pod made equal to another in all steps from at on.
func equalFrom(p *corev1.Pod, rank int, to *corev1.Pod, toRank, at int) (*corev1.Pod, int) {
	p = p.DeepCopy()
	for _, s := range steps[at:] {
		if s.equal == nil {
			rank = toRank
			continue
		}
		s.equal(p, to)
	}
	return p, rank
}

func renamed(p *corev1.Pod, i int) *corev1.Pod {
	p = p.DeepCopy()
	p.Name = "p" + string(rune('0'+i/100)) + string(rune('0'+i/10%10)) + string(rune('0'+i%10))
	p.Labels = maps.Clone(p.Labels)
	return p
}
