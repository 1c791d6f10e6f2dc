package statefulset

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/statefulset"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/statefulset/contract"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/statefulset/states"
)

// Compare lists every difference between a prediction and one real sync.
func Compare(r *statefulset.Result, req *contract.Request, resp *contract.Response) ([]string, error) {
	predicted, err := writesOf(r)
	if err != nil {
		return nil, err
	}
	var out []string
	want := func(what string, predicted, observed any) {
		if !reflect.DeepEqual(predicted, observed) {
			out = append(out, fmt.Sprintf("%s (-predicted +observed):\n%s", what, cmp.Diff(predicted, observed)))
		}
	}
	templates := len(req.StatefulSets[0].Spec.VolumeClaimTemplates)
	want("requests", show(sorted(predicted, resp.Writes), templates), show(sorted(resp.Writes, resp.Writes), templates))
	want("error", errorsOf(errorText(r.Err)), errorsOf(resp.SyncError))
	want("queue", queueOf(r.Decision), queue{resp.RequeueAfter, resp.RateLimited, resp.Forgotten})
	return out, nil
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// request is one as it is compared.
type request struct {
	Call, Name, Patch, Error string
	Object                   any
}

func show(writes []contract.Write, templates int) []request {
	out := []request{}
	for _, w := range writes {
		out = append(out, request{w.Call, w.Name, w.Patch, w.Error, objectOf(w, templates)})
	}
	return out
}

// objectOf reads an object with the types of this module: up to 1.33 upstream writes
// out nulls for times that are not set.
func objectOf(w contract.Write, templates int) any {
	var obj any
	switch w.Call {
	case contract.CallCreatePod, contract.CallUpdatePod:
		obj = &corev1.Pod{}
	case contract.CallCreateClaim, contract.CallUpdateClaim:
		obj = &corev1.PersistentVolumeClaim{}
	case contract.CallCreateRevision, contract.CallUpdateRevision:
		obj = &appsv1.ControllerRevision{}
	case contract.CallUpdateStatus:
		obj = &appsv1.StatefulSet{}
	default:
		return nil
	}
	if err := json.Unmarshal(w.Object, obj); err != nil {
		return err.Error()
	}
	switch obj := obj.(type) {
	case *corev1.Pod:
		sortVolumes(obj, templates)
	case *appsv1.ControllerRevision: // upstream names the namespace in the path alone
		obj.Namespace = states.Namespace
	}
	return obj
}

// sortVolumes sorts those of claims, which upstream takes from a map.
func sortVolumes(pod *corev1.Pod, templates int) {
	ours := pod.Spec.Volumes[:min(templates, len(pod.Spec.Volumes))]
	slices.SortFunc(ours, func(a, b corev1.Volume) int { return strings.Compare(a.Name, b.Name) })
}

// errorsOf splits an aggregate, whose order is that of goroutines or of a cache. What
// an invalid selector's message calls it changed (apimachinery
// LabelSelectorAsSelector).
func errorsOf(text string) []string {
	text = strings.ReplaceAll(text, "valid pod selector operator", "valid label selector operator")
	if strings.HasPrefix(text, "[") {
		text = strings.Trim(text, "[]")
	}
	all := strings.Split(text, ", ")
	slices.Sort(all)
	return all
}

type queue struct {
	After                  []string
	RateLimited, Forgotten bool
}

// queueOf is what the decision means for the work queue.
func queueOf(d *decision.Decision) queue {
	q := queue{After: []string{}, Forgotten: true}
	if d.After > 0 {
		q.After = append(q.After, d.After.String())
	}
	if d.Requeue != decision.NoRequeue {
		q.RateLimited, q.Forgotten = true, false
	}
	return q
}
