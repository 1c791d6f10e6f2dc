package cloneset

import (
	"maps"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// request is a Write with what upstream does about a conflict.
type request struct {
	cluster.Write
	retried bool
}

// once is a request that a conflict ends, retried one that is then made again.
func once(w cluster.Write) request    { return request{w, false} }
func retried(w cluster.Write) request { return request{w, true} }

// send makes requests of which the last does what the others lead up to, until one
// is refused. It returns the number of the last in the log, and the refusal.
func (s *sync) send(all ...request) (n int, err error) {
	writes := make([]cluster.Write, len(all))
	for i, r := range all {
		writes[i] = r.Write
		if err = s.refused(r.call()); err != nil {
			writes[i].Err = err
			return s.log.AddEach(writes[:i+1]), err
		}
	}
	return s.log.AddWith(writes), nil
}

func (r request) call() Call {
	c := Call{Verb: string(r.Verb), Kind: r.Kind.Kind, Name: r.Name, Retried: r.retried}
	if r.Status {
		c.Subresource = "status"
	}
	if r.Verb == cluster.Create {
		c.Name = ""
	}
	return c
}

// does adds the action that a request makes happen.
func (s *sync) does(a decision.Action, write int) {
	a.Write = write
	s.d.Actions = append(s.d.Actions, a)
}

// toSet is an update of the set that it is the sync of.
func (s *sync) toSet(status bool, stored func(metav1.Object) metav1.Object) cluster.Write {
	return cluster.Write{
		Verb: cluster.Update, Kind: view.CloneSets, Status: status, Namespace: s.set.GetNamespace(), Name: s.set.GetName(), Stored: stored,
	}
}

// podWrite is a request that changes a Pod, which change is handed a copy of.
func podWrite(verb cluster.Verb, p *corev1.Pod, change func(*corev1.Pod)) cluster.Write {
	return cluster.Write{
		Verb: verb, Kind: view.Pods, Namespace: p.Namespace, Name: p.Name,
		Stored: func(now metav1.Object) metav1.Object {
			p, ok := now.(*corev1.Pod)
			if !ok {
				return now
			}
			next := editable(p)
			change(next)
			return next
		},
	}
}

// statusWrite is a request that changes the status of a Pod.
func statusWrite(p *corev1.Pod, change func(*corev1.Pod)) cluster.Write {
	w := podWrite(cluster.Update, p, change)
	w.Status = true
	return w
}

// editable is a copy of a Pod of which may be changed what controllers change. It
// shares the rest.
func editable(p *corev1.Pod) *corev1.Pod {
	next := *p
	if next.Labels = maps.Clone(p.Labels); next.Labels == nil {
		next.Labels = map[string]string{}
	}
	next.Annotations, next.Finalizers = maps.Clone(p.Annotations), slices.Clone(p.Finalizers)
	next.Spec.Containers, next.Status.Conditions = slices.Clone(p.Spec.Containers), slices.Clone(p.Status.Conditions)
	return &next
}

// deletion is the request that deletes an object.
func deletion(k view.Kind, obj decision.Ref) cluster.Write {
	return cluster.Write{Verb: cluster.Delete, Kind: k, Namespace: obj.Namespace, Name: obj.Name}
}

// setPodCondition mirrors SetPodCondition (pkg/util/pods.go, v1.9.1): one of the same
// status stays as it is.
func (s *sync) setPodCondition(p *corev1.Pod, t corev1.PodConditionType, status corev1.ConditionStatus) {
	c := podCondition(p, t)
	switch {
	case c == nil:
		p.Status.Conditions = append(p.Status.Conditions, corev1.PodCondition{Type: t, Status: status, LastTransitionTime: s.stamp()})
	case c.Status != status:
		*c = corev1.PodCondition{Type: t, Status: status, LastTransitionTime: s.stamp()}
	}
}

// stamp is now as the API server stores it, to the second.
func (s *sync) stamp() metav1.Time { return metav1.Time{Time: s.now.Truncate(time.Second)} }
