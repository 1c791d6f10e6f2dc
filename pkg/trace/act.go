package trace

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/handlers"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/trace/entry"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// act is something that happened to a dependent and that its controller does.
type act struct {
	at     time.Time
	verb   decision.Verb
	kind   view.Kind
	object decision.Ref
	owner  metav1.OwnerReference
	// to is the new size of a set.
	to *int32
	// changed are the fields of what was changed in another way.
	changed []entry.Changed
	// was is the state before, nil for a creation.
	was metav1.Object
	// version is the resource version that it led to.
	version string
	// writer is who last wrote the object, of a pod what was changed of it, where
	// that is known.
	writer string
	// wanted reports whether acts of its verb were predicted when it was seen, if
	// not this one.
	wanted bool
	// matched: of a release, the controller would adopt the object as it was left.
	matched bool
}

// is reports whether the act is what the action predicts.
func (a *act) is(x decision.Action) bool {
	switch {
	case a.verb == decision.Create:
		return x.Verb == decision.Create && x.Object.Kind == a.object.Kind
	case x.Object.Kind != a.object.Kind || x.Object.Name != a.object.Name:
		return false
	case a.verb == decision.Scale:
		return x.Verb == decision.Scale && (x.To == nil || a.to == nil || *x.To == *a.to)
	case a.verb == decision.Modify:
		return x.Verb == decision.Modify || x.Verb == decision.Scale || updates[x.Verb]
	case a.verb == decision.Delete && x.Verb == decision.Recreate:
		return true
	}
	return x.Verb == a.verb
}

// anothers reports whether somebody else than the manager surely did it: the
// owner of the label that was changed of a pod.
func (a *act) anothers(manager string) bool {
	return a.kind.GroupKind() == view.Pods.GroupKind() && a.writer != "" && a.writer != manager
}

// updates are the verbs that write a pod without replacing it.
var updates = map[decision.Verb]bool{
	decision.UpdateInPlace: true, decision.Recreate: true, decision.SetState: true, decision.SetCondition: true, decision.Detach: true,
}

// actsOf reads from an event what a controller may have done. What comes with
// the first list was done before anyone looked.
func (w podLabels) actsOf(now time.Time, ev handlers.Event) []*act {
	if ev.Type == handlers.Updated && ev.Old.GetUID() != ev.New.GetUID() { // events in between are missing
		return append(w.actsOf(now, handlers.Event{Type: handlers.Deleted, Kind: ev.Kind, Old: ev.Old}),
			w.actsOf(now, handlers.Event{Type: handlers.Added, Kind: ev.Kind, New: ev.New})...)
	}
	was, is := controllerOf(ev.Old), controllerOf(ev.New)
	obj := ev.New
	if obj == nil {
		obj = ev.Old
	}
	one := func(v decision.Verb, owner *metav1.OwnerReference) []*act {
		a := &act{at: now, verb: v, kind: ev.Kind, object: ownership.RefTo(ev.Kind, obj), owner: *owner, was: ev.Old, version: obj.GetResourceVersion()}
		if ev.Kind.GroupKind() != view.Pods.GroupKind() {
			a.writer = writerOf(obj)
		}
		return []*act{a}
	}
	switch {
	case ev.Type == handlers.Added && is != nil && ev.New.GetDeletionTimestamp() == nil:
		return one(decision.Create, is)
	case ev.Type == handlers.Deleted && was != nil && ev.Old.GetDeletionTimestamp() == nil:
		return one(decision.Delete, was)
	case ev.Type != handlers.Updated:
		return nil
	case was != nil && ev.Old.GetDeletionTimestamp() == nil && ev.New.GetDeletionTimestamp() != nil:
		return one(decision.Delete, was)
	case was == nil && is != nil:
		return one(decision.Adopt, is)
	case was != nil && is == nil:
		return one(decision.Release, was)
	case is != nil:
		return w.changed(ev, one)
	}
	return nil
}

func controllerOf(obj metav1.Object) *metav1.OwnerReference {
	if obj == nil || reflect.ValueOf(obj).IsNil() {
		return nil
	}
	return metav1.GetControllerOfNoCopy(obj)
}

