package states

import (
	"encoding/json"
	"fmt"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/deployment/contract"
)

// grow makes one sync's writes come true and lets the sets move on.
func (s *scene) grow(req *contract.Request, step Step) error {
	writes, err := step(req)
	if err != nil {
		return err
	}
	for _, w := range writes {
		if err := s.apply(req, w); err != nil {
			return fmt.Errorf("%s %s: %w", w.Call, w.Name, err)
		}
	}
	for _, rs := range req.ReplicaSets {
		s.moveOn(rs)
	}
	if s.chance(15) {
		d := req.Deployments[0]
		d.Spec.Replicas = new(s.desired())
		d.Generation++
	}
	if s.chance(5) {
		d := req.Deployments[0]
		d.Spec.Template = s.template(s.between(0, 3))
		d.Generation++
	}
	return nil
}

func (s *scene) apply(req *contract.Request, w contract.Write) error {
	if w.Error != "" {
		return nil
	}
	switch w.Call {
	case contract.CallUpdateStatus, contract.CallUpdateDeployment:
		d, err := read(w, &appsv1.Deployment{})
		req.Deployments[0] = d
		return err
	case contract.CallDeleteSet:
		req.ReplicaSets = slices.DeleteFunc(req.ReplicaSets, func(rs *appsv1.ReplicaSet) bool { return rs.Name == w.Name })
		return nil
	case contract.CallUpdateSet, contract.CallCreateSet:
		rs, err := read(w, &appsv1.ReplicaSet{})
		s.keep(req, w, rs)
		return err
	}
	return nil
}

// keep stores a set as the API server does.
func (s *scene) keep(req *contract.Request, w contract.Write, rs *appsv1.ReplicaSet) {
	if w.Call == contract.CallCreateSet {
		s.create(req, rs)
		return
	}
	for i, old := range req.ReplicaSets {
		if old.Name == w.Name {
			rs.Generation++
			req.ReplicaSets[i] = rs
		}
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

// read decodes what was sent.
func read[T any](w contract.Write, into T) (T, error) {
	return into, json.Unmarshal(w.Object, into)
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
		st.TerminatingReplicas = new(int32(0))
	}
}
