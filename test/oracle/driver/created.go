package driver

import (
	"encoding/json"
	"reflect"

	corev1 "k8s.io/api/core/v1"
)

// alike is how many of the Pods that a sync creates are compared with the first.
const alike = 16

// created is what the Pods sent to be created look like.
type created struct {
	first  *corev1.Pod
	unlike bool
}

// add looks at the index-th Pod as it was sent, before the API server names it.
func (c *created) add(pod *corev1.Pod, index int) {
	switch {
	case c.first == nil:
		c.first = pod.DeepCopy()
	case index < alike:
		c.unlike = c.unlike || !reflect.DeepEqual(c.first, pod)
	}
}

func (c *created) body() (json.RawMessage, error) {
	if c.first == nil {
		return nil, nil
	}
	return json.Marshal(c.first)
}
