package plugins_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/redact"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins"
)

// What snapshots keep, and what reads it. Each entry is a place where a secret
// stays: add one only for a decision that is another one without the value, which
// the goldens of its plugin demand.
var (
	keptAnnotations = map[string]string{
		"apps.kruise.io/inplace-update-grace":       "CloneSet waits before an in-place update",
		"inplace-update-grace":                      "CloneSet, as Kruise wrote it before 0.5",
		"apps.kruise.io/inplace-update-state":       "CloneSet finds out whether an in-place update is done",
		"inplace-update-state":                      "CloneSet, as Kruise wrote it before 0.5",
		"apps.kruise.io/runtime-containers-meta":    "CloneSet compares hashes of containers",
		"kruise.io/sidecarset-inplace-update-state": "PodUnavailableBudget: whether a sidecar is updated",
	}
	keptEnv = map[string]string{
		"IS_INJECTED":               "PodUnavailableBudget: which containers are sidecars",
		"KRUISE_CONTAINER_PRIORITY": "CloneSet knows how containers of new Pods start",
	}
	keptFlags = []string{
		"--feature-gates=A=true", "--emulated-version=1.36", "--leader-elect=false",
		"--cloneset-scaling-exclude-preparing-delete", "--enable-leader-election=false",
	}
)

const standIn = "redacted-1"

func TestKeep(t *testing.T) {
	keep := plugins.All().Keep()
	slices.Sort(keep.Annotations)
	slices.Sort(keep.Env)
	if diff := cmp.Diff(slices.Sorted(maps.Keys(keptAnnotations)), slices.Compact(keep.Annotations)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(slices.Sorted(maps.Keys(keptEnv)), slices.Compact(keep.Env)); diff != "" {
		t.Error(diff)
	}
}

func TestOnlyWhatIsReadStays(t *testing.T) {
	const value = `{"a":1}`
	annotations := map[string]any{"other": value}
	want := map[string]any{"other": standIn}
	for name := range keptAnnotations {
		annotations[name], want[name] = value, value
	}
	env, wantEnv := []any{pair("OTHER", value)}, []any{pair("OTHER", standIn)}
	for _, name := range slices.Sorted(maps.Keys(keptEnv)) {
		env, wantEnv = append(env, pair(name, value)), append(wantEnv, pair(name, value))
	}
	args, wantArgs := []any{"--kubeconfig=secret"}, []any{standIn}
	for _, flag := range keptFlags {
		args, wantArgs = append(args, flag), append(wantArgs, flag)
	}
	obj := map[string]any{"annotations": annotations, "env": env, "args": args}
	redact.New(plugins.All().Keep()).Object(obj)
	if diff := cmp.Diff(map[string]any{"annotations": want, "env": wantEnv, "args": wantArgs}, obj); diff != "" {
		t.Error(diff)
	}
}

func pair(name, value string) map[string]any { return map[string]any{"name": name, "value": value} }
