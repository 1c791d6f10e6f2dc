package driver

import (
	"context"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	kubecontroller "k8s.io/kubernetes/pkg/controller"

	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/driver/contract"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/driver/edge"
)

// answerClaim runs the real ref manager on each pod alone. Unlike a sync it
// does not filter inactive pods first, and every pod gets its own recheck.
func (o *oracle) answerClaim(req *contract.Request, resp *contract.Response) error {
	c, err := o.controllerFor(req.Kind)
	if err != nil {
		return err
	}
	s, err := prepare(c, req)
	if err != nil {
		return err
	}
	manager, err := c.claimer(req.Key)
	if err != nil {
		return err
	}
	resp.Claims = []string{}
	for _, pod := range req.Pods {
		c.cluster.begin(s.live, s.Faults)
		claimed, err := manager.claim(c.ctx, pod)
		patches := c.cluster.seen.patches
		resp.Claims = append(resp.Claims, outcome(claimed, patches, err))
		resp.Patches = append(resp.Patches, patches...)
	}
	return nil
}

// claimer builds the ref manager's inputs as claimPods does
// (pkg/controller/replicaset/replica_set.go).
func (c *controller) claimer(key string) (claimer, error) {
	cached := c.cached(key)
	if cached == nil {
		return claimer{}, fmt.Errorf("%s %s is not among the request's objects", c.gvk.Kind, key)
	}
	selector, err := selectorOf(cached)
	if err != nil {
		return claimer{}, err
	}
	owner := cached.(metav1.Object)
	return claimer{
		podControl: edge.Field(c.rsc, "podControl").Interface().(kubecontroller.PodControlInterface),
		owner:      owner,
		selector:   selector,
		kind:       c.gvk,
		live:       func(context.Context) (metav1.Object, error) { return c.sameUID(owner) },
	}, nil
}

// sameUID is the live read with the identity check of claimPods.
func (c *controller) sameUID(owner metav1.Object) (metav1.Object, error) {
	live, err := c.cluster.liveMeta()
	if err != nil {
		return nil, err
	}
	if live.GetUID() != owner.GetUID() {
		return nil, fmt.Errorf("uid %s is live, %s is cached", live.GetUID(), owner.GetUID())
	}
	return live, nil
}

// selectorOf reads the selector as the sync does; a ReplicationController's
// map becomes matchLabels (pkg/controller/replication/conversion.go).
func selectorOf(set any) (labels.Selector, error) {
	switch s := set.(type) {
	case *corev1.ReplicationController:
		if s.Spec.Selector == nil {
			return labels.Nothing(), nil
		}
		return metav1.LabelSelectorAsSelector(&metav1.LabelSelector{MatchLabels: s.Spec.Selector})
	case *appsv1.ReplicaSet:
		return metav1.LabelSelectorAsSelector(s.Spec.Selector)
	}
	return nil, fmt.Errorf("%T has no selector", set)
}

// outcome names what happened to one pod.
func outcome(claimed bool, patches []contract.Patch, err error) string {
	switch {
	case err != nil:
		return contract.ClaimError
	case claimed && len(patches) > 0:
		return contract.ClaimAdopted
	case claimed:
		return contract.ClaimClaimed
	case len(patches) > 0 && patchCall([]byte(patches[0].Body)) == contract.CallRelease:
		return contract.ClaimReleased
	}
	return contract.ClaimIgnored
}
