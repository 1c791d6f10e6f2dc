package cloneset

import (
	"errors"
	"fmt"
	"strconv"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/core"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/cloneset/contract"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/cloneset/states"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/program"
)

// side is how many inputs of calculateDiffsWithExpectation go in one request.
const side = 1000

// CheckDiffs compares that calculation alone on n inputs, and returns the
// first differences.
func CheckDiffs(p *program.Process, version string, first, n int) (differences []string, err error) {
	for seed := first; seed < first+(n+side-1)/side; seed++ {
		req := states.DrawDiffs(seed, min(side, n))
		resp := &contract.Response{}
		if err := errors.Join(p.Ask(req, resp), asError(resp.Error)); err != nil {
			return nil, err
		}
		k := kruise.Program.Installed(profile.ProgramOptions{Version: version, Gates: req.Gates}, profile.Manager{})
		k.Flags = map[string]string{kruise.ExcludePreparingDelete: strconv.FormatBool(req.Flags.ScalingExcludePreparingDelete)}
		for i, in := range req.Diffs {
			scaling, updating, err := cloneset.DiffsOf(k, states.Now, setOf(in), podsOf(in), currentOf(in), updateRevision)
			if err != nil {
				return nil, err
			}
			said := contract.DiffsOutput{Scale: diffsOf(scaling), Update: diffsOf(updating)}
			if said != resp.Diffs[i] && len(differences) < tolerated {
				differences = append(differences, fmt.Sprintf("seed %d, input %d: predicted %+v, observed %+v for %+v", seed, i, said, resp.Diffs[i], in))
			}
		}
	}
	return differences, nil
}

func asError(text string) error {
	if text == "" {
		return nil
	}
	return errors.New(text)
}

const (
	currentRevision = "set-current"
	updateRevision  = "set-update"
)

func currentOf(in contract.DiffsInput) string {
	if in.SameRevision {
		return updateRevision
	}
	return currentRevision
}

// setOf is the CloneSet with the input's numbers.
func setOf(in contract.DiffsInput) *unstructured.Unstructured {
	strategy, scale := map[string]any{"paused": in.Paused}, map[string]any{}
	put := func(to map[string]any, field string, v *intstr.IntOrString) {
		switch {
		case v == nil:
		case v.Type == intstr.Int:
			to[field] = int64(v.IntVal)
		default:
			to[field] = v.StrVal
		}
	}
	put(strategy, "partition", in.Partition)
	put(strategy, "maxSurge", in.MaxSurge)
	put(strategy, "maxUnavailable", in.MaxUnavailable)
	put(scale, "maxUnavailable", in.ScaleMaxUnavailable)
	meta := map[string]any{"name": "set", "namespace": "ns"}
	if in.ExcludePreparingDelete {
		meta["labels"] = map[string]any{"apps.kruise.io/cloneset-scaling-exclude-preparing-delete": "true"}
	}
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "apps.kruise.io/v1alpha1", "kind": "CloneSet", "metadata": meta,
		"spec": map[string]any{
			"replicas": int64(in.Replicas), "minReadySeconds": int64(in.MinReadySeconds), "updateStrategy": strategy, "scaleStrategy": scale,
		},
	}}
}

// podsOf are the input's pods; equal ones are the same.
func podsOf(in contract.DiffsInput) []*corev1.Pod {
	var pods []*corev1.Pod
	for _, g := range in.Pods {
		p := podOf(g)
		for range max(g.Count, 1) {
			pods = append(pods, p)
		}
	}
	return pods
}

func podOf(g contract.PodGroup) *corev1.Pod {
	p := &corev1.Pod{}
	p.Labels = map[string]string{revisionLabel: currentRevision, stateLabel: g.State}
	if g.Updated {
		p.Labels[revisionLabel] = updateRevision
	}
	if g.Specified {
		p.Labels[specifiedLabel] = "true"
	}
	p.Status.Phase = corev1.PodRunning
	if g.Phase != "" {
		p.Status.Phase = corev1.PodPhase(g.Phase)
	}
	if g.ReadyFor != nil {
		since := metav1.NewTime(states.Now.Add(-time.Duration(*g.ReadyFor) * time.Second))
		p.Status.Conditions = append(p.Status.Conditions, corev1.PodCondition{Type: corev1.PodReady, Status: corev1.ConditionTrue, LastTransitionTime: since})
	}
	if g.InPlace != "" {
		p.Status.Conditions = append(p.Status.Conditions, corev1.PodCondition{Type: "InPlaceUpdateReady", Status: corev1.ConditionStatus(g.InPlace)})
	}
	return p
}

func diffsOf(d core.Diffs) contract.Diffs {
	return contract.Diffs{
		ScaleUpNum: d.ScaleUpNum, ScaleUpNumOldRevision: d.ScaleUpNumOldRevision,
		ScaleDownNum: d.ScaleDownNum, ScaleDownNumOldRevision: d.ScaleDownNumOldRevision,
		ScaleUpLimit: d.ScaleUpLimit, DeleteReadyLimit: d.DeleteReadyLimit,
		UseSurge: d.UseSurge, UseSurgeOldRevision: d.UseSurgeOldRevision,
		UpdateNum: d.UpdateNum, UpdateMaxUnavailable: d.UpdateMaxUnavailable,
	}
}
