package orphans

import (
	"strconv"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// known is what can be told of controllers that are not modelled: what the
// pod is to them, not what they do with all their pods.
func (f *finder) known(object moved, m move) (Consequence, bool) {
	controller := f.claimantsOf(object.kind).Of(types.UID(m.controller.UID))
	if controller == nil {
		return Consequence{}, false
	}
	if object.kind.Kind == view.ControllerRevisions.Kind && m.joins && f.truncates(controller, object.obj) {
		return Consequence{Controller: m.controller, Ruling: decision.Ruling{Rule: ThenTruncated}}, true
	}
	if object.kind.Kind != view.Pods.Kind {
		return Consequence{}, false
	}
	var ruling decision.Ruling
	switch o := controller.Obj.(type) {
	case *appsv1.StatefulSet:
		ruling = ofStatefulSet(o, object.obj, m)
	case *appsv1.DaemonSet:
		ruling = ofDaemonSet(m)
	case *batchv1.Job:
		ruling = ofJob(o, m)
	case *unstructured.Unstructured:
		ruling = ofKruise(o, object.obj, m)
	}
	switch {
	case ruling.Rule == ThenInstance && f.ended(object.obj):
		ruling = decision.Ruling{Rule: ThenRestarted}
	case ruling.Rule == ThenCountedByJob && f.ended(object.obj):
		ruling = decision.Ruling{Rule: ThenEndedOfJob}
	}
	return Consequence{Controller: m.controller, Ruling: ruling}, ruling.Rule != ""
}

// ofStatefulSet mirrors updateStatefulSet of stateful_set_control.go (v1.37.1):
// pods with ordinals from spec.ordinals.start on are the instances, all others
// are condemned.
func ofStatefulSet(set *appsv1.StatefulSet, pod metav1.Object, m move) decision.Ruling {
	ordinal, err := strconv.Atoi(strings.TrimPrefix(pod.GetName(), set.Name+"-"))
	if err != nil {
		return decision.Ruling{}
	}
	first := int(firstOrdinal(set))
	last := first + int(ptr.Deref(set.Spec.Replicas, 1)) - 1
	facts := []decision.Fact{
		decision.At(keyOrdinal, ordinal, "metadata.name"), decision.At(keyFirst, first, "spec.ordinals.start"),
		decision.Derived(keyLast, last, "first + spec.replicas − 1"), decision.F(keyPod, pod.GetName()),
		decision.F(keyOutdated, isOutdated(set, pod, ordinal)),
	}
	within := first <= ordinal && ordinal <= last
	switch {
	case m.joins && within:
		return decision.Ruled(ThenInstance, facts...)
	case m.joins:
		return decision.Ruled(ThenCondemned, facts...)
	case within:
		return decision.Ruled(ThenNameTaken, facts...)
	}
	return decision.Ruling{}
}

// isOutdated reports whether the rolling update will replace the pod: when its
// label names another revision than the newest, or none.
func isOutdated(set *appsv1.StatefulSet, pod metav1.Object, ordinal int) bool {
	rolling, newest := set.Spec.UpdateStrategy.RollingUpdate, set.Status.UpdateRevision
	revision := pod.GetLabels()[appsv1.StatefulSetRevisionLabel]
	return set.Spec.UpdateStrategy.Type == appsv1.RollingUpdateStatefulSetStrategyType &&
		(rolling == nil || ordinal >= int(ptr.Deref(rolling.Partition, 0))) &&
		(revision == "" || newest != "" && revision != newest)
}

// ofDaemonSet names no node: that is no metadata, and the rule says enough.
func ofDaemonSet(m move) decision.Ruling {
	if m.joins {
		return decision.Ruled(ThenOnNode)
	}
	return decision.Ruled(ThenNodeMisses)
}

// ofJob: all that a Job counts of an adopted pod is its phase (getStatus of
// job_controller.go, v1.37.1).
func ofJob(job *batchv1.Job, m move) decision.Ruling {
	rule := ThenJobMisses
	if m.joins {
		rule = ThenCountedByJob
	}
	return decision.Ruled(rule, decision.At(keyParallelism, ptr.Deref(job.Spec.Parallelism, 1), "spec.parallelism"), decision.F(keyFinalizer, batchv1.JobTrackingFinalizer))
}
