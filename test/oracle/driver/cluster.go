package driver

import (
	"encoding/json"
	"strings"
	"sync"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/driver/contract"
)

// cluster is the API server as one sync sees it: it accepts every write
// unless a fault says otherwise, applies none of them, and writes down what
// was asked. Deletes and creates arrive concurrently.
type cluster struct {
	barrier *barrier

	mu     sync.Mutex
	faults faults
	// live is what an uncached GET of the set returns; nil is NotFound.
	live runtime.Object
	seen calls
}

// calls is what one sync asked of the API server.
type calls struct {
	creates, createsFailed int
	created                created
	deletes                []string
	patches                []contract.Patch
	status                 any
	statusWrites           int
}

// begin forgets the calls of the previous run.
func (c *cluster) begin(live runtime.Object, fs faults) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.live, c.faults, c.seen = live, fs, calls{}
	c.barrier.take()
}

func (c *cluster) createPod(pod *corev1.Pod) (*corev1.Pod, error) {
	err := c.countCreate(pod)
	c.barrier.arrive()
	if err != nil {
		return nil, err
	}
	if pod.Name == "" {
		pod.Name = pod.GenerateName + "xxxxx"
	}
	return pod, nil
}

func (c *cluster) countCreate(pod *corev1.Pod) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.seen.created.add(pod, c.seen.creates)
	err := c.faults.at(contract.CallCreate, c.seen.creates)
	c.seen.creates++
	if err != nil {
		c.seen.createsFailed++
	}
	return err
}

func (c *cluster) deletePod(namespace, name string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.seen.deletes = append(c.seen.deletes, namespace+"/"+name)
	return c.faults.on(contract.CallDelete, name)
}

func (c *cluster) patchPod(namespace, name string, body []byte) (*corev1.Pod, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.seen.patches = append(c.seen.patches, contract.Patch{Pod: namespace + "/" + name, Body: string(body)})
	if err := c.faults.on(patchCall(body), name); err != nil {
		return nil, err
	}
	return patched(namespace, name, body)
}

// patchCall tells an adoption from a release: only a release has a directive.
func patchCall(body []byte) string {
	if strings.Contains(string(body), `"$patch":"delete"`) {
		return contract.CallRelease
	}
	return contract.CallAdopt
}

// patched is the pod the API server would answer with, as far as upstream
// looks at it: RealPodControl.PatchPod reads its controller (1.36 and later).
func patched(namespace, name string, body []byte) (*corev1.Pod, error) {
	pod := &corev1.Pod{}
	if patchCall(body) == contract.CallAdopt {
		if err := json.Unmarshal(body, pod); err != nil {
			return nil, err
		}
	}
	pod.Namespace, pod.Name = namespace, name
	return pod, nil
}

// getSet answers both uncached reads. The adoption recheck comes before any
// status write (claimPods), the read between status retries after the first.
func (c *cluster) getSet() (runtime.Object, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	call := contract.CallRecheck
	if c.seen.statusWrites > 0 {
		call = contract.CallStatusGet
	}
	if err := c.faults.at(call, 0); err != nil {
		return nil, err
	}
	if c.live == nil {
		return nil, apierrors.NewNotFound(schema.GroupResource{}, "")
	}
	return c.live.DeepCopyObject(), nil
}

func (c *cluster) updateStatus(status any) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	index := c.seen.statusWrites
	c.seen.statusWrites++
	c.seen.status = status
	return c.faults.at(contract.CallStatus, index)
}

// liveMeta is getSet for the ref manager, which checks identity itself.
func (c *cluster) liveMeta() (metav1.Object, error) {
	live, err := c.getSet()
	if err != nil {
		return nil, err
	}
	return live.(metav1.Object), nil
}
