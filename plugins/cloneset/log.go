package cloneset

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise"
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

// stamp is now as the API server stores it, to the second.
func (s *sync) stamp() metav1.Time { return kruise.Stamp(s.now) }
