package cloneset

import (
	"encoding/json"
	"maps"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// apply makes the sync's writes.
func (s *sync) apply(w *cluster.Model, picked []decision.Action) []decision.Action {
	s.putRevision(w)
	s.chargeBudgets(w, picked)
	gone := map[string]bool{}
	for _, a := range picked {
		gone[a.Object.Name] = gone[a.Object.Name] || a.Verb == decision.Delete && a.Object.Kind == view.Pods.Kind
	}
	names := s.newNames(w)
	var done []decision.Action
	for _, a := range picked {
		switch {
		case a.Verb == decision.Create:
			done = append(done, s.createPods(w, a, names)...)
			continue
		case a.Rule == VolumeGoesWithPod && !gone[a.Facts.Str("pod")]:
			continue // its pod was not picked
		case a.Object.Kind == view.Pods.Kind:
			s.toPodInWorld(w, a)
		default:
			s.toOther(w, a)
		}
		done = append(done, a)
	}
	s.markInWorld(w)
	s.truncateInWorld(w)
	s.store(w)
	return done
}

// toOther deletes claims and revisions, and hands claims over to pods.
func (s *sync) toOther(w *cluster.Model, a decision.Action) {
	k := view.PersistentVolumeClaims
	if a.Object.Kind == view.ControllerRevisions.Kind {
		k = view.ControllerRevisions
	}
	obj, ok := w.Get(k, a.Object.Namespace, a.Object.Name)
	switch {
	case !ok:
	case a.Verb == decision.Delete:
		w.Drop(k, obj)
	case a.Verb == decision.Detach:
		w.Put(k, &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{
			Namespace: obj.GetNamespace(), Name: obj.GetName(), UID: obj.GetUID(), Labels: obj.GetLabels(),
			OwnerReferences: []metav1.OwnerReference{{APIVersion: "v1", Kind: "Pod", Name: a.Facts.Str("pod")}},
		}})
	}
}

// toPodInWorld writes one action into its pod.
func (s *sync) toPodInWorld(w *cluster.Model, a decision.Action) {
	if a.Verb == decision.Delete {
		cluster.DeletePod(w, a.Object.Namespace, a.Object.Name)
		return
	}
	p, ok := cluster.GetPod(w, a.Object.Namespace, a.Object.Name)
	if !ok {
		return
	}
	if p.Labels == nil {
		p.Labels = map[string]string{}
	}
	switch a.Verb {
	case decision.Adopt:
		p.OwnerReferences = append(s.otherOwners(p), s.reference())
	case decision.Release:
		p.OwnerReferences = s.otherOwners(p)
	case decision.Recreate:
		p.Labels[specifiedLabel] = "true"
	case decision.SetCondition:
		cluster.SetPodCondition(w, p, inPlaceReady, true)
	case decision.SetState:
		s.moveOn(w, p, a)
	case decision.UpdateInPlace:
		s.updateInWorld(w, p, a)
	}
	w.Put(view.Pods, p)
}

func (s *sync) otherOwners(p *corev1.Pod) []metav1.OwnerReference {
	return slices.DeleteFunc(slices.Clone(p.OwnerReferences), func(ref metav1.OwnerReference) bool { return ref.UID == s.set.GetUID() })
}

func (s *sync) reference() metav1.OwnerReference {
	return *metav1.NewControllerRef(s.set, s.set.GroupVersionKind())
}

// moveOn moves a pod to another state of its lifecycle.
func (s *sync) moveOn(w *cluster.Model, p *corev1.Pod, a decision.Action) {
	switch a.Rule {
	case TemplateHashAdded:
		p.Labels[templateHashLabel] = a.Facts.Str("to")
		return
	case GraceDropped:
		delete(p.Annotations, graceAnnotation)
		delete(p.Annotations, oldGrace)
		return
	case UpdateRestarted:
		s.rehook(p)
	}
	to := a.Facts.Str("to")
	p.Labels[stateLabel] = to
	switch {
	case !gated(p, kruisePodReady):
	case to == preparingDelete && s.set.deleteHook().marks():
		closeReadiness(w, p, deletionHook)
	case to == preparingUpdate && s.set.updateHook().marks():
		cluster.SetPodCondition(w, p, kruisePodReady, false)
	case to == stateUpdated && s.set.updateHook().marks():
		cluster.SetPodCondition(w, p, kruisePodReady, true)
	}
}

