package replicaset

import (
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/admission"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/simulate"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// Step decides as Decide does, and says what becomes of what was decided.
func Step(r *view.Reader, p profile.Profile, t view.Target) (*simulate.Sync, error) {
	s, err := decide(r, p, t, Given{})
	if err != nil {
		return nil, err
	}
	return &simulate.Sync{
		Decision: s.d, Wanted: s.set.want(), Terminating: s.claims.terminating, Pods: s.standing(),
		Begin:    func(w *cluster.Model) { cluster.BeginPods(w, s.claims.all, nil, s.free(w)) },
		StartUps: s.startUps, Apply: s.apply, Left: s.left,
		Say: func(r decision.Ruling) string { return Rules.Say(r.Rule, r.Facts) },
	}, nil
}

// standing is how the pods stand that count.
func (s *sync) standing() []simulate.Pod {
	pods := make([]simulate.Pod, 0, len(s.claims.active))
	for _, p := range s.claims.active {
		if adopted := !metav1.IsControlledBy(p, s.set); adopted {
			continue // counts when that has happened
		}
		ready, since := readiness(p)
		pods = append(pods, simulate.Pod{Name: p.Name, Ready: ready, Available: ready && s.available(since)})
	}
	return pods
}

func (s *sync) startUps() []simulate.StartUp {
	var seen []simulate.StartUp
	for _, p := range s.claims.active {
		if took, ok := cluster.PodStartUp(p); ok && metav1.IsControlledBy(p, s.set) {
			seen = append(seen, simulate.StartUp{Took: took})
		}
	}
	return seen
}

// apply makes the sync's writes.
func (s *sync) apply(w *cluster.Model, picked []decision.Action) []decision.Action {
	var done []decision.Action
	for _, a := range picked {
		if a.Verb == decision.Create {
			done = append(done, s.createPods(w, a)...)
			continue
		}
		s.act(w, a)
		done = append(done, a)
	}
	s.store(w)
	return done
}

func (s *sync) act(w *cluster.Model, a decision.Action) {
	if a.Verb == decision.Delete {
		cluster.DeletePod(w, a.Object.Namespace, a.Object.Name, s.free(w))
		return
	}
	p, ok := cluster.GetPod(w, a.Object.Namespace, a.Object.Name)
	if !ok {
		return
	}
	switch a.Verb {
	case decision.Adopt:
		p.OwnerReferences = append(p.OwnerReferences, s.reference())
	case decision.Release:
		p.OwnerReferences = otherOwners(p.OwnerReferences, s.set)
	}
	w.Put(view.Pods, p)
}

func otherOwners(refs []metav1.OwnerReference, set *set) []metav1.OwnerReference {
	var kept []metav1.OwnerReference
	for _, ref := range refs {
		if ref.UID != set.UID {
			kept = append(kept, ref)
		}
	}
	return kept
}

func (s *sync) reference() metav1.OwnerReference {
	return metav1.OwnerReference{
		APIVersion: s.set.kind.GroupVersion().String(), Kind: s.set.kind.Kind, Name: s.set.Name, UID: s.set.UID,
		Controller: ptr.To(true), BlockOwnerDeletion: ptr.To(true),
	}
}

// createPods makes the pods of one creation, each under a name made up.
func (s *sync) createPods(w *cluster.Model, a decision.Action) []decision.Action {
	var done []decision.Action
	template := s.set.Spec.Template
	template.Spec = s.admission().Pod.Spec // as LimitRanges leave it
	for range a.Count {
		p := cluster.NewPod(w, s.set.Namespace, w.NewName(s.set.Namespace, s.generateName()), &template, s.reference())
		cluster.StartPod(w, p)
		s.charge(w, p, 1)
		one := a
		one.Count, one.Object.Name = 1, p.Name
		done = append(done, one)
	}
	return done
}

// free gives back what a pod used of its quotas.
func (s *sync) free(w *cluster.Model) func(*corev1.Pod) {
	return func(p *corev1.Pod) { s.charge(w, p, -1) }
}

// charge makes the namespace's quotas count a pod, or no longer.
func (s *sync) charge(w *cluster.Model, p *corev1.Pod, n int64) {
	for _, q := range quotasOf(w, s.set.Namespace) {
		if q = q.DeepCopy(); admission.Charge(q, p, admission.FeaturesOf(s.profile.Kubernetes), n, w.Now()) {
			w.Put(view.ResourceQuotas, q)
		}
	}
}

func quotasOf(w *cluster.Model, namespace string) []*corev1.ResourceQuota {
	var all []*corev1.ResourceQuota
	for _, obj := range w.All(view.ResourceQuotas) {
		if q, ok := obj.(*corev1.ResourceQuota); ok && q.Namespace == namespace {
			all = append(all, q)
		}
	}
	return all
}

// store writes status, where the sync does.
func (s *sync) store(w *cluster.Model) {
	if !s.d.Status.Writes || s.behaviour.droppedTerminating {
		return // what is lost on the way is written by every sync, and stays lost
	}
	next := s.nextStatus()
	next.ObservedGeneration = s.set.Generation
	if !s.set.isRC() {
		rs := s.set.DeepCopy()
		rs.Status = next
		w.Put(s.set.kind, rs)
		return
	}
	obj, ok := w.Get(s.set.kind, s.set.Namespace, s.set.Name)
	if rc, typed := obj.(*corev1.ReplicationController); ok && typed {
		rc = rc.DeepCopy()
		rc.Status = statusOfRC(next)
		w.Put(s.set.kind, rc)
	}
}

// statusOfRC mirrors the way back of the replication manager's adapter.
func statusOfRC(s appsv1.ReplicaSetStatus) corev1.ReplicationControllerStatus {
	out := corev1.ReplicationControllerStatus{
		Replicas: s.Replicas, FullyLabeledReplicas: s.FullyLabeledReplicas, ReadyReplicas: s.ReadyReplicas,
		AvailableReplicas: s.AvailableReplicas, ObservedGeneration: s.ObservedGeneration,
	}
	for _, c := range s.Conditions {
		out.Conditions = append(out.Conditions, corev1.ReplicationControllerCondition{
			Type: corev1.ReplicationControllerConditionType(c.Type), Status: c.Status,
			LastTransitionTime: c.LastTransitionTime, Reason: c.Reason, Message: c.Message,
		})
	}
	return out
}

// left is why the number of pods stays as it is, if it does.
func (s *sync) left() ([]decision.Ruling, bool) {
	if s.d.Gate.Rule == InvalidSelector || s.d.Gate.Rule == SetDeleting {
		return []decision.Ruling{s.d.Gate.Ruling}, false
	}
	if s.err == nil {
		return nil, false
	}
	for _, e := range s.d.Evidence {
		if slices.Contains(Refusals, e.Rule) {
			return []decision.Ruling{e.Ruling}, false
		}
	}
	return []decision.Ruling{s.d.NextSync}, false
}
