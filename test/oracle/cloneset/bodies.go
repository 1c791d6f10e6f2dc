package cloneset

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/strategicpatch"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/cloneset/contract"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/cloneset/states"
)

// bodies compares what the requests of a sync make of each object with what
// upstream's do. Nothing is compared where chance decides, or what is not given.
func bodies(version string, req *contract.Request, run *contract.Run) (differ []string, compared bool, err error) {
	if len(req.Faults) > 0 || req.Expectations != nil || run.Error != "" {
		return nil, false, nil
	}
	v, err := viewOf(version, req)
	if err != nil {
		return nil, false, err
	}
	p, err := profile.New(profile.Options{Emulate: kubernetes(version)})
	if err != nil {
		return nil, false, err
	}
	s, err := cloneset.Step(v.Reader(), p, view.Target{Kind: view.CloneSets, Namespace: states.Namespace, Name: states.Name})
	if err != nil {
		return nil, false, err
	}
	if slices.ContainsFunc(s.Decision.Actions, func(a decision.Action) bool { return a.Certainty != decision.Certain }) || unnamed(s.Writes) {
		return nil, false, nil
	}
	mine, theirs := ourObjects(v, s.Writes), newObjects(v)
	if err := theirs.apply(run.Writes); err != nil {
		return nil, false, err
	}
	return mine.differences(theirs), true, nil
}

// unnamed reports whether a revision is created whose name can't be predicted, or a
// Pod under one of several names.
func unnamed(writes []cluster.Write) bool {
	return slices.ContainsFunc(writes, func(w cluster.Write) bool {
		return w.Drawn != nil || w.Kind.Kind == view.ControllerRevisions.Kind && strings.HasSuffix(w.Name, "-<hash>")
	})
}

// objects are those of a cluster by kind and name, and those that were created
// under a name that can't be predicted.
type objects struct {
	byName  map[string]metav1.Object
	created []metav1.Object
}

func newObjects(v *view.View) *objects {
	o := &objects{byName: map[string]metav1.Object{}}
	for _, k := range []view.Kind{view.Pods, view.PersistentVolumeClaims, view.ControllerRevisions} {
		for _, obj := range v.All(k) {
			o.byName[k.Kind+" "+obj.GetName()] = obj
		}
	}
	return o
}

func ourObjects(v *view.View, writes []cluster.Write) *objects {
	o := newObjects(v)
	for i := range writes {
		w := &writes[i]
		key := w.Kind.Kind + " " + w.Name
		now, there := o.byName[key]
		switch {
		case w.Err != nil || w.Verb != cluster.Create && !there:
		case w.Verb == cluster.Delete:
			delete(o.byName, key)
		case w.Verb != cluster.Create:
			o.byName[key] = w.After(now)
		case w.Generate:
			for n := range max(1, w.Count) {
				obj := w.Object.(runtime.Object).DeepCopyObject().(metav1.Object)
				obj.SetName(newName(writes, w, n))
				if o.byName[w.Kind.Kind+" "+obj.GetName()] == nil {
					o.created = append(o.created, w.After(obj))
				}
			}
		case !there:
			o.byName[key] = w.Object
		}
	}
	return o
}

// newName is the name of the n-th creation of a request, which ends as that of the
// creation that it goes with.
func newName(writes []cluster.Write, w *cluster.Write, n int) string {
	of := w
	if w.With > 0 {
		of = &writes[w.With-1]
	}
	if n < len(of.Names) {
		return w.Name + strings.TrimPrefix(of.Names[n], of.Name)
	}
	return fmt.Sprintf("%snew%d", w.Name, n)
}

// apply makes upstream's requests, as the API server does.
func (o *objects) apply(writes []contract.Write) error {
	for i := range writes {
		w := &writes[i]
		key := w.Kind + " " + w.Name
		now, there := o.byName[key]
		switch {
		case w.Failed != "" || w.Verb != "create" && !there:
		case w.Verb == "delete":
			delete(o.byName, key)
		case w.Verb == "patch":
			next, err := patched(now, w.Patch)
			if err != nil {
				return err
			}
			o.byName[key] = next
		default:
			obj, err := decoded(w)
			if err != nil {
				return fmt.Errorf("%s %s %s: %w", w.Verb, w.Kind, w.Name, err)
			}
			if obj == nil {
				continue
			}
			if w.Verb == "create" && w.Kind != view.ControllerRevisions.Kind {
				o.created = append(o.created, obj)
				continue
			}
			o.byName[key] = merged(now, obj, w.Subresource == "status")
		}
	}
	return nil
}

func patched(now metav1.Object, patch string) (metav1.Object, error) {
	before, err := json.Marshal(now)
	if err != nil {
		return nil, err
	}
	after, err := strategicpatch.StrategicMergePatch(before, []byte(patch), now)
	if err != nil {
		return nil, err
	}
	next := &corev1.Pod{}
	return next, json.Unmarshal(after, next)
}

