package states

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/rand"
)

// template is a pod template in the form in which kruise-manager stores it:
// every field that its Go type always writes is there.
type template map[string]any

// typed is the template as pods get it.
func (t template) typed() corev1.PodTemplateSpec {
	var out corev1.PodTemplateSpec
	if err := json.Unmarshal(encode(t), &out); err != nil {
		panic(err)
	}
	return out
}

func (t template) clone() template {
	var out template
	if err := json.Unmarshal(encode(t), &out); err != nil {
		panic(err)
	}
	return out
}

// meta is the template's labels or annotations.
func (t template) meta(field string) map[string]any {
	meta := t["metadata"].(map[string]any)
	if meta[field] == nil {
		meta[field] = map[string]any{}
	}
	return meta[field].(map[string]any)
}

func (t template) containers() []any {
	return t["spec"].(map[string]any)["containers"].([]any)
}

func (t template) container(i int) map[string]any { return t.containers()[i].(map[string]any) }

// data is what a ControllerRevision holds of the template.
func (t template) data() []byte {
	patch := t.clone()
	patch["$patch"] = "replace"
	return encode(map[string]any{"spec": map[string]any{"template": patch}})
}

// hash is how kruise-manager names a revision of these data.
func hash(data []byte, collisions int) string {
	h := fnv.New32()
	h.Write(data)
	fmt.Fprint(h, collisions)
	return rand.SafeEncodeString(fmt.Sprint(h.Sum32()))
}

// knows128 reports whether the manager keeps fields that came with Kubernetes 1.27
// and 1.28: it drops those that its libraries don't know.
func (s *scene) knows128() bool { return s.modelled.AtLeast(7, 0) }

func (s *scene) firstTemplate() template {
	main := map[string]any{
		"name": "main", "image": "web:0", "resources": map[string]any{},
		"env": []any{
			map[string]any{"name": "NOTE", "valueFrom": map[string]any{"fieldRef": map[string]any{"fieldPath": "metadata.annotations['note']"}}},
			map[string]any{"name": "TIER", "valueFrom": map[string]any{"fieldRef": map[string]any{"fieldPath": "metadata.labels['tier']"}}},
			map[string]any{"name": "MODE", "value": "a"},
		},
	}
	if s.chance(40) {
		main["resources"] = s.resources()
		if s.chance(30) && s.knows128() {
			main["resizePolicy"] = []any{map[string]any{"resourceName": "cpu", "restartPolicy": "RestartContainer"}}
		}
	}
	spec := map[string]any{"containers": []any{main}}
	if s.chance(40) {
		spec["containers"] = append(spec["containers"].([]any), s.secondContainer())
	}
	if s.chance(20) && s.knows128() {
		spec["initContainers"] = []any{map[string]any{"name": "proxy", "image": "proxy:0", "resources": map[string]any{}, "restartPolicy": "Always"}}
	}
	if s.chance(20) {
		var constraints []any
		for _, key := range pick(s.draw, []string{"zone"}, []string{"kubernetes.io/hostname"}, []string{"zone", "kubernetes.io/hostname"}) {
			constraints = append(constraints, map[string]any{"maxSkew": 1, "topologyKey": key, "whenUnsatisfiable": "DoNotSchedule"})
		}
		spec["topologySpreadConstraints"] = constraints
	}
	return template{
		"metadata": map[string]any{
			"creationTimestamp": nil,
			"labels":            map[string]any{"app": Name, "tier": "front"}, "annotations": pick(s.draw, map[string]any{"note": "0"}, map[string]any{"note": "0", "alone": "0"}),
		},
		"spec": spec,
	}
}

