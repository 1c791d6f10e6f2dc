package states

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/statefulset/contract"
)

// drawFaults lets some calls fail.
func (s *scene) drawFaults(req *contract.Request) {
	if s.stratum != refusals && !s.chance(4) {
		return
	}
	for range mostly(s.draw, 1, 40, 2, 3) {
		f := s.fault(req)
		f.Reason = mostly(s.draw, pick(s.draw, "InternalError", "Conflict", "Conflict", "NotFound", "Forbidden", "Invalid", "Timeout"), 10, "AlreadyExists", "NamespaceTerminating")
		if f.Call == contract.CallCreateRevision && s.chance(70) {
			f.Reason, f.Times = "AlreadyExists", s.between(1, 2)
			s.twin(req)
		}
		f.Message = "the server said no"
		req.Faults = append(req.Faults, f)
	}
}

// fault is one of a call that the sync may make. Those of one ordinal are named,
// where they are counted: which of several concurrent requests comes first is not
// deterministic.
func (s *scene) fault(req *contract.Request) contract.Fault {
	ordinal := s.start() + s.IntN(int(*s.set.Spec.Replicas)+2)
	pod := s.podName(ordinal)
	claim := s.claimName(pick(s.draw, "data", "data", "logs"), ordinal)
	f := contract.Fault{Times: mostly(s.draw, 0, 50, 1, 1, 2, 3)}
	switch s.IntN(14) {
	case 0, 1, 2:
		f.Call, f.Times = contract.CallUpdateStatus, mostly(s.draw, f.Times, 30, 4, 5)
	case 3:
		f.Call, f.Name = contract.CallUpdatePod, pod
	case 4, 5:
		f.Call, f.Name = contract.CallDeletePod, pod
	case 6, 7:
		f.Call, f.Name = contract.CallCreatePod, pod
	case 8:
		f.Call, f.Name = contract.CallCreateClaim, claim
	case 9:
		f.Call, f.Name = contract.CallUpdateClaim, claim
	case 10:
		f.Call = pick(s.draw, contract.CallCreateRevision, contract.CallUpdateRevision)
	case 11:
		f.Call, f.Times = contract.CallDeleteRevision, 0
	case 12:
		f.Call, f.Name = contract.CallPatchPod, pod
	case 13:
		f.Call = contract.CallRecheck
		if orphans(req) == 1 && s.chance(50) {
			f.Call = contract.CallPatchRevision
		}
	}
	if f.Name != "" && s.chance(40) {
		f.Name, f.Times = "", 0
	}
	return f
}

// orphans counts revisions without a controller: which of several is adopted first is
// not deterministic.
func orphans(req *contract.Request) (n int) {
	for _, cr := range req.Revisions {
		if metav1.GetControllerOf(cr) == nil {
			n++
		}
	}
	return n
}

// twin is the revision whose name the new one would have.
func (s *scene) twin(req *contract.Request) {
	if s.chance(20) {
		return
	}
	req.Twin = s.revision(1, 30)
	if s.chance(60) {
		req.Twin.Data.Raw = s.data(s.set.Spec.Template, s.own())
	}
}
