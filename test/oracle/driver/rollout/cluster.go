package rollout

import (
	"encoding/json"
	"errors"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/driver/rollout/contract"
)

// cluster is the API server as one sync sees it. It accepts every write unless
// a fault says otherwise or the object is out of date, keeps resource versions
// and generations as the real one does, and writes down what was asked.
type cluster struct {
	caches caches
	live   *appsv1.Deployment
	twin   *appsv1.ReplicaSet
	faults faults
	// versions are the resource versions after this sync's writes.
	versions map[types.UID]string
	// specs are the ReplicaSets as stored, which tell whether a spec changed.
	specs  map[types.UID]*appsv1.ReplicaSet
	writes []contract.Write
	// counted is the number of writes other than patches.
	counted int
	broken  error
}

// begin forgets the previous state.
func (c *cluster) begin(req *contract.Request) {
	*c = cluster{caches: c.caches, live: req.Live, twin: req.Twin, faults: req.Faults,
		versions: map[types.UID]string{}, specs: map[types.UID]*appsv1.ReplicaSet{}}
	for _, rs := range req.ReplicaSets {
		c.specs[rs.UID] = rs.DeepCopy()
	}
	for _, d := range req.Deployments {
		if c.live == nil && d.Namespace+"/"+d.Name == req.Key {
			c.live = d.DeepCopy()
		}
	}
}

// record answers a write and writes it down.
func (c *cluster) record(w contract.Write, obj, based metav1.Object) error {
	err := c.faults.of(w.Call, w.Name, c.counted)
	if w.Call != contract.CallPatchSet {
		c.counted++
	}
	if rs, ok := obj.(*appsv1.ReplicaSet); ok && err == nil {
		err = invalid(rs)
	}
	if err == nil && based != nil {
		err = c.outdated(w.Call, based)
	}
	if err != nil {
		w.Error = err.Error()
	}
	if obj != nil {
		var marshal error
		w.Object, marshal = json.Marshal(obj)
		c.broken = errors.Join(c.broken, marshal)
	}
	c.writes = append(c.writes, w)
	return err
}

// invalid refuses what validation would, of the sizes that a rollout can come
// to: up to 1.31 an annotation of any integer is taken for a size.
func invalid(rs *appsv1.ReplicaSet) error {
	n := *rs.Spec.Replicas
	if n >= 0 {
		return nil
	}
	return apierrors.NewInvalid(schema.GroupKind{Group: "apps", Kind: "ReplicaSet"}, rs.Name,
		field.ErrorList{field.Invalid(field.NewPath("spec", "replicas"), n, "must be greater than or equal to 0")})
}

func (c *cluster) outdated(call string, obj metav1.Object) error {
	now, written := c.versions[obj.GetUID()]
	if !written || now == obj.GetResourceVersion() {
		return nil
	}
	resource := "replicasets"
	if call == contract.CallUpdateDeployment || call == contract.CallUpdateStatus {
		resource = "deployments"
	}
	return apierrors.NewConflict(schema.GroupResource{Group: "apps", Resource: resource}, obj.GetName(),
		errors.New("the object has been modified; please apply your changes to the latest version and try again"))
}

func (c *cluster) touch(uid types.UID) string {
	c.versions[uid] = fmt.Sprintf("written-%d", len(c.writes))
	return c.versions[uid]
}

func (c *cluster) getDeployment() (*appsv1.Deployment, error) {
	if err := c.faults.of(contract.CallRecheck, "", 0); err != nil {
		return nil, err
	}
	return c.live.DeepCopy(), nil
}

func (c *cluster) writeDeployment(call string, d *appsv1.Deployment) (*appsv1.Deployment, error) {
	if err := c.record(contract.Write{Call: call, Name: d.Name}, d, d); err != nil {
		return nil, err
	}
	stored := d.DeepCopy()
	stored.ResourceVersion = c.touch(d.UID)
	return stored, nil
}

func (c *cluster) createSet(rs *appsv1.ReplicaSet) (*appsv1.ReplicaSet, error) {
	if err := c.record(contract.Write{Call: contract.CallCreateSet, Name: rs.Name}, rs, nil); err != nil {
		if apierrors.IsAlreadyExists(err) && c.twin != nil {
			twin := c.twin.DeepCopy()
			twin.Name = rs.Name
			c.broken = errors.Join(c.broken, c.caches.replicaSets.Indexer.Add(twin))
		}
		return nil, err
	}
	stored := rs.DeepCopy()
	stored.UID, stored.Generation, stored.CreationTimestamp = "created", 1, metav1.Now()
	stored.ResourceVersion = c.touch(stored.UID)
	c.specs[stored.UID] = stored.DeepCopy()
	return stored, nil
}

func (c *cluster) updateSet(rs *appsv1.ReplicaSet) (*appsv1.ReplicaSet, error) {
	if err := c.record(contract.Write{Call: contract.CallUpdateSet, Name: rs.Name}, rs, rs); err != nil {
		return nil, err
	}
	stored := rs.DeepCopy()
	stored.ResourceVersion = c.touch(rs.UID)
	if was := c.specs[rs.UID]; was == nil || !equality.Semantic.DeepEqual(was.Spec, rs.Spec) {
		stored.Generation++
	}
	c.specs[rs.UID] = stored.DeepCopy()
	return stored, nil
}

func (c *cluster) deleteSet(name string) error {
	return c.record(contract.Write{Call: contract.CallDeleteSet, Name: name}, nil, nil)
}

func (c *cluster) patchSet(name string, body []byte) (*appsv1.ReplicaSet, error) {
	if err := c.record(contract.Write{Call: contract.CallPatchSet, Name: name, Patch: string(body)}, nil, nil); err != nil {
		return nil, err
	}
	for _, rs := range c.specs {
		if rs.Name == name {
			c.touch(rs.UID)
			return rs.DeepCopy(), nil
		}
	}
	return &appsv1.ReplicaSet{}, nil
}

// listSets is the uncached list of deletePod (deployment_controller.go, until
// 1.36): the API server has what the cache has.
func (c *cluster) listSets(namespace, selector string) (*appsv1.ReplicaSetList, error) {
	matching, err := labels.Parse(selector)
	if err != nil {
		return nil, err
	}
	cached, err := c.caches.replicaSets.Lister().ReplicaSets(namespace).List(matching)
	list := &appsv1.ReplicaSetList{}
	for _, rs := range cached {
		list.Items = append(list.Items, *rs.DeepCopy())
	}
	return list, err
}
