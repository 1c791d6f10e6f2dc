package health

import (
	"slices"
	"testing"
)

// TestMisfits reads the scheduler's messages where they have its form, and no others.
func TestMisfits(t *testing.T) {
	const plane = "1 node(s) had untolerated taint {node-role.kubernetes.io/control-plane: }"
	for _, tt := range []struct {
		message string
		want    []string
	}{
		{"", nil},
		{"no machine is free", nil},
		{"0/4 nodes are available: 3 Insufficient cpu, " + plane + ".", []string{"Insufficient cpu"}},
		{"0/4 nodes are available: 3 Insufficient cpu, " + plane + ". preemption: 0/4 nodes are available: 4 Preemption is not helpful for scheduling.", []string{"Insufficient cpu"}},
		{"0/1 nodes are available: " + plane + ".", []string{"untolerated taint"}},
		{"0/5 nodes are available: 1 Insufficient cpu, 2 node(s) had untolerated taint {a: b}, 2 node(s) had untolerated taint {c: }.", []string{"Insufficient cpu", "untolerated taint"}},
		{"0/8 nodes are available: 3 Insufficient cpu, 5 node(s) had untolerated taint {dedicated: gpu}. preemption: 0/8 nodes are available: 3 No preemption victims found for incoming pod, 5 Preemption is not helpful for scheduling.", []string{"Insufficient cpu", "untolerated taint"}},
		{"0/3 nodes are available: 1 Insufficient nvidia.com/gpu, 2 node(s) didn't match Pod's node affinity/selector.", []string{"Insufficient nvidia.com/gpu", "node affinity/selector"}},
		{"0/3 nodes are available: 1 node(s) had untolerated taint {node.kubernetes.io/disk-pressure: }, 2 node(s) had untolerated taint {a: }.", []string{"node DiskPressure", "untolerated taint"}},
		{"0/3 nodes are available: 1 node(s) had untolerated taint {a: }, 2 node(s) didn't match Pod's node affinity/selector.", []string{"node affinity/selector", "untolerated taint"}},
		{"0/3 nodes are available: 1 Insufficient memory, 2 node(s) had volume node affinity conflict.", []string{"volume node affinity conflict", "Insufficient memory"}},
		{"0/3 nodes are available: 1 Insufficient cpu, 2 node(s) had untolerated taint(s). no new claims to deallocate, preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.", []string{"Insufficient cpu", "untolerated taint"}},
		{"0/3 nodes are available: 1 node(s) had untolerated taint(s), 2 node(s) didn't match PersistentVolume's node affinity.", []string{"volume node affinity conflict", "untolerated taint"}},
		{"0/3 nodes are available: 3 node(s) didn't match Pod's node affinity/selector.", []string{"node affinity/selector"}},
		{"0/3 nodes are available: 1 Too many pods, 2 node(s) were unschedulable.", []string{"nodes cordoned", "Too many pods"}},
		{"0/3 nodes are available: pod has unbound immediate PersistentVolumeClaims. preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.", []string{"pod has unbound immediate PersistentVolumeClaims"}},
		{"0/3 nodes are available: 3 Insufficient example.com/gpu. no new claims to deallocate, preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.", []string{"Insufficient example.com/gpu"}},
		{"0/3 nodes are available: 2 Insufficient cpu, and something else.", nil},
	} {
		if got := misfits(tt.message); !slices.Equal(got, tt.want) {
			t.Errorf("%q: got %q, want %q", tt.message, got, tt.want)
		}
	}
}

// TestUnfit puts two reasons into a label where they are short.
func TestUnfit(t *testing.T) {
	for message, want := range map[string]string{
		"no machine is free": "",
		"0/4 nodes are available: 2 Insufficient cpu, 2 node(s) had untolerated taint {a: b}.":                                                                        "Unschedulable (Insufficient cpu, untolerated taint)",
		"0/4 nodes are available: 1 Insufficient memory, 2 node(s) had volume node affinity conflict.":                                                                "Unschedulable (volume node affinity conflict, Insufficient memory)",
		"0/4 nodes are available: 4 node(s) didn't match pod anti-affinity rules.":                                                                                    "Unschedulable (pod anti-affinity)",
		"0/4 nodes are available: 1 Insufficient cpu, 1 Insufficient memory, 2 node(s) were unschedulable.":                                                           "Unschedulable (nodes cordoned, Insufficient cpu)",
		"0/3 nodes are available: 3 node(s) didn't satisfy existing pods anti-affinity rules.":                                                                        "Unschedulable (anti-affinity of existing Pods)",
		"0/3 nodes are available: 3 node(s) didn't match pod topology spread constraints (missing required label).":                                                   "Unschedulable (nodes without topologyKey)",
		"0/3 nodes are available: 1 node(s) exceed max volume count, 2 node(s) did not have enough free storage.":                                                     "Unschedulable (not enough free storage, max volume count exceeded)",
		"0/3 nodes are available: 3 node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another pod. preemption: x.": "Unschedulable (ReadWriteOncePod PVC in use)",
		"0/3 nodes are available: 3 node has pod using PersistentVolumeClaim with the same name and ReadWriteOncePod access mode.":                                    "Unschedulable (ReadWriteOncePod PVC in use)",
	} {
		if got, _ := unfit("Unschedulable", message); got != want {
			t.Errorf("%q: got %q, want %q", message, got, want)
		}
	}
}

// TestUnfitBriefly: where there is less room, a label still says that the Pod has no node, and why
// as long as there is room for that.
func TestUnfitBriefly(t *testing.T) {
	for message, want := range map[string][]string{
		"0/3 nodes are available: 3 node(s) didn't match Pod's node affinity/selector.":                                   {"Pending (node affinity/selector)", "without matching node", "Unschedulable"},
		"0/3 nodes are available: 3 node(s) didn't have free ports for the requested pod ports.":                          {"Pending (host ports in use)", "without free host ports", "Unschedulable"},
		"0/3 nodes are available: 3 node(s) had untolerated taint {node.kubernetes.io/not-ready: }.":                      {"Pending (node NotReady)", "Unschedulable"},
		"0/4 nodes are available: 3 Insufficient cpu.":                                                                    {"Insufficient cpu", "Unschedulable"},
		"0/4 nodes are available: 1 node(s) were unschedulable, 2 node(s) didn't match pod topology spread constraints.":  {"Unschedulable (topology spread, cordoned)", "Unschedulable (topology spread)", "Pending (topology spread)", "Unschedulable"},
		"0/4 nodes are available: 4 Too many pods.":                                                                       {"Too many pods"},
		"0/4 nodes are available: 2 node(s) didn't match pod anti-affinity rules, 1 node(s) had untolerated taint {a: }.": {"Unschedulable (pod anti-affinity)", "Pending (pod anti-affinity)", "Unschedulable"},
	} {
		if _, got := unfit("Unschedulable", message); !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", message, got, want)
		}
	}
}
