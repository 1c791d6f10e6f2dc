package reconcile

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise"
)

// Request is a Write with what upstream does about a conflict.
type Request struct {
	cluster.Write
	// Retried: after a conflict it is made again.
	Retried bool
}

// Once returns a request that a conflict ends.
func Once(w cluster.Write) Request { return Request{w, false} }

// Retried returns one that is then made again.
func Retried(w cluster.Write) Request { return Request{w, true} }

// Send makes requests of which the last does what the others lead up to, until one
// is refused. It returns the number of the last in the log, and the refusal.
func (s *Run) Send(all ...Request) (n int, err error) {
	for _, r := range all {
		if r.Err == nil {
			r.Err = s.Refused(r.call())
		}
		if n = s.Log.Add(r.Write); r.Err != nil {
			return n, r.Err
		}
	}
	s.Log.Join(len(all))
	return n, nil
}

// Asked returns the first refusal among the API server's answers to requests that are put on
// the log later, by Accepted.
func (s *Run) Asked(all ...Request) error {
	for _, r := range all {
		if err := s.Refused(r.call()); err != nil {
			return err
		}
	}
	return nil
}

func (r *Request) call() Call {
	c := Call{Verb: string(r.Verb), Kind: r.Kind.Kind, Name: r.Name, Retried: r.Retried}
	if r.Status {
		c.Subresource = "status"
	}
	if r.Verb == cluster.Create {
		c.Name = ""
	}
	return c
}

// Does adds the action that a request makes happen.
//
//go:noinline // it is called at many places
func (s *Run) Does(a decision.Action, write int) {
	a.Write = write
	s.Decision.Do(a)
}

// ToSet returns an update of the set that it is the sync of.
func (s *Run) ToSet(status bool, stored func(metav1.Object) metav1.Object) cluster.Write {
	return cluster.Write{
		Verb: cluster.Update, Kind: view.CloneSets, Status: status, Namespace: s.Set.GetNamespace(), Name: s.Set.GetName(), Stored: stored,
	}
}

// Stamp returns now as the API server stores it, to the second.
//
//go:noinline // it is called at many places
func (s *Run) Stamp() metav1.Time { return kruise.Stamp(s.Now) }
