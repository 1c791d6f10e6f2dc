package cloneset

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
)

func TestScale(t *testing.T) {
	runScenarios(t, []scenario{
		{
			name: "two more pods",
			args: []string{"--replicas", "5"}, then: patch(`{"replicas":5}`),
			shows: []string{"ScaleUpArithmetic", "CreateOfRevision"},
		},
		{
			name:   "two fewer, by deletion cost",
			change: each(cost(0, "10"), cost(1, "-5"), cost(2, "3"), patch(`{"replicas":1,"updateStrategy":{"maxUnavailable":3}}`)),
			shows:  []string{"LowerCostFirst"},
		},
		{
			name:   "two fewer, one of them unready",
			change: each(unready(1), cost(0, "-5"), patch(`{"replicas":1,"updateStrategy":{"maxUnavailable":3}}`)),
			shows:  []string{"UnavailableFirst"},
		},
		{
			name:   "an unready pod counts against those that may go",
			change: each(unready(1), cost(0, "-5"), patch(`{"replicas":2,"updateStrategy":{"maxUnavailable":0,"maxSurge":1},"scaleStrategy":{"podsToDelete":[]}}`)),
			shows:  []string{"ScaleDownArithmetic"},
		},
		{
			name: "minReadySeconds holds the scale-in back", set: []func(object){field("minReadySeconds", int64(3600))},
			args: []string{"--replicas", "1"}, then: patch(`{"replicas":1}`),
			shows: []string{"ScaleInLimited"},
		},
		{
			name: "a pod named by label goes, with its volume claim", set: []func(object){volumes},
			change: label(1, "apps.kruise.io/specified-delete", "true"),
			shows:  []string{"SpecifiedDelete", "VolumeGoesWithPod"},
		},
		{
			name: "a pod named in podsToDelete goes, and with fewer replicas no other",
			change: func(w *world) {
				w.patch(`{"replicas":2,"scaleStrategy":{"podsToDelete":["` + w.pods()[1].Name + `"]}}`)
			},
			shows: []string{"SpecifiedDelete"},
		},
		{
			name: "the preDelete hook holds a pod", set: []func(object){hook("preDelete")},
			change: label(2, "apps.kruise.io/specified-delete", "true"),
			shows:  []string{"PreDeleteHooked"},
		},
		{
			name: "the preDelete hook lets go", set: []func(object){hook("preDelete")},
			setup:  each(label(2, "apps.kruise.io/specified-delete", "true"), inState(2, "PreparingDelete")),
			change: label(2, "hook", ""),
			shows:  []string{"PreDeleteDone"},
		},
		{
			name: "a deletion is taken back", set: []func(object){hook("preDelete")},
			setup: each(patch(`{"replicas":2}`), anyInState("PreparingDelete")),
			args:  []string{"--replicas", "3"}, then: patch(`{"replicas":3}`),
			shows: []string{"DeletionCancelled"},
		},
		{
			name: "a claim that is left is reused", set: []func(object){volumes},
			change: deletePod(1),
			shows:  []string{"CreateReusingVolumes"},
		},
		{
			name: "a claim that is left is deleted where reuse is off", set: []func(object){volumes, scale("disablePVCReuse", true)},
			change: deletePod(1),
			shows:  []string{"VolumeOfNoPod", "CreateOfRevision"},
		},
		{
			name:   "a failed pod is replaced and left behind",
			change: onPod(0, `{"status":{"phase":"Failed"}}`, "status"),
			shows:  []string{"FinishedIgnored", "CreateOfRevision"},
		},
		{
			name:   "a pod that does not match any more is released and replaced",
			change: label(0, "app", "other"),
			shows:  []string{"ReleaseMismatch", "CreateOfRevision"},
		},
		{
			name:   "an orphan that matches is not adopted",
			change: each(orphan, patch(`{"replicas":4}`)),
			shows:  []string{"NeverAdopts", "CreateOfRevision"},
		},
		{
			name:   "scaleStrategy.maxUnavailable holds creations back",
			change: each(unready(0), patch(`{"replicas":6,"scaleStrategy":{"maxUnavailable":2}}`)),
			shows:  []string{"ScaleUpLimited"},
		},
		{
			name: "of a crowded node first",
			set:  []func(object){replicas(4), field("template", pinned("node-1"))},
			args: []string{"--replicas", "2"}, then: patch(`{"replicas":2}`),
			shows: []string{"ScaleDownArithmetic"},
		},
	})
}

func cost(i int, n string) func(*world) {
	return onPod(i, `{"metadata":{"annotations":{"controller.kubernetes.io/pod-deletion-cost":"`+n+`"}}}`)
}

// pinned is a template whose pods are all on one node.
func pinned(node string) object {
	return object{
		"metadata": object{"labels": object{"app": web}},
		"spec":     object{"nodeName": node, "containers": []any{object{"name": "main", "image": "main:1"}}},
	}
}

// inState waits until the i-th pod is in a state of its lifecycle and the manager
// has nothing else to do.
func inState(i int, state string) func(*world) {
	return func(w *world) {
		w.Helper()
		w.waitForPod(func(pods []*corev1.Pod) bool { return pods[i].Labels[stateLabel] == state })
	}
}

func anyInState(state string) func(*world) {
	return func(w *world) {
		w.Helper()
		w.waitForPod(func(pods []*corev1.Pod) bool {
			for _, p := range pods {
				if p.Labels[stateLabel] == state {
					return true
				}
			}
			return false
		})
	}
}

// deletePod makes the i-th pod be gone at once.
func deletePod(i int) func(*world) {
	return func(w *world) { w.Helper(); w.deletePod(w.pods()[i].Name) }
}

// orphan makes a pod that nobody owns.
func orphan(w *world) { w.Helper(); w.pod("orphan", matching()) }
