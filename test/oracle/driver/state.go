package driver

import (
	"encoding/json"
	"fmt"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/cache"

	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/driver/contract"
)

// state is a request made ready for a controller: validated, decoded and in
// the informers' caches.
type state struct {
	*contract.Request
	namespace, name string
	live            runtime.Object
	age             time.Duration
}

// prepare checks the request and fills the controller's caches with it.
func prepare(c *controller, req *contract.Request) (*state, error) {
	s := &state{Request: req}
	var err error
	if s.namespace, s.name, err = cache.SplitMetaNamespaceKey(req.Key); err != nil {
		return nil, err
	}
	if err := faults(req.Faults).validate(); err != nil {
		return nil, err
	}
	if s.age, err = expectationsAge(req.Expectations); err != nil {
		return nil, err
	}
	if err := c.fill(setObjects(req), podObjects(req.Pods)); err != nil {
		return nil, err
	}
	if n := len(c.pods.ListKeys()); n != len(req.Pods) {
		return nil, fmt.Errorf("%d pods have only %d distinct keys", len(req.Pods), n)
	}
	s.live, err = liveObject(c, req)
	return s, err
}

func expectationsAge(e *contract.Expectations) (time.Duration, error) {
	if e == nil || e.Age == "" {
		return 0, nil
	}
	return time.ParseDuration(e.Age)
}

func setObjects(req *contract.Request) []any {
	var objects []any
	if req.Kind == contract.KindReplicationController {
		for _, rc := range req.ReplicationControllers {
			objects = append(objects, rc)
		}
		return objects
	}
	for _, rs := range req.ReplicaSets {
		objects = append(objects, rs)
	}
	return objects
}

func podObjects(pods []*corev1.Pod) []any {
	objects := make([]any, len(pods))
	for i, pod := range pods {
		objects[i] = pod
	}
	return objects
}

// liveObject is what an uncached GET answers: the request's live object, or
// what the cache holds.
func liveObject(c *controller, req *contract.Request) (runtime.Object, error) {
	if len(req.Live) == 0 || string(req.Live) == "null" {
		return c.cached(req.Key), nil
	}
	var live runtime.Object = &appsv1.ReplicaSet{}
	if req.Kind == contract.KindReplicationController {
		live = &corev1.ReplicationController{}
	}
	return live, json.Unmarshal(req.Live, live)
}

// positions turns an order into the place of each pod in every list, and
// checks that the order is a permutation.
func positions(pods []*corev1.Pod, order []int) (map[any]int, error) {
	if len(order) != len(pods) {
		return nil, fmt.Errorf("order has %d entries for %d pods", len(order), len(pods))
	}
	place := make(map[any]int, len(pods))
	for at, pod := range order {
		if pod < 0 || pod >= len(pods) {
			return nil, fmt.Errorf("order names pod %d of %d", pod, len(pods))
		}
		place[pods[pod]] = at
	}
	if len(place) != len(pods) {
		return nil, fmt.Errorf("order %v is not a permutation", order)
	}
	return place, nil
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
