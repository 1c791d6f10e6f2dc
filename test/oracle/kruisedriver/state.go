package kruisedriver

import (
	"encoding/json"
	"fmt"

	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	appsv1alpha1 "github.com/openkruise/kruise/apis/apps/v1alpha1"
	policyv1alpha1 "github.com/openkruise/kruise/apis/policy/v1alpha1"

	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/kruisedriver/contract"
)

// state is a request decoded and ready for any number of runs.
type state struct {
	*contract.Request
	key    types.NamespacedName
	faults faults
	// others is everything but the pods.
	others []client.Object
}

// prepare writes the data of revisions as the API server would, which has no
// white space and escapes some characters: upstream compares bytes.
func prepare(req *contract.Request, newImagePullJob func() client.Object) (*state, error) {
	s := &state{Request: req}
	set, err := decodeCloneSet(req.CloneSet)
	if err != nil {
		return nil, err
	}
	s.key = client.ObjectKeyFromObject(set)
	s.others = append(s.others, set)
	for _, object := range req.PVCs {
		s.others = append(s.others, object)
	}
	for _, object := range req.ControllerRevisions {
		if object.Data.Raw, err = json.Marshal(object.Data); err != nil {
			return nil, fmt.Errorf("controllerRevision %s: %w", object.Name, err)
		}
		s.others = append(s.others, object)
	}
	for _, object := range req.Nodes {
		s.others = append(s.others, object)
	}
	if err := s.decode("podUnavailableBudgets", req.PodUnavailableBudgets, func() client.Object { return &policyv1alpha1.PodUnavailableBudget{} }); err != nil {
		return nil, err
	}
	if err := s.decode("imagePullJobs", req.ImagePullJobs, newImagePullJob); err != nil {
		return nil, err
	}
	s.faults, err = newFaults(req.Faults)
	return s, err
}

func decodeCloneSet(raw json.RawMessage) (*appsv1alpha1.CloneSet, error) {
	if len(raw) == 0 {
		return nil, fmt.Errorf("the request has no cloneSet")
	}
	set := &appsv1alpha1.CloneSet{}
	if err := json.Unmarshal(raw, set); err != nil {
		return nil, fmt.Errorf("cloneSet: %w", err)
	}
	return set, nil
}

func (s *state) decode(what string, raws []json.RawMessage, construct func() client.Object) error {
	for i, raw := range raws {
		object := construct()
		if err := json.Unmarshal(raw, object); err != nil {
			return fmt.Errorf("%s[%d]: %w", what, i, err)
		}
		s.others = append(s.others, object)
	}
	return nil
}

// store returns a fresh store whose pods are in that order.
func (s *state) store(order []int) (*store, error) {
	if err := checkPermutation(order, len(s.Pods)); err != nil {
		return nil, err
	}
	fresh := newStore()
	for _, object := range s.others {
		if err := fresh.fill(object); err != nil {
			return nil, err
		}
	}
	for _, i := range order {
		if err := fresh.fill(s.Pods[i]); err != nil {
			return nil, err
		}
	}
	return fresh, nil
}

func checkPermutation(order []int, n int) error {
	seen := make([]bool, n)
	for _, i := range order {
		if i < 0 || i >= n || seen[i] {
			return fmt.Errorf("order %v is not a permutation of %d pods", order, n)
		}
		seen[i] = true
	}
	if len(order) != n {
		return fmt.Errorf("order has %d entries for %d pods", len(order), n)
	}
	return nil
}

// ordersOf returns the request's orders, or the order given.
func ordersOf(req *contract.Request) [][]int {
	if len(req.Orders) > 0 {
		return req.Orders
	}
	given := make([]int, len(req.Pods))
	for i := range given {
		given[i] = i
	}
	return [][]int{given}
}
