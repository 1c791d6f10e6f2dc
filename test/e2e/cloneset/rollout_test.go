package cloneset

import "testing"

// order labels the pods, for priorities and scattering.
func order(values ...string) func(*world) {
	var all []func(*world)
	for i, v := range values {
		all = append(all, label(i, "group", v))
	}
	return each(all...)
}

func TestRollout(t *testing.T) {
	runScenarios(t, []scenario{
		{
			name: "a new image, in place",
			args: []string{"--image", "main=main:2"}, then: image("main:2"),
			shows: []string{"InPlaceUpdate", "RevisionCreated"},
		},
		{
			name: "a new image, half of the pods", set: []func(object){replicas(4), update("partition", "50%"), update("maxUnavailable", "100%")},
			args: []string{"--image", "main=main:2"}, then: image("main:2"),
			shows: []string{"InPlaceUpdate"},
		},
		{
			name: "pods that tie share one update", set: []func(object){replicas(4)},
			change: image("main:2"),
			shows:  []string{"InPlaceUpdate"},
		},
		{
			name: "by recreation, with a surge", set: []func(object){update("type", "ReCreate"), update("maxUnavailable", int64(0)), update("maxSurge", int64(1))},
			args: []string{"--image", "main=main:2"}, then: image("main:2"),
			shows: []string{"CreateOfRevision"},
		},
		{
			name: "by recreation", set: []func(object){update("type", "ReCreate"), update("maxUnavailable", "100%")},
			args: []string{"--image", "main=main:2"}, then: image("main:2"),
			shows: []string{"RecreateAlways"},
		},
		{
			name: "not possible in place", set: []func(object){update("maxUnavailable", "100%")},
			change: patch(`{"template":{"spec":{"hostname":"other"}}}`),
			shows:  []string{"RecreateNotInPlace"},
		},
		{
			name: "InPlaceOnly refuses what is not possible in place", set: []func(object){update("type", "InPlaceOnly")},
			change: patch(`{"template":{"spec":{"hostname":"other"}}}`),
			shows:  []string{"InPlaceOnlyRefused"},
		},
		{
			name:   "paused, and scaled up with a surge",
			change: each(image("main:2"), patch(`{"replicas":5,"updateStrategy":{"paused":true,"maxSurge":2}}`)),
			shows:  []string{"CreateOfRevision"},
		},
		{
			name:   "paused",
			change: each(image("main:2"), patch(`{"updateStrategy":{"paused":true}}`)),
			shows:  []string{"UpdatePaused"},
		},
		{
			name: "in the order of weights", set: []func(object){replicas(4), update("maxUnavailable", int64(2))},
			change: each(order("1", "2", "3", "2"), image("main:2"), patch(`{"updateStrategy":{"priorityStrategy":{"weightPriority":[{"weight":50,"matchSelector":{"matchLabels":{"group":"2"}}}]}}}`)),
			shows:  []string{"InPlaceUpdate", "TargetUnavailable"},
		},
		{
			name: "in the order of a label", set: []func(object){update("maxUnavailable", int64(2))},
			change: each(order("a-1", "a-3", "a-2"), image("main:2"), patch(`{"updateStrategy":{"priorityStrategy":{"orderPriority":[{"orderedKey":"group"}]}}}`)),
			shows:  []string{"InPlaceUpdate", "TargetUnavailable"},
		},
		{
			name: "scattered", set: []func(object){replicas(6), update("maxUnavailable", int64(3))},
			change: each(order("1", "1", "1", "2", "2", "2"), image("main:2"), patch(`{"updateStrategy":{"scatterStrategy":[{"key":"group","value":"1"}]}}`)),
			shows:  []string{"InPlaceUpdate"},
		},
		{
			name:   "an unready old pod is updated first, and costs nothing",
			change: each(unready(1), image("main:2")),
			shows:  []string{"InPlaceUpdate", "TargetUnavailable"},
		},
		{
			name: "maxUnavailable is reached", set: []func(object){update("partition", int64(2))},
			setup:  each(image("main:2"), (*world).settle),
			change: each(unreadyUpdated, patch(`{"updateStrategy":{"partition":0}}`)),
			shows:  []string{"TargetUnavailable"},
		},
		{
			name: "the inPlaceUpdate hook holds a pod", set: []func(object){hook("inPlaceUpdate")},
			args: []string{"--image", "main=main:2"}, then: image("main:2"),
			shows: []string{"UpdateHooked"},
		},
		{
			name: "the inPlaceUpdate hook lets go", set: []func(object){hook("inPlaceUpdate")},
			setup:  each(image("main:2"), anyInState("PreparingUpdate")),
			change: unhook,
			shows:  []string{"InPlaceUpdate"},
		},
		{
			name:  "back to an older template",
			setup: each(image("main:2"), (*world).settle),
			args:  []string{"--image", "main=main:1"}, then: image("main:1"),
			shows: []string{"RevisionRolledBack", "InPlaceUpdate"},
		},
		{
			name: "a higher partition takes no pod back", set: []func(object){update("partition", int64(1)), update("maxUnavailable", "100%")},
			setup: each(image("main:2"), (*world).settle),
			args:  []string{"--partition", "3"}, then: patch(`{"updateStrategy":{"partition":3}}`),
			shows: []string{"UpdateArithmetic"},
		},
		{
			name: "with the gate it does", set: []func(object){update("partition", int64(1)), update("maxUnavailable", "100%")},
			setup:  each(image("main:2"), (*world).settle),
			change: patch(`{"updateStrategy":{"partition":3}}`), gates: "CloneSetPartitionRollback=true",
			shows: []string{"InPlaceUpdate"},
		},
		{
			name:   "revisions that no pod has are deleted beyond the limit",
			setup:  each(image("main:2"), (*world).settle, image("main:3"), (*world).settle),
			change: patch(`{"revisionHistoryLimit":1}`),
			shows:  []string{"HistoryTruncated"},
		},
		{
			name: "a manager that was restarted in the midst of a rollout", set: []func(object){replicas(4), update("partition", int64(2))},
			setup:  each(image("main:2"), (*world).settle),
			change: patch(`{"updateStrategy":{"partition":0}}`),
			shows:  []string{"NoExpectations", "InPlaceUpdate"},
		},
	})
}

// unreadyUpdated makes the updated pod not ready.
func unreadyUpdated(w *world) {
	w.Helper()
	for i, p := range w.pods() {
		if p.Spec.Containers[0].Image == "main:2" {
			unready(i)(w)
		}
	}
}

// unhook takes the hook's label off the pod that waits.
func unhook(w *world) {
	w.Helper()
	for i, p := range w.pods() {
		if p.Labels[stateLabel] == "PreparingUpdate" {
			label(i, "hook", "")(w)
		}
	}
}

// TestRelease goes through a release in five steps, in place with a grace period,
// and holds the manager to the plan of each.
func TestRelease(t *testing.T) {
	w := newWorld(t)
	w.plain()
	w.settled(replicas(5), update("partition", int64(5)), update("maxUnavailable", int64(1)), update("inPlaceUpdateStrategy", object{"gracePeriodSeconds": int64(2)}))
	w.predict([]string{"--image", "main=main:2"}, image("main:2"), "RevisionCreated")
	for _, partition := range []string{"4", "3", "2", "1", "0"} {
		w.settle()
		w.predict([]string{"--partition", partition}, patch(`{"updateStrategy":{"partition":%s}}`, partition), "InPlaceUpdate", "GraceCheck")
	}
	w.settle()
}
