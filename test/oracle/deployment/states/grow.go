package states

import (
	"encoding/json"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"

	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/deployment/contract"
)

// grow makes one sync's writes come true and lets the sets move on.
func (s *scene) grow(req *contract.Request, step Step) {
	writes, err := step(req)
	if err != nil {
		s.Fatal(err)
	}
	for _, w := range writes {
		s.apply(req, w)
	}
	for _, rs := range req.ReplicaSets {
		s.moveOn(rs)
	}
	if s.chance(15) {
		d := req.Deployments[0]
		d.Spec.Replicas = ptr.To(s.desired())
		d.Generation++
	}
	if s.chance(5) {
		d := req.Deployments[0]
		d.Spec.Template = s.template(s.between(0, 3))
		d.Generation++
	}
}

func (s *scene) apply(req *contract.Request, w contract.Write) {
	if w.Error != "" {
		return
	}
	switch w.Call {
	case contract.CallUpdateStatus, contract.CallUpdateDeployment:
		req.Deployments[0] = read(s, w, &appsv1.Deployment{})
	case contract.CallUpdateSet:
		for i, rs := range req.ReplicaSets {
			if rs.Name == w.Name {
				req.ReplicaSets[i] = read(s, w, &appsv1.ReplicaSet{})
				req.ReplicaSets[i].Generation++
			}
		}
	case contract.CallDeleteSet:
		var kept []*appsv1.ReplicaSet
		for _, rs := range req.ReplicaSets {
			if rs.Name != w.Name {
				kept = append(kept, rs)
			}
		}
		req.ReplicaSets = kept
	case contract.CallCreateSet:
		s.create(req, read(s, w, &appsv1.ReplicaSet{}))
	}
}

func (s *scene) create(req *contract.Request, rs *appsv1.ReplicaSet) {
	hash := fmt.Sprintf("new%d", len(req.ReplicaSets))
	rs.Name, rs.UID, rs.ResourceVersion = Name+"-"+hash, types.UID("uid-"+hash), "900"
	rs.CreationTimestamp, rs.Generation = ago(1), 1
	rs.Labels["pod-template-hash"] = hash
	rs.Spec.Selector.MatchLabels["pod-template-hash"] = hash
	rs.Spec.Template.Labels["pod-template-hash"] = hash
	req.ReplicaSets = append(req.ReplicaSets, rs)
}

// read decodes what was sent, as the API server keeps it.
func read[T any](s *scene, w contract.Write, into T) T {
	if err := json.Unmarshal(w.Object, into); err != nil {
		s.Fatal(err)
	}
	return into
}

// moveOn lets a set's own controller catch up, all the way or in part.
func (s *scene) moveOn(rs *appsv1.ReplicaSet) {
	n, st := *rs.Spec.Replicas, &rs.Status
	switch s.between(0, 4) {
	case 0:
		return
	case 1:
		st.Replicas = n
		st.ReadyReplicas, st.AvailableReplicas = min(st.ReadyReplicas, n), min(st.AvailableReplicas, n)
	default:
		st.Replicas, st.ReadyReplicas, st.AvailableReplicas = n, n, n
	}
	st.ObservedGeneration = rs.Generation
	if s.modelled.AtLeast(35, 0) {
		st.TerminatingReplicas = ptr.To[int32](0)
	}
}