// edits are the ways in which a template differs from the one before it. The
// number makes it differ from all others.
var edits = []func(s *scene, t template, n int){
	func(_ *scene, t template, n int) { t.container(0)["image"] = fmt.Sprintf("web:%d", n) },
	func(_ *scene, t template, n int) {
		c := t.container(len(t.containers()) - 1)
		c["image"] = fmt.Sprintf("%s:%d", c["name"], n)
	},
	func(_ *scene, t template, n int) { t.meta("labels")["release"] = fmt.Sprint(n) },
	func(_ *scene, t template, n int) { t.meta("annotations")["note"] = fmt.Sprint(n) },
	func(_ *scene, t template, n int) { t.meta("labels")["tier"] = fmt.Sprint(n) },
	func(_ *scene, t template, _ int) { delete(t["metadata"].(map[string]any), "annotations") },
	func(_ *scene, t template, n int) {
		t.container(0)["env"].([]any)[2].(map[string]any)["value"] = fmt.Sprint(n)
	},
	func(s *scene, t template, n int) { s.resize(t, "limits", n) },
	func(s *scene, t template, n int) { s.resize(t, "requests", n) },
	func(_ *scene, t template, n int) {
		t["spec"].(map[string]any)["containers"] = append(t.containers(), map[string]any{"name": fmt.Sprint("extra", n), "image": "extra", "resources": map[string]any{}})
	},
	func(_ *scene, t template, n int) { t["spec"].(map[string]any)["hostname"] = fmt.Sprint("h", n) },
	func(_ *scene, t template, n int) {
		t["spec"].(map[string]any)["nodeSelector"] = map[string]any{"n": fmt.Sprint(n)}
	},
	func(s *scene, t template, _ int) { s.dropKey(t) },
}

// next is a template that differs from t, mostly in images alone.
func (s *scene) next(t template, n int) template {
	out := t.clone()
	edits[mostly(s.draw, s.between(0, 1), 45, 2, 3, 4, 5, 6, 7, 7, 8, 8, 9, 10, 11, 12, 12)](s, out, n)
	if s.chance(25) {
		edits[pick(s.draw, 0, 1, 2, 3, 4, 5, 6, 7, 8, 12)](s, out, n)
	}
	return out
}

// drawRevisions draws the history, the oldest revision first.
func (s *scene) drawRevisions() {
	n := mostly(s.draw, s.between(1, 3), 10, 0, 5, 13)
	s.templates = []template{s.firstTemplate()}
	named := s.chance(75) // as the manager would
	for i := 1; i < max(n, 1); i++ {
		t := s.next(s.templates[i-1], i)
		if s.chance(2) { // as a newer manager would have stored it
			s.newField(t)
		}
		if named && s.known(t) { // one name for both
			t.container(0)["image"] = fmt.Sprintf("web:again%d", i)
		}
		s.templates = append(s.templates, t)
	}
	for i := range n {
		s.revisions = append(s.revisions, s.revision(i, named))
	}
	if s.chance(8) {
		s.sameNumbers()
	}
	if s.chance(2) {
		foreign := s.revision(0, false)
		foreign.Name, foreign.OwnerReferences = "web-foreign", reference("blog", "uid-blog", true)
		s.revisions = append(s.revisions, foreign)
	}
}

// sameNumbers gives revisions one number, as a restored backup may: then their
// creation tells which is newer, and at last their names.
func (s *scene) sameNumbers() {
	for _, cr := range s.revisions {
		cr.Revision, cr.CreationTimestamp = int64(len(s.revisions)), ago(pick(s.draw, 3600, 3600, 7200, 60))
	}
}

func (s *scene) known(t template) bool {
	return slices.ContainsFunc(s.templates, func(old template) bool { return bytes.Equal(old.data(), t.data()) })
}

func (s *scene) revision(i int, named bool) *appsv1.ControllerRevision {
	data := s.templates[i].data()
	name := fmt.Sprintf("web-r%d", i)
	if named {
		name = "web-" + hash(data, 0)
	}
	cr := &appsv1.ControllerRevision{ObjectMeta: owned(name, fmt.Sprint(20+i)), Revision: int64(i + 1)}
	cr.Data.Raw = data
	cr.Labels["controller.kubernetes.io/hash"] = hash(data, 0)
	if s.chance(60) {
		cr.Annotations = map[string]string{"kruise.io/cloneset-volumeclaimtemplate-hash": pick(s.draw, "", "x", claimHash("data"), claimHash("data", "log"))}
	}
	if s.chance(3) {
		cr.OwnerReferences = nil // used all the same
	}
	return cr
}
