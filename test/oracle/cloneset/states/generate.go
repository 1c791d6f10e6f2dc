package states

import (
	"encoding/json"
	"maps"
	"math/rand/v2"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/cloneset/contract"
)

// The names that every state uses.
const (
	Namespace = "shop"
	Name      = "web"
	setUID    = types.UID("uid-web")
)

// Step is what the plugin would store in the status of a state; a state that
// was settled so gets past it.
type Step func(*contract.Request) (status map[string]any, err error)

// Draw is the state of a seed for the controller of a version, without ID and
// orders.
func Draw(version string, seed int, step Step) (*contract.Request, error) {
	v, err := profile.ParseVersion(version)
	if err != nil {
		return nil, err
	}
	s := &scene{draw: draw{rand.New(rand.NewPCG(uint64(seed), 7))}, modelled: v}
	return s.request(step)
}

// scene is a state in the making.
type scene struct {
	draw
	modelled profile.Version
	// calm states come to the update; alike ones have pods that tie.
	calm, alike bool
	// rolls tells states that come to updating many pods, shrinks those that
	// scale in during a rollout, from pods that tie.
	rolls, shrinks bool
	// stable is how many pods in a hundred are available.
	stable    int
	gates     map[string]bool
	spec      map[string]any
	wanted    int
	templates []template
	revisions []*appsv1.ControllerRevision
	pods      []*corev1.Pod
	claims    []*corev1.PersistentVolumeClaim
	status    map[string]any
}

func (s *scene) request(step Step) (*contract.Request, error) {
	s.calm, s.alike, s.stable = s.chance(70), s.chance(30), pick(s.draw, 98, 90, 70, 30)
	s.gates = s.drawGates()
	s.rolls = s.gates[kruise.UnavailableBudgetUpdate] && s.chance(60)
	s.shrinks = s.chance(8)
	s.calm, s.alike = s.calm || s.rolls || s.shrinks, s.alike || s.shrinks
	s.drawRevisions()
	s.drawSpec()
	s.drawPods()
	s.drawClaims()
	s.drawStatus()
	budgets := s.drawBudgets()
	set := map[string]any{
		"apiVersion": "apps.kruise.io/v1alpha1", "kind": "CloneSet",
		"metadata": s.metadata(), "spec": s.spec, "status": s.status,
	}
	now := Now
	req := &contract.Request{
		Now: &now, Gates: s.gates, Flags: s.flags(), Seed: int64(s.between(0, 1000)), CloneSet: encode(set),
		Pods: s.pods, PVCs: s.claims, ControllerRevisions: s.revisions, Nodes: s.nodes(), PodUnavailableBudgets: budgets,
	}
	s.expect(req)
	if s.chance(30) {
		if err := s.settle(req, set, step); err != nil {
			return nil, err
		}
	}
	s.faults(req)
	return req, nil
}

// settle stores the status that the sync would write.
func (s *scene) settle(req *contract.Request, set map[string]any, step Step) error {
	status, err := step(req)
	if err != nil {
		return err
	}
	maps.Copy(s.status, status)
	req.CloneSet = encode(set)
	return nil
}

func (s *scene) metadata() map[string]any {
	meta := map[string]any{
		"name": Name, "namespace": Namespace, "uid": setUID, "resourceVersion": "100",
		"generation": s.between(1, 3), "creationTimestamp": ago(100_000),
	}
	if s.chance(3) {
		meta["deletionTimestamp"], meta["finalizers"] = ago(-30), []any{"foregroundDeletion"}
	}
	if s.chance(10) {
		meta["labels"] = map[string]any{"apps.kruise.io/cloneset-scaling-exclude-preparing-delete": pick(s.draw, "true", "false")}
	}
	return meta
}

func (s *scene) nodes() []*corev1.Node {
	var nodes []*corev1.Node
	for i, zone := range []string{"a", "a", "b", "c"} {
		if s.chance(3) {
			continue
		}
		name := nodeName(i)
		n := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"kubernetes.io/hostname": name}}}
		if !s.chance(5) {
			n.Labels["zone"] = zone
		}
		nodes = append(nodes, n)
	}
	return nodes
}

func nodeName(i int) string { return "n" + string(rune('0'+i)) }

// owned is the metadata of an object of the set.
func owned(name, version string) metav1.ObjectMeta {
	return metav1.ObjectMeta{
		Name: name, Namespace: Namespace, UID: types.UID("uid-" + name), ResourceVersion: version,
		Labels: map[string]string{"app": Name}, CreationTimestamp: ago(3600), OwnerReferences: reference(Name, setUID, true),
	}
}

func reference(name string, uid types.UID, controller bool) []metav1.OwnerReference {
	return []metav1.OwnerReference{{
		APIVersion: "apps.kruise.io/v1alpha1", Kind: "CloneSet", Name: name, UID: uid,
		Controller: new(controller), BlockOwnerDeletion: new(true),
	}}
}

func encode(v any) json.RawMessage {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err) // plain data
	}
	return raw
}