// changed finds out what an owned object was changed to.
func (w podLabels) changed(ev handlers.Event, one func(decision.Verb, *metav1.OwnerReference) []*act) []*act {
	is := metav1.GetControllerOfNoCopy(ev.New)
	if now, ok := ev.New.(*appsv1.ReplicaSet); ok {
		before, _ := ev.Old.(*appsv1.ReplicaSet)
		switch {
		case ptr.Deref(before.Spec.Replicas, 1) != ptr.Deref(now.Spec.Replicas, 1):
			acts := one(decision.Scale, is)
			acts[0].to, acts[0].writer = now.Spec.Replicas, scalerOf(now)
			return acts
		case before.Generation != now.Generation || !maps.Equal(before.Annotations, now.Annotations):
			acts := one(decision.Modify, is)
			acts[0].changed = differing("spec.%s", specOf(before), specOf(now))
			acts[0].changed = append(acts[0].changed, differing("metadata.annotations[%s]", before.Annotations, now.Annotations)...)
			return acts
		}
		return nil
	}
	before, ok := ev.Old.(*corev1.Pod)
	now, _ := ev.New.(*corev1.Pod)
	if !ok || now == nil {
		return nil
	}
	writes, ok := w.of(now)
	if !ok {
		return nil
	}
	labels := writes.relabelled(before, now)
	var changed []entry.Changed
	if writes.inPlace && !sameImages(before, now) {
		changed = differing("spec.containers[%s].image", images(before), images(now))
	}
	if len(labels) > 0 {
		changed = append(changed, differing("metadata.labels[%s]", only(before.Labels, labels), only(now.Labels, labels))...)
	}
	if len(changed) == 0 {
		return nil
	}
	acts := one(decision.Modify, is)
	acts[0].changed = changed
	if len(labels) > 0 {
		acts[0].writer = labelWriter(now, labels[0])
	}
	return acts
}

// relabelled are those of the labels that were changed. One that is taken away was not by a
// controller that takes none away.
func (w podWrites) relabelled(before, now *corev1.Pod) (changed []string) {
	for _, label := range w.labels {
		was, had := before.Labels[label]
		if is, has := now.Labels[label]; (was != is || had != has) && (has || w.inPlace) {
			changed = append(changed, label)
		}
	}
	return changed
}

// only is a part of a map.
func only(all map[string]string, keys []string) map[string]string {
	part := map[string]string{}
	for _, key := range keys {
		if value, found := all[key]; found {
			part[key] = value
		}
	}
	return part
}

// sameImages reports whether the containers of a Pod have the images that they had. It is
// asked of each update of a Pod: nearly none changes an image.
func sameImages(before, now *corev1.Pod) bool {
	return slices.EqualFunc(before.Spec.Containers, now.Spec.Containers, func(a, b corev1.Container) bool {
		return a.Name == b.Name && a.Image == b.Image
	})
}

// images are those of a Pod by container.
func images(p *corev1.Pod) map[string]string {
	out := map[string]string{}
	for _, c := range p.Spec.Containers {
		out[c.Name] = c.Image
	}
	return out
}

// specOf is what is changed in the spec of a ReplicaSet besides its size: its template and
// selector never are.
func specOf(rs *appsv1.ReplicaSet) map[string]string {
	return map[string]string{"minReadySeconds": strconv.Itoa(int(rs.Spec.MinReadySeconds))}
}

// differing are the keys of which two maps have different values, in order.
func differing(path string, was, is map[string]string) (changed []entry.Changed) {
	keys := slices.AppendSeq(slices.Collect(maps.Keys(was)), maps.Keys(is))
	slices.Sort(keys)
	for _, key := range slices.Compact(keys) {
		before, had := was[key]
		if now, has := is[key]; before != now || had != has {
			changed = append(changed, entry.Changed{Path: fmt.Sprintf(path, key), From: before, To: now})
		}
	}
	return changed
}

// undoOf is the state of objects before the acts.
func undoOf(acts []*act) undo {
	u := undo{}
	for _, a := range acts {
		key := objectKey(a.kind, a.object.Namespace, a.object.Name)
		if _, first := u[key]; !first {
			u[key] = undone{a.kind, a.was}
		}
	}
	return u
}
