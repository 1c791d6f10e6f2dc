package kruisedriver

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"

	appsv1alpha1 "github.com/openkruise/kruise/apis/apps/v1alpha1"
	"github.com/openkruise/kruise/pkg/controller/cloneset/core"
	"github.com/openkruise/kruise/pkg/controller/cloneset/sync"
	"github.com/openkruise/kruise/pkg/controller/cloneset/utils"

	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/kruisedriver/contract"
)

// answerLess compares every pair of pods as upstream's choosePodsToDelete
// would within one group of equals in revision, and gives their ranks.
func (o *oracle) answerLess(req *contract.Request, resp *contract.Response) error {
	s, err := prepare(req, o.up.NewImagePullJob)
	if err != nil {
		return err
	}
	return o.inBubble(req, func() error {
		fresh, err := s.store(ordersOf(req)[0])
		if err != nil {
			return err
		}
		o.controller.client.begin(fresh, s.faults)
		sorter := o.controller.deletionOrder(s)
		for i := range req.Pods {
			resp.Ranks = append(resp.Ranks, sorter.Ranker.GetRank(req.Pods[i]))
			for j := range req.Pods {
				resp.Less = append(resp.Less, sorter.Less(i, j))
			}
		}
		return nil
	})
}

// deletionOrder mirrors the closure in choosePodsToDelete of
// pkg/controller/cloneset/sync/cloneset_scale.go. The rankers sort copies.
func (c *controller) deletionOrder(s *state) utils.ActivePodsWithRanks {
	set := s.cloneSet()
	control := core.New(set)
	ranked := append([]*corev1.Pod{}, s.Pods...)
	ranker := utils.NewSameNodeRanker(ranked)
	if constraints := control.GetPodSpreadConstraint(); len(constraints) > 0 {
		ranker = utils.NewSpreadConstraintsRanker(ranked, constraints, c.client)
	}
	return utils.ActivePodsWithRanks{
		Pods:   s.Pods,
		Ranker: ranker,
		AvailableFunc: func(pod *corev1.Pod) bool {
			return sync.IsPodAvailable(control, pod, set.Spec.MinReadySeconds)
		},
	}
}

// answerSort gives, for each order, the pods in the order in which Update
// would take them, as indexes into the request's pods.
func (o *oracle) answerSort(req *contract.Request, resp *contract.Response) error {
	s, err := prepare(req, o.up.NewImagePullJob)
	if err != nil {
		return err
	}
	return o.inBubble(req, func() error {
		for _, order := range ordersOf(req) {
			if err := checkPermutation(order, len(req.Pods)); err != nil {
				return err
			}
			resp.Sorts = append(resp.Sorts, updateOrder(s, order))
		}
		return nil
	})
}

func updateOrder(s *state, order []int) []int {
	set := s.cloneSet()
	pods, indexes := make([]*corev1.Pod, len(order)), make([]int, len(order))
	for i, pod := range order {
		pods[i], indexes[i] = s.Pods[pod], i
	}
	sorted := sync.SortUpdateIndexes(core.New(set), set.Spec.UpdateStrategy, pods, indexes)
	if len(sorted) != len(order) {
		panic(fmt.Sprintf("%d of %d pods sorted", len(sorted), len(order)))
	}
	for i := range sorted {
		sorted[i] = order[sorted[i]]
	}
	return sorted
}

func (s *state) cloneSet() *appsv1alpha1.CloneSet { return s.others[0].(*appsv1alpha1.CloneSet) }
