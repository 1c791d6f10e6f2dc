package cloneset

import (
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/reconcile"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/cloneset/contract"
)

// refusal is a fault as the error that upstream gets.
type refusal struct{ contract.Fault }

func (r refusal) Error() string { return r.Message }

// refuses are a request's faults as the plugin takes them.
func refuses(req *contract.Request) func(reconcile.Call) error {
	if len(req.Faults) == 0 {
		return nil
	}
	return func(c reconcile.Call) error {
		for _, f := range req.Faults {
			if meets(f, c) {
				return refusal{f}
			}
		}
		return nil
	}
}

// meets reports whether the call fails. A single conflict is no failure where
// upstream tries again.
func meets(f contract.Fault, c reconcile.Call) bool {
	switch {
	case f.Verb != c.Verb, f.Kind != c.Kind, f.Subresource != c.Subresource, f.Name != "" && f.Name != c.Name:
		return false
	case f.Reason == "Conflict" && c.Retried && f.Count == 1:
		return false
	case c.Name != "":
		return true
	}
	return c.Index >= f.Index && (f.Count < 0 || c.Index < f.Index+max(f.Count, 1))
}