// rehook puts the labels and finalizers of the update hook back on a pod.
func (s *sync) rehook(p *corev1.Pod) {
	h := s.set.updateHook()
	if h == nil {
		return
	}
	maps.Copy(p.Labels, h.LabelsHandler)
	for _, f := range h.FinalizersHandler {
		if !slices.Contains(p.Finalizers, f) {
			p.Finalizers = append(p.Finalizers, f)
		}
	}
}

// putRevision makes the update revision, or gives it its new number.
func (s *sync) putRevision(w *cluster.Model) {
	r := s.revisions.update
	if r == nil || s.revisions.unread {
		return
	}
	obj, ok := w.Get(view.ControllerRevisions, s.set.GetNamespace(), r.name)
	if old, typed := obj.(*appsv1.ControllerRevision); ok && typed {
		if old.Revision != r.number {
			renumbered := old.DeepCopy()
			renumbered.Revision = r.number
			w.Put(view.ControllerRevisions, renumbered)
		}
		return
	}
	made := &appsv1.ControllerRevision{Revision: r.number, Data: runtime.RawExtension{Raw: r.template.raw}}
	made.Namespace, made.Name, made.Labels = s.set.GetNamespace(), r.name, r.template.typed.Labels
	made.CreationTimestamp, made.OwnerReferences = w.Stamp(), []metav1.OwnerReference{s.reference()}
	if r.hasClaimHash {
		made.Annotations = map[string]string{claimHashAnnotation: r.claimHash}
	}
	if made.Labels == nil || !s.set.selector.Matches(labelSet(made.Labels)) {
		return // upstream would not find it either, and make it again
	}
	w.Put(view.ControllerRevisions, made)
}

// truncateInWorld drops names from podsToDelete, as truncate foretells.
func (s *sync) truncateInWorld(w *cluster.Model) {
	var live []string
	for _, m := range s.pods {
		if slices.Contains(s.set.spec.ScaleStrategy.PodsToDelete, m.Name) {
			live = append(live, m.Name)
		}
	}
	if len(live) == len(s.set.spec.ScaleStrategy.PodsToDelete) {
		return
	}
	obj, ok := s.inWorld(w)
	if !ok {
		return
	}
	if unstructured.SetNestedStringSlice(obj.Object, live, "spec", "scaleStrategy", "podsToDelete") == nil {
		obj.SetGeneration(obj.GetGeneration() + 1)
		w.Put(view.CloneSets, obj)
	}
}

// inWorld is a copy of the set as it is now.
func (s *sync) inWorld(w *cluster.Model) (*unstructured.Unstructured, bool) {
	obj, ok := w.Get(view.CloneSets, s.set.GetNamespace(), s.set.GetName())
	u, typed := obj.(*unstructured.Unstructured)
	if !ok || !typed {
		return nil, false
	}
	return u.DeepCopy(), true
}

// store writes status, where the sync does.
func (s *sync) store(w *cluster.Model) {
	if !s.d.Status.Writes {
		return
	}
	obj, ok := s.inWorld(w)
	if !ok {
		return
	}
	text, err := json.Marshal(s.nextStatus())
	var fields map[string]any
	if err == nil {
		err = json.Unmarshal(text, &fields)
	}
	old, _, found := unstructured.NestedMap(obj.Object, "status")
	if err != nil || found != nil {
		return
	}
	if old == nil {
		old = map[string]any{}
	}
	maps.Copy(old, fields)
	obj.Object["status"] = old
	w.Put(view.CloneSets, obj)
}
