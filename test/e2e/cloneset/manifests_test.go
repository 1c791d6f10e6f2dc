package cloneset

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/webhook"
)

// manifest is one that a user would apply, and the errors that the server
// refuses it with, by field and type; none for one that is let pass.
type manifest struct {
	name   string
	edits  []func(spec object)
	errors []string
}

// TestNewManifests: CloneSets that are not there yet.
func TestNewManifests(t *testing.T) {
	w := newWorld(t)
	w.plain()
	for _, m := range slices.Concat(accepted, refused, refusedAsNew) {
		t.Run(m.name, func(t *testing.T) {
			w := &world{T: t, namespace: w.namespace}
			set := cloneSet(m.edits...)
			stored, err := w.sets().Create(t.Context(), set, metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
			w.judgeManifest(m, set, err)
			if err == nil {
				webhook.Default(set, nil)
				w.sameSpec(set, stored)
			}
		})
	}
}

// TestChangedManifests: the same, applied to a CloneSet that is there.
func TestChangedManifests(t *testing.T) {
	w := newWorld(t)
	w.plain()
	w.settled()
	live, err := w.sets().Get(t.Context(), web, metav1.GetOptions{})
	w.check(err)
	for _, m := range slices.Concat(accepted, refused, refusedAsChange) {
		t.Run(m.name, func(t *testing.T) {
			w := &world{T: t, namespace: w.namespace}
			set := cloneSet(m.edits...)
			body, err := json.Marshal(set)
			w.check(err)
			stored, err := w.sets().Patch(t.Context(), web, types.MergePatchType, body, metav1.PatchOptions{DryRun: []string{metav1.DryRunAll}})
			w.judgeManifest(m, set, err)
			if err == nil {
				changed := live.DeepCopy()
				merge(changed.Object["spec"].(object), set.Object["spec"].(object))
				webhook.Default(changed, live)
				w.sameSpec(changed, stored)
			}
		})
	}
}

// judgeManifest compares the fields that the tool names with the server's. One
// of both may be more precise.
func (w *world) judgeManifest(m manifest, set *unstructured.Unstructured, err error) {
	w.Helper()
	theirs := fieldErrors(err)
	if !slices.Equal(theirs, m.errors) {
		w.Errorf("want %q, the server says %q: %v", m.errors, theirs, err)
	}
	predicted, answer := w.predictedOf(set)
	agree := (err != nil) == (len(predicted) > 0) && covered(predicted, theirs) && covered(theirs, predicted)
	if !agree {
		w.Errorf("the tool names %q, the server says %v", predicted, err)
	}
	env.report.verdict(w.Name(), answer, err, agree)
}

// covered reports whether each field of a is one of b, around one or inside one.
func covered(a, b []string) bool {
	for _, x := range a {
		if !slices.ContainsFunc(b, func(y string) bool { return within(x, y) || within(y, x) }) {
			return false
		}
	}
	return true
}

func within(a, b string) bool {
	a, _, _ = strings.Cut(a, ": ")
	b, _, _ = strings.Cut(b, ": ")
	rest, ok := strings.CutPrefix(a, b)
	return ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
}

var fieldError = regexp.MustCompile(`(spec[\w.\[\]]*): (Invalid value|Required value|Forbidden|Unsupported value|Duplicate value|Not found)`)

// fieldErrors are the fields of an error of the server, each with its type.
func fieldErrors(err error) []string {
	if err == nil {
		return nil
	}
	all := map[string]bool{}
	for _, match := range fieldError.FindAllString(err.Error(), -1) {
		all[match] = true
	}
	return slices.Sorted(maps.Keys(all))
}

// predictedOf are the fields that plan --filename says would be refused.
func (w *world) predictedOf(set *unstructured.Unstructured) (fields []string, answer string) {
	w.Helper()
	text, err := json.Marshal(set)
	w.check(err)
	path := filepath.Join(w.TempDir(), "manifest.json")
	w.check(os.WriteFile(path, text, 0o600))
	plan := w.predictedPlan([]string{"--filename", path})
	for _, refusal := range plan.Refused {
		field, _, _ := strings.Cut(refusal, ": ")
		fields = append(fields, field)
	}
	return fields, plan.Answer
}

// sameSpec compares what the tool makes of a manifest with what would be stored.
func (w *world) sameSpec(ours, theirs *unstructured.Unstructured) {
	w.Helper()
	a, b := ours.Object["spec"].(object), theirs.Object["spec"].(object)
	if diff := cmp.Diff(w.typed(b), w.typed(a)); diff != "" {
		w.Errorf("the server stores (-), the tool takes (+):\n%s", diff)
	}
	for _, spec := range []object{a, b} { // of these there are many ways to write the same
		delete(spec, "template")
		delete(spec, "volumeClaimTemplates")
	}
	if diff := cmp.Diff(b, a); diff != "" {
		w.Errorf("the server stores (-), the tool takes (+):\n%s", diff)
	}
}

// typed are the parts of a spec that are of Kubernetes' own types.
func (w *world) typed(spec object) (parts struct {
	Template             corev1.PodTemplateSpec
	VolumeClaimTemplates []corev1.PersistentVolumeClaim
},
) {
	w.Helper()
	text, err := json.Marshal(spec)
	w.check(err)
	w.check(json.Unmarshal(text, &parts))
	return parts
}

// merge lays fields over others, as a merge patch does.
func merge(over, fields object) {
	for name, value := range fields {
		inner, ok := value.(object)
		under, have := over[name].(object)
		if ok && have {
			merge(under, inner)
			continue
		}
		over[name] = value
	}
}
