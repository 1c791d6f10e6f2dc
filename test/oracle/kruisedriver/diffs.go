package kruisedriver

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	appsv1alpha1 "github.com/openkruise/kruise/apis/apps/v1alpha1"
	"github.com/openkruise/kruise/pkg/util/revision"

	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/kruisedriver/contract"
)

// The revisions of op diffs.
const (
	currentRevision = "set-current"
	updateRevision  = "set-update"
)

// answerDiffs calls calculateDiffsWithExpectation for each input: as Scale
// does, with revision.IsPodUpdate, and as Update does, without.
func (o *oracle) answerDiffs(req *contract.Request, resp *contract.Response) error {
	return o.inBubble(req, func() error {
		pods := newPodMaker()
		for _, in := range req.Diffs {
			set, all, current := cloneSetOf(in), pods.all(in.Pods), currentRevision
			if in.SameRevision {
				current = updateRevision
			}
			resp.Diffs = append(resp.Diffs, contract.DiffsOutput{
				Scale:  diffsOf(calculateDiffsWithExpectation(set, all, current, updateRevision, revision.IsPodUpdate)),
				Update: diffsOf(calculateDiffsWithExpectation(set, all, current, updateRevision, nil)),
			})
		}
		return nil
	})
}

func cloneSetOf(in contract.DiffsInput) *appsv1alpha1.CloneSet {
	set := &appsv1alpha1.CloneSet{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "set"}}
	if in.ExcludePreparingDelete {
		set.Labels = map[string]string{appsv1alpha1.CloneSetScalingExcludePreparingDeleteKey: "true"}
	}
	set.Spec.Replicas = &in.Replicas
	set.Spec.MinReadySeconds = in.MinReadySeconds
	set.Spec.ScaleStrategy.MaxUnavailable = in.ScaleMaxUnavailable
	set.Spec.UpdateStrategy = appsv1alpha1.CloneSetUpdateStrategy{
		Partition:      in.Partition,
		MaxSurge:       in.MaxSurge,
		MaxUnavailable: in.MaxUnavailable,
		Paused:         in.Paused,
	}
	return set
}

func diffsOf(d expectationDiffs) contract.Diffs {
	return contract.Diffs{
		ScaleUpNum:              d.scaleUpNum,
		ScaleUpNumOldRevision:   d.scaleUpNumOldRevision,
		ScaleDownNum:            d.scaleDownNum,
		ScaleDownNumOldRevision: d.scaleDownNumOldRevision,
		ScaleUpLimit:            d.scaleUpLimit,
		DeleteReadyLimit:        d.deleteReadyLimit,
		UseSurge:                d.useSurge,
		UseSurgeOldRevision:     d.useSurgeOldRevision,
		UpdateNum:               d.updateNum,
		UpdateMaxUnavailable:    d.updateMaxUnavailable,
	}
}
