package fuzz

import (
	"bytes"
	"testing"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/render"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view/bundle"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/reconcile"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/rules"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise"
)

// FuzzCloneSet puts any text where the CloneSet controller reads one: the
// revision data, lifecycle and specified-delete labels, the in-place
// annotations, and what is a number or percent.
func FuzzCloneSet(f *testing.F) {
	revision := []byte(`{"spec":{"template":{"$patch":"replace","metadata":{"labels":{"app":"web"}},"spec":{"containers":[{"name":"main","image":"web:1"}]}}}}`)
	state := `{"revision":"sample-b","updateTimestamp":"2026-11-01T11:59:00Z","lastContainerStatuses":{"main":{"imageID":"sha256:0"}}}`
	f.Add("40%", "20%", "1", revision, "Normal", "true", state, `{"revision":"sample-b","graceSeconds":30}`)
	f.Add("-1", "200%", "%", []byte(`{"spec":{"template":[]}}`), "PreparingDelete", "", "{}", "")
	f.Add("0.5%", "", "5", []byte(`null`), "PreparingUpdate", "false", `{"lastContainerStatuses":null}`, "{")
	f.Add("100%", "x", "99999999999", []byte("\x00"), "\x1b[31m", "\x9b", `[1]`, "7")
	f.Add("true", "null", "{}", []byte(`{"spec":{"template":{"spec":{"containers":[{"name":"main"},{"name":"main"}]}}}}`), "Updating", "true", "null", "null")
	f.Fuzz(func(t *testing.T, partition, unavailable, surge string, data []byte, state, marked, inPlace, grace string) {
		var w world
		w.add(named("apps.kruise.io/v1alpha1", "CloneSet", "sample", web, nil, object{
			"spec": object{
				"replicas": 3, "selector": selector, "template": template("web:2"),
				"updateStrategy": object{"type": "InPlaceIfPossible", "partition": raw([]byte(partition)), "maxUnavailable": raw([]byte(unavailable)), "maxSurge": raw([]byte(surge))},
				"scaleStrategy":  object{"podsToDelete": []any{"a", state}, "maxUnavailable": raw([]byte(unavailable))},
				"lifecycle":      object{"preDelete": object{"labelsHandler": object{state: marked}}, "inPlaceUpdate": object{"finalizersHandler": []any{state}}},
			},
			"status": object{"replicas": 3, "currentRevision": "sample-a", "updateRevision": "sample-b", "conditions": []any{object{"type": "Progressing", "reason": state, "message": state}}},
		}))
		owned := func(o object) { w.add(of(o, "apps.kruise.io/v1alpha1", "CloneSet", "sample")) }
		owned(named("apps/v1", "ControllerRevision", "sample-a", web, map[string]string{"kruise.io/cloneset-volumeclaimtemplate-hash": grace}, object{"revision": 1, "data": raw(data)}))
		owned(named("apps/v1", "ControllerRevision", "sample-b", web, nil, object{"revision": 2, "data": object{"spec": object{"template": template("web:2")}}}))
		annotations := map[string]string{"apps.kruise.io/inplace-update-state": inPlace, "apps.kruise.io/inplace-update-grace": grace}
		for i, name := range []string{"a", "b", "c", "d"} {
			labels := map[string]string{"app": "web", "controller-revision-hash": []string{"sample-a", "sample-b", state, "sample-a"}[i]}
			if i > 0 {
				labels["lifecycle.apps.kruise.io/state"], labels["apps.kruise.io/specified-delete"] = state, marked
				labels["apps.kruise.io/cloneset-instance-id"] = grace
			}
			owned(named("v1", "Pod", name, labels, annotations, running("web:1", now)))
		}
		decideHarmless(t, w.bundle(t))
		checkHarmless(t, w.bundle(t))
	})
}

// decideHarmless decides on the CloneSet of a bundle for each release, and
// prints that.
func decideHarmless(t *testing.T, text []byte) {
	t.Helper()
	src, err := bundle.Open([]string{"-"}, bytes.NewReader(text), bundle.Options{})
	if err != nil {
		answer{status: 2, stderr: err.Error()}.check(t, nil)
		return
	}
	v, err := src.Load(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, version := range []string{"1.5", "1.9"} {
		p, err := profile.New(profile.Options{Emulate: "1.36", Programs: map[string]profile.ProgramOptions{kruise.Program.Name: {Version: version}}})
		if err != nil {
			t.Fatal(err)
		}
		d, err := cloneset.Decide(v.Reader(), p, view.Target{Kind: view.CloneSets, Namespace: "shop", Name: "sample"}, reconcile.Given{})
		if err != nil {
			continue // fields of another type
		}
		rules.All.Phrase(d)
		d.Answer = cloneset.Controller().Answer(d)
		var out bytes.Buffer
		for _, print := range []func() error{
			func() error { return render.Explain(&out, d, render.Options{Wide: true}) },
			func() error { return render.Plan(&out, d, render.Options{Wide: true, Width: 60}) },
		} {
			if err := print(); err != nil {
				t.Fatal(err)
			}
		}
		answer{stdout: out.String()}.check(t, []string{version})
	}
}
