package states

import (
	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/deployment/contract"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/random"
)

// Step is what one sync makes of a state: the writes that the API server took.
type Step func(*contract.Request) ([]contract.Write, error)

// Draw is the state of a seed for the controller of a version. step lets some of
// them grow from others.
func Draw(version string, seed int, step Step) (*contract.Request, error) {
	v, err := profile.ParseVersion(version)
	if err != nil {
		return nil, err
	}
	s := &scene{draw: draw{random.New(uint64(seed))}, modelled: v}
	return s.request(step)
}

// scene is a state in the making.
type scene struct {
	draw
	modelled profile.Version
}

func (s *scene) request(step Step) (*contract.Request, error) {
	d := s.drawDeployment()
	s.drawStatus(d)
	req := &contract.Request{Key: Namespace + "/" + Name, Gates: s.gates(), Deployments: []*appsv1.Deployment{d}}
	req.ReplicaSets = s.drawSets(d)
	if !s.chance(35) {
		s.tidy(d, req.ReplicaSets)
	}
	req.Pods = s.drawPods(req.ReplicaSets)
	if s.chance(50) {
		for range s.between(1, 5) {
			if err := s.grow(req, step); err != nil {
				return nil, err
			}
		}
		if s.chance(30) {
			s.wait(req.Deployments[0])
		}
	}
	s.live(req)
	s.faults(req)
	return req, nil
}

func (s *scene) gates() map[string]bool {
	if s.chance(30) && s.modelled.AtLeast(33, 0) {
		return map[string]bool{"DeploymentReplicaSetTerminatingReplicas": !s.modelled.AtLeast(35, 0)}
	}
	return nil
}

func (s *scene) live(req *contract.Request) {
	if !s.chance(5) {
		return
	}
	req.Live = req.Deployments[0].DeepCopy()
	if s.chance(50) {
		req.Live.UID = "uid-younger"
	} else {
		t := ago(5)
		req.Live.DeletionTimestamp = &t
	}
}

// faults lets some calls fail.
func (s *scene) faults(req *contract.Request) {
	if !s.chance(25) {
		return
	}
	add := func(call, name string, index int, reason string) {
		req.Faults = append(req.Faults, contract.Fault{Call: call, Name: name, Index: index, Reason: reason, Message: "the server said no"})
	}
	reason := func() string {
		return pick(s.draw, "InternalError", "Conflict", "NotFound", "Forbidden", "NamespaceTerminating", "Invalid")
	}
	switch s.between(0, 9) {
	case 0:
		add(contract.CallRecheck, "", 0, reason())
	case 1, 2:
		for _, rs := range req.ReplicaSets {
			if s.chance(50) {
				add(contract.CallPatchSet, rs.Name, 0, reason())
			}
		}
	case 3, 4:
		add(contract.CallAny, "", 0, "AlreadyExists")
		s.twin(req)
	default:
		for range s.between(1, 3) {
			add(contract.CallAny, "", s.between(0, 4), reason())
		}
	}
}

// twin is a set under the name of the one to be created.
func (s *scene) twin(req *contract.Request) {
	if s.chance(20) {
		return
	}
	d := req.Deployments[0]
	req.Twin = s.drawSet(d, 20)
	req.Twin.Spec.Template = s.template(s.between(0, 1))
	req.Twin.OwnerReferences = pick(s.draw, nil, []metav1.OwnerReference{*metav1.NewControllerRef(d, appsv1.SchemeGroupVersion.WithKind("Deployment"))})
}
