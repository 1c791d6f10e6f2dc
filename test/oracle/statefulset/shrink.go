package statefulset

import (
	"encoding/json"
	"iter"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/statefulset/contract"
)

// shrink looks for the smallest request, of those made by leaving things out, of which
// disagree says that the plugin and upstream still do.
func shrink(req *contract.Request, disagree func(*contract.Request) bool) *contract.Request {
	for again := true; again; {
		again = false
		for smaller := range simpler(req) {
			if disagree(smaller) {
				req, again = smaller, true
				break
			}
		}
	}
	return req
}

// simpler yields copies of a request with one thing less each.
func simpler(req *contract.Request) iter.Seq[*contract.Request] {
	return func(yield func(*contract.Request) bool) {
		try := func(change func(*contract.Request)) bool {
			c := clone(req)
			change(c)
			return string(encode(c)) == string(encode(req)) || yield(c)
		}
		each := func(n int, change func(*contract.Request, int)) bool {
			for i := range n {
				if !try(func(c *contract.Request) { change(c, i) }) {
					return false
				}
			}
			return true
		}
		_ = each(len(req.Pods), func(c *contract.Request, i int) { c.Pods = slices.Delete(c.Pods, i, i+1) }) &&
			each(len(req.Claims), func(c *contract.Request, i int) { c.Claims = slices.Delete(c.Claims, i, i+1) }) &&
			each(len(req.Revisions), func(c *contract.Request, i int) { c.Revisions = slices.Delete(c.Revisions, i, i+1) }) &&
			each(len(req.Faults), func(c *contract.Request, i int) { c.Faults = slices.Delete(c.Faults, i, i+1) }) &&
			each(len(plainer), func(c *contract.Request, i int) { plainer[i](c) }) &&
			each(len(req.Pods)*len(plainerPod), func(c *contract.Request, i int) { plainerPod[i%len(plainerPod)](c.Pods[i/len(plainerPod)]) })
	}
}

// plainer are changes to the state as a whole.
var plainer = []func(*contract.Request){
	func(c *contract.Request) { c.Live, c.Twin, c.Behind = nil, nil, nil },
	func(c *contract.Request) { c.Gates = nil },
	func(c *contract.Request) { *c.StatefulSets[0].Spec.Replicas /= 2 },
	func(c *contract.Request) {
		c.StatefulSets[0].Spec.Replicas = new(max(0, *c.StatefulSets[0].Spec.Replicas-1))
	},
	func(c *contract.Request) { c.StatefulSets[0].Spec.VolumeClaimTemplates = nil },
	func(c *contract.Request) { c.StatefulSets[0].Spec.MinReadySeconds = 0 },
	func(c *contract.Request) { c.StatefulSets[0].Spec.Ordinals = nil },
	func(c *contract.Request) { c.StatefulSets[0].Spec.PersistentVolumeClaimRetentionPolicy = nil },
	func(c *contract.Request) { c.StatefulSets[0].Spec.RevisionHistoryLimit = new(int32(10)) },
	func(c *contract.Request) { c.StatefulSets[0].DeletionTimestamp = nil },
	func(c *contract.Request) { c.StatefulSets[0].Status.CollisionCount = nil },
	func(c *contract.Request) { c.StatefulSets[0].Status.Conditions = nil },
}

// plainerPod are changes to one Pod.
var plainerPod = []func(*corev1.Pod){
	func(p *corev1.Pod) { p.DeletionTimestamp = nil },
	func(p *corev1.Pod) { p.Status.Phase = corev1.PodRunning },
	func(p *corev1.Pod) { p.Status.Conditions = nil },
	func(p *corev1.Pod) { p.OwnerReferences = nil },
	func(p *corev1.Pod) { p.Spec.Volumes = nil },
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
