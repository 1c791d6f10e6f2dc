package states

import (
	"math/rand/v2"

	appsv1 "k8s.io/api/apps/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/statefulset/contract"
)

// The names that every state uses.
const (
	Namespace = "shop"
	Name      = "web"
	setUID    = "uid-web"
)

// State is a request with what it is about.
type State struct {
	*contract.Request
	// Traits are the words of Traits that hold for the state.
	Traits map[string]bool
}

// Draw is the state of a seed for the controller of a version.
func Draw(version string, seed int) (State, error) {
	v, err := profile.ParseVersion(version)
	if err != nil {
		return State{}, err
	}
	s := &scene{draw: draw{rand.New(rand.NewPCG(uint64(seed), 19))}, modelled: v, traits: map[string]bool{}}
	return State{s.request(), s.traits}, nil
}

// scene is a state in the making.
type scene struct {
	draw
	modelled profile.Version
	traits   map[string]bool
	stratum  stratum

	gates map[string]bool
	set   *appsv1.StatefulSet
	// revisions are in the order of their numbers, of which update is that of the
	// template and current the one before, both "" where there is none.
	revisions       []*appsv1.ControllerRevision
	current, update string
}

func (s *scene) request() *contract.Request {
	s.stratum = s.drawStratum()
	s.gates = s.drawGates()
	s.set = s.drawSet()
	s.drawRevisions()
	req := &contract.Request{
		Key: Namespace + "/" + Name, Gates: s.gates, StatefulSets: s.withSibling(),
		Revisions: s.revisions, Pods: s.drawPods(), Behind: s.drawBehind(),
	}
	req.Claims = s.drawClaims(req.Pods)
	s.drawStatus(req.Pods)
	req.Live = s.drawLive()
	s.drawFaults(req)
	s.describe(req)
	s.Shuffle(len(req.Pods), func(i, j int) { req.Pods[i], req.Pods[j] = req.Pods[j], req.Pods[i] })
	return req
}

// withSibling are the set and, at times, one that selects the same Pods.
func (s *scene) withSibling() []*appsv1.StatefulSet {
	percent := 1
	if s.stratum == strangers {
		percent = 20
	}
	if !s.chance(percent) {
		return []*appsv1.StatefulSet{s.set}
	}
	sibling := s.set.DeepCopy()
	sibling.Name, sibling.UID = "cart", "uid-cart"
	return []*appsv1.StatefulSet{s.set, sibling}
}

// drawBehind is about the controller's own writes that its caches do not have. Of
// several, the error names any.
func (s *scene) drawBehind() []string {
	if !s.chance(2) {
		return nil
	}
	return []string{pick(s.draw, "pods", "persistentvolumeclaims", "statefulsets.apps")}
}

// drawLive is the set that an uncached read finds, where it is another.
func (s *scene) drawLive() *appsv1.StatefulSet {
	if !s.chance(5) {
		return nil
	}
	live := s.set.DeepCopy()
	if s.chance(50) {
		live.UID = "uid-younger"
	} else {
		deleted := ago(5)
		live.DeletionTimestamp = &deleted
	}
	return live
}
