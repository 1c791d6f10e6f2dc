package statefulset

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/driver/statefulset/contract"
)

// The resources that a sync writes.
var (
	pods      = schema.GroupResource{Resource: "pods"}
	claims    = schema.GroupResource{Resource: "persistentvolumeclaims"}
	revisions = schema.GroupResource{Group: "apps", Resource: "controllerrevisions"}
	sets      = schema.GroupResource{Group: "apps", Resource: "statefulsets"}
)

// cluster is the API server as one sync sees it. It accepts every write unless
// a fault says otherwise, the object is out of date, or its name is taken; it
// writes down what was asked. It validates nothing.
type cluster struct {
	live   *appsv1.StatefulSet
	twin   *appsv1.ControllerRevision
	faults faults
	// owner is the sync's own goroutine.
	owner string

	mu sync.Mutex
	// there are the objects by resource and name.
	there map[schema.GroupResource]map[string]metav1.Object
	// versions are the resource versions after this sync's writes.
	versions map[types.UID]string
	writes   []contract.Write
	broken   error
}

// begin forgets the previous state.
func (c *cluster) begin(req *contract.Request, fs faults) {
	c.live, c.twin, c.faults, c.owner = req.Live, req.Twin, fs, goroutine()
	c.versions, c.writes, c.broken = map[types.UID]string{}, nil, nil
	c.there = map[schema.GroupResource]map[string]metav1.Object{
		pods: byName(req.Pods), claims: byName(req.Claims), revisions: byName(req.Revisions), sets: byName(req.StatefulSets),
	}
	for _, set := range req.StatefulSets {
		if c.live == nil && set.Namespace+"/"+set.Name == req.Key {
			c.live = set.DeepCopy()
		}
	}
}

func byName[T metav1.Object](objects []T) map[string]metav1.Object {
	all := map[string]metav1.Object{}
	for _, o := range objects {
		all[o.GetName()] = o
	}
	return all
}

// write answers a request and writes it down. Patches and deletions have no body.
func (c *cluster) write(call string, r schema.GroupResource, name string, body metav1.Object, patch []byte) (version string, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	w := contract.Write{Call: call, Name: name, Patch: string(patch), Concurrent: goroutine() != c.owner}
	if err = c.refusal(call, r, name, body); err != nil {
		w.Error = err.Error()
	}
	if body != nil {
		var marshal error
		w.Object, marshal = json.Marshal(body)
		c.broken = errors.Join(c.broken, marshal)
	}
	c.writes = append(c.writes, w)
	version = fmt.Sprint(1000 + len(c.writes))
	if now := c.there[r][name]; err == nil && now != nil {
		c.versions[now.GetUID()] = version
	}
	return version, err
}

// refusal is the error that the API server answers, or nil.
func (c *cluster) refusal(call string, r schema.GroupResource, name string, body metav1.Object) error {
	if err := c.faults.of(call, name); err != nil {
		return err
	}
	now, creates := c.there[r][name], strings.HasPrefix(call, "create")
	switch {
	case creates && now != nil:
		return apierrors.NewAlreadyExists(r, name)
	case creates:
		return nil
	case now == nil:
		return apierrors.NewNotFound(r, name)
	case body != nil && c.outdated(body):
		return apierrors.NewConflict(r, name, errors.New("the object has been modified; please apply your changes to the latest version and try again"))
	}
	return nil
}

func (c *cluster) outdated(body metav1.Object) bool {
	version, written := c.versions[body.GetUID()]
	return written && version != body.GetResourceVersion()
}

// written is what the API server answers to a write that it accepts.
func written[T metav1.Object](c *cluster, call string, r schema.GroupResource, sent, stored T) (T, error) {
	version, err := c.write(call, r, sent.GetName(), sent, nil)
	if err != nil {
		var none T
		return none, err
	}
	stored.SetResourceVersion(version)
	return stored, nil
}

func (c *cluster) getSet() (*appsv1.StatefulSet, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.faults.of(contract.CallRecheck, ""); err != nil {
		return nil, err
	}
	return c.live.DeepCopy(), nil
}

func (c *cluster) getRevision(name string) (*appsv1.ControllerRevision, error) {
	if cr, ok := c.there[revisions][name].(*appsv1.ControllerRevision); ok {
		return cr.DeepCopy(), nil
	}
	if c.twin == nil {
		return nil, apierrors.NewNotFound(revisions, name)
	}
	twin := c.twin.DeepCopy()
	twin.Name = name
	return twin, nil
}

// createPod gives the Pod a UID of its own.
func (c *cluster) createPod(pod *corev1.Pod) (*corev1.Pod, error) {
	stored := pod.DeepCopy()
	stored.UID, stored.Status.Phase = types.UID("uid-"+pod.Name), corev1.PodPending
	return written(c, contract.CallCreatePod, pods, pod, stored)
}
