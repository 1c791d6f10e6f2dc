package states

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/contract"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/random"
)

// The names that every state uses for the set under test and its surroundings.
const (
	Namespace = "shop"
	Name      = "web"
	setUID    = "uid-web"
	ownerUID  = "uid-deployment"
)

// Draw is the request of a seed for one sync of the controllers of a version,
// without ID and orders.
func Draw(version string, seed int) *contract.Request {
	return newScene(random.New(uint64(seed)), version).request()
}

// Generator draws such requests for property tests.
func Generator(version string) *rapid.Generator[*contract.Request] {
	return rapid.Custom(func(t *rapid.T) *contract.Request { return newScene(random.Rapid{T: t}, version).request() })
}

// scene is a state in the making. It is drawn as ReplicaSets; a
// ReplicationController is translated at the end.
type scene struct {
	draw
	clock   clock
	vary    variety
	stratum stratum
	// modelled is the version whose controllers will meet the state.
	modelled profile.Version
	kind     string
	set      *appsv1.ReplicaSet
	pods     []*corev1.Pod
}

func newScene(from random.Source, version string) *scene {
	s := &scene{draw: draw{from}, modelled: parse(version)}
	s.kind = mostly(s.draw, contract.KindReplicaSet, 25, contract.KindReplicationController)
	s.set = s.target()
	s.clock = newClock(s.draw, int(s.set.Spec.MinReadySeconds))
	s.vary = newVariety(s.draw)
	s.stratum = s.draw.stratum()
	s.settle()
	s.drawPods()
	s.orphan()
	s.wish()
	s.storeStatus()
	return s
}

func (s *scene) request() *contract.Request {
	req := &contract.Request{
		Op: contract.OpSync, Kind: s.kind, Key: Namespace + "/" + Name,
		Gates: mostly(s.draw, nil, 35, Gates(s.modelled)...), Pods: s.pods, Expectations: s.expectations(),
	}
	sets := append(s.siblings(), s.set)
	if s.isRC() {
		for _, rs := range sets {
			req.ReplicationControllers = append(req.ReplicationControllers, s.asRC(rs))
		}
	} else {
		req.ReplicaSets = sets
	}
	req.Live = s.live()
	req.Faults, req.Behind = s.faults(), s.behind()
	return req
}

func (s *scene) isRC() bool { return s.kind == contract.KindReplicationController }