// decoded is nil for kinds that are not compared.
func decoded(w *contract.Write) (metav1.Object, error) {
	var obj metav1.Object
	switch w.Kind {
	case view.Pods.Kind:
		p := &corev1.Pod{}
		if w.Subresource == "status" {
			return p, json.Unmarshal(w.Object, &p.Status)
		}
		obj = p
	case view.PersistentVolumeClaims.Kind:
		obj = &corev1.PersistentVolumeClaim{}
	case view.ControllerRevisions.Kind:
		obj = &appsv1.ControllerRevision{}
	default:
		return nil, nil
	}
	return obj, json.Unmarshal(w.Object, obj)
}

// merged is an object after an update, which changes status or all but status.
func merged(now, sent metav1.Object, status bool) metav1.Object {
	was, pod := now.(*corev1.Pod)
	next, ok := sent.(*corev1.Pod)
	if !pod || !ok {
		return sent
	}
	if status {
		changed := was.DeepCopy()
		changed.Status = next.Status
		return changed
	}
	changed := next.DeepCopy()
	changed.Status = was.Status
	return changed
}

func (o *objects) differences(theirs *objects) []string {
	var out []string
	for _, key := range slices.Sorted(keysOf(o.byName, theirs.byName)) {
		if mine, upstream := shownOf(o.byName[key]), shownOf(theirs.byName[key]); mine != upstream {
			out = append(out, fmt.Sprintf("%s is\n  %s, and upstream's\n  %s", key, mine, upstream))
		}
	}
	mine, upstream := showCreated(o.created), showCreated(theirs.created)
	if mine != upstream {
		out = append(out, fmt.Sprintf("created\n  %s, and upstream's\n  %s", mine, upstream))
	}
	return out
}

func keysOf(all ...map[string]metav1.Object) func(func(string) bool) {
	seen := map[string]bool{}
	for _, m := range all {
		for key := range m {
			seen[key] = true
		}
	}
	return func(yield func(string) bool) {
		for key := range seen {
			if !yield(key) {
				return
			}
		}
	}
}

func showCreated(all []metav1.Object) string {
	var out []string
	for _, obj := range all {
		c := obj.(runtime.Object).DeepCopyObject().(metav1.Object)
		labels := c.GetLabels()
		if labels[instanceLabel] != "" {
			labels[instanceLabel] = "…"
		}
		c.SetLabels(labels)
		out = append(out, shownOf(c))
	}
	slices.Sort(out)
	return strings.Join(out, "\n  ")
}

// shownOf is what is compared of an object.
func shownOf(obj metav1.Object) string {
	if obj == nil {
		return "gone"
	}
	shown := map[string]any{"labels": obj.GetLabels(), "finalizers": slices.Sorted(slices.Values(obj.GetFinalizers())), "owners": owners(obj), "annotations": annotations(obj)}
	switch o := obj.(type) {
	case *corev1.Pod:
		shown["containers"], shown["gates"], shown["conditions"] = containers(o), o.Spec.ReadinessGates, conditions(o)
	case *appsv1.ControllerRevision:
		shown["revision"] = o.Revision
	}
	text, err := json.Marshal(shown)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

func owners(obj metav1.Object) (out []string) {
	for _, ref := range obj.GetOwnerReferences() {
		out = append(out, fmt.Sprintf("%s %s %s %t", ref.Kind, ref.Name, ref.UID, ref.Controller != nil && *ref.Controller))
	}
	return out
}

// annotations are compared as what their JSON says.
func annotations(obj metav1.Object) map[string]any {
	out := map[string]any{}
	for key, text := range obj.GetAnnotations() {
		var fields any
		if json.Unmarshal([]byte(text), &fields) != nil {
			fields = text
		}
		withoutNulls(fields)
		if state, ok := fields.(map[string]any); ok && key == updateState {
			delete(state, "updateEnvFromMetadata") // a model cluster without kruise-daemon tells by
			delete(state, "updateResources")       // them what a batch waits for
		}
		out[key] = fields
	}
	return out
}

// withoutNulls drops the creation timestamps of metadata that is no object's.
func withoutNulls(v any) {
	fields, ok := v.(map[string]any)
	if !ok {
		return
	}
	maps.DeleteFunc(fields, func(key string, value any) bool { return key == "creationTimestamp" && value == nil })
	for _, value := range fields {
		withoutNulls(value)
	}
}

// containers are compared by what an update in place may change: the oracle drops
// fields of running Pods that its libraries do not know.
func containers(p *corev1.Pod) (out []corev1.Container) {
	for _, c := range p.Spec.Containers {
		out = append(out, corev1.Container{Name: c.Name, Image: c.Image, Env: c.Env, Resources: c.Resources})
	}
	return out
}

func conditions(p *corev1.Pod) map[string]string {
	out := map[string]string{}
	for _, c := range p.Status.Conditions {
		if c.Type != corev1.PodReady {
			out[string(c.Type)] = string(c.Status) + " " + c.Message
		}
	}
	return out
}
