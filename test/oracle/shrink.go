package oracle

import (
	"encoding/json"
	"iter"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/contract"
)

// Shrink looks for the smallest state, of those made by leaving things out of
// a mismatch, that the plugin and upstream still disagree on.
func Shrink(p *Process, m Mismatch) Mismatch {
	for again := true; again; {
		again = false
		for req := range simpler(m.Question.Request) {
			if smaller, ok := disagree(p, req, m.Seed); ok {
				m, again = smaller, true
				break
			}
		}
	}
	return m
}

func disagree(p *Process, req *contract.Request, seed int) (Mismatch, bool) {
	q, err := NewQuestion(p.Version, req, uint64(seed))
	if err != nil {
		return Mismatch{}, false
	}
	resp, err := p.One(q.Request)
	if err != nil {
		return Mismatch{}, false
	}
	d := Differences(q, resp)
	return Mismatch{seed, q, d}, len(d) > 0
}

// simpler yields copies of a request with one thing less each.
func simpler(req *contract.Request) iter.Seq[*contract.Request] {
	return func(yield func(*contract.Request) bool) {
		try := func(change func(*contract.Request)) bool {
			c := clone(req)
			change(c)
			return string(encode(c)) == string(encode(req)) || yield(c)
		}
		for i := range req.Pods {
			if !try(func(c *contract.Request) { c.Pods = slices.Delete(c.Pods, i, i+1) }) {
				return
			}
		}
		for i := range req.Faults {
			if !try(func(c *contract.Request) { c.Faults = slices.Delete(c.Faults, i, i+1) }) {
				return
			}
		}
		for _, change := range plainer {
			if !try(change) {
				return
			}
		}
		for i := range req.Pods {
			for _, change := range plainerPod {
				if !try(func(c *contract.Request) { change(c.Pods[i]) }) {
					return
				}
			}
		}
	}
}

// plainer are changes to the state as a whole.
var plainer = []func(*contract.Request){
	func(c *contract.Request) { c.Expectations = nil },
	func(c *contract.Request) { c.Live = nil },
	func(c *contract.Request) { c.Behind = nil },
	func(c *contract.Request) { c.Gates = nil },
	func(c *contract.Request) { c.ReplicaSets = c.ReplicaSets[max(0, len(c.ReplicaSets)-1):] },
	func(c *contract.Request) {
		c.ReplicationControllers = c.ReplicationControllers[max(0, len(c.ReplicationControllers)-1):]
	},
	func(c *contract.Request) { target(c).replicas(-1) },
	func(c *contract.Request) { target(c).clearStatus() },
	func(c *contract.Request) { cached(c).SetOwnerReferences(nil) },
	func(c *contract.Request) { cached(c).SetDeletionTimestamp(nil) },
}

// plainerPod are changes to one pod.
var plainerPod = []func(*corev1.Pod){
	func(p *corev1.Pod) { p.Annotations = nil },
	func(p *corev1.Pod) { p.DeletionTimestamp = nil },
	func(p *corev1.Pod) { p.Spec.InitContainers, p.Status.InitContainerStatuses = nil, nil },
	func(p *corev1.Pod) { p.Status.ContainerStatuses = nil },
	func(p *corev1.Pod) { p.Spec.NodeName = "n1" },
	func(p *corev1.Pod) { p.Status.Phase = corev1.PodRunning },
	func(p *corev1.Pod) { p.Status.Conditions = nil },
	func(p *corev1.Pod) { p.OwnerReferences = nil },
	func(p *corev1.Pod) { delete(p.Labels, "tier") },
}

func clone(req *contract.Request) *contract.Request {
	c := &contract.Request{}
	if err := json.Unmarshal(encode(req), c); err != nil {
		panic(err)
	}
	return c
}

func encode(req *contract.Request) []byte {
	raw, err := json.Marshal(req)
	if err != nil {
		panic(err) // plain data
	}
	return raw
}
