package e2e

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/controlplane"
)

// ordered is what one sync of a StatefulSet sent: the requests that succeeded, each as
// "delete pods/web-2", the deletions of revisions, which follow the status, and the
// status, nil where none was written.
type ordered struct {
	requests, truncated []string
	status              map[string]any
}

func (o ordered) String() string {
	p := phrases(slices.Concat(o.requests, o.truncated))
	if o.status != nil {
		p = append(p, "status "+statusText(o.status))
	}
	return p.String()
}

// judge holds the first sync to the plan.
func (a *asked) judge(t *testing.T) {
	shown := map[string]bool{}
	a.plan.EachRuling(func(r *decision.Ruling) { shown[r.Rule] = true })
	for _, rule := range a.shows {
		if !shown[rule] {
			t.Errorf("the plan does not show %s, but %v", rule, shown)
		}
	}
	want := predictedRequests(a.plan)
	if a.plan.Status.Rule == "StatusBelowZero" {
		a.plan.Status.Writes = false // what is written is of a later sync
		if !slices.ContainsFunc(a.did, refusedStatus) {
			t.Error("no status was refused")
		}
	}
	did := firstOrdered(a.did, len(want.requests), a.plan.Status.Writes)
	err := compareOrdered(a.plan, want, did)
	env.report.addOrdered(t.Name(), a.plan, want, did, err)
	if err != nil {
		t.Errorf("the controller did not keep to the plan %q:\n%v\nit did: %s", a.plan.Answer, err, did)
	}
}

// refusedStatus reports whether the API server refused a status as invalid.
func refusedStatus(e controlplane.AuditEvent) bool {
	return e.ObjectRef.Subresource == "status" && e.ResponseStatus.Code == http.StatusUnprocessableEntity
}

// firstOrdered cuts the first sync out of what was sent: up to the status where it is
// predicted to be written, else as many requests as are predicted.
func firstOrdered(events []controlplane.AuditEvent, want int, writesStatus bool) ordered {
	var o ordered
	for _, e := range events {
		text := e.Verb + " " + e.ObjectRef.Resource + "/" + e.ObjectRef.Name
		switch {
		case !succeeded(e):
		case e.ObjectRef.Resource == "controllerrevisions" && e.Verb == "delete":
			o.truncated = append(o.truncated, text)
		case o.status != nil, !writesStatus && len(o.requests) >= max(want, 1):
		case e.ObjectRef.Subresource == "status":
			if writesStatus || want == 0 {
				o.status = deploymentStatus(e)
			}
		case e.ObjectRef.Resource == "controllerrevisions" && e.Verb == "create":
			o.requests = append(o.requests, "create controllerrevisions")
		case e.Verb == "patch" && strings.Contains(string(e.RequestObject), `"$patch":"delete"`):
			o.requests = append(o.requests, "release "+e.ObjectRef.Resource+"/"+e.ObjectRef.Name)
		case e.Verb == "patch":
			o.requests = append(o.requests, "adopt "+e.ObjectRef.Resource+"/"+e.ObjectRef.Name)
		default:
			o.requests = append(o.requests, text)
		}
	}
	return o
}

var resourceOf = map[string]string{"Pod": "pods", "PersistentVolumeClaim": "persistentvolumeclaims", "ControllerRevision": "controllerrevisions"}

// predictedRequests are those that a plan says succeed.
func predictedRequests(plan *decision.Decision) ordered {
	var o ordered
	for _, r := range plan.Revisions {
		switch r.Rule {
		case "RevisionNewTemplate":
			o.requests = append(o.requests, "create controllerrevisions")
		case "RevisionOlderTemplate":
			o.requests = append(o.requests, "update controllerrevisions/"+r.Name)
		}
	}
	verbs := map[decision.Verb]string{decision.Modify: "update"}
	for _, a := range plan.Actions {
		verb, ok := verbs[a.Verb]
		if !ok {
			verb = string(a.Verb)
		}
		to := &o.requests
		if a.DropsRevision() {
			to = &o.truncated
		}
		*to = append(*to, fmt.Sprintf("%s %s/%s", verb, resourceOf[a.Object.Kind], a.Object.Name))
	}
	return o
}

// compareOrdered wants the requests that were predicted, in any order between ordinals,
// and the status field by field.
func compareOrdered(plan *decision.Decision, want, did ordered) error {
	var errs []error
	same := func(what string, want, got []string) {
		want, got = slices.Sorted(slices.Values(want)), slices.Sorted(slices.Values(got))
		if !slices.Equal(want, got) {
			errs = append(errs, fmt.Errorf("%s %q, planned %q", what, got, want))
		}
	}
	same("sent", want.requests, did.requests)
	same("truncated", want.truncated, did.truncated)
	switch {
	case plan.Status.Writes && did.status == nil:
		errs = append(errs, errors.New("wrote no status, planned to"))
	case plan.Status.Writes:
		errs = append(errs, compareDeploymentStatus(known(plan.Status), did.status))
	case did.status != nil:
		errs = append(errs, fmt.Errorf("wrote the status %v, planned not to", did.status))
	}
	return errors.Join(errs...)
}

// known leaves out fields whose value ends in a hash that is not known.
func known(s decision.StatusWrite) decision.StatusWrite {
	s.Fields = slices.DeleteFunc(slices.Clone(s.Fields), func(f decision.FieldChange) bool { return strings.Contains(f.Next, "<hash>") })
	return s
}

// addOrdered is about one sync of a StatefulSet.
func (r *report) addOrdered(name string, plan *decision.Decision, want, did ordered, err error) {
	if plan.Status.Writes {
		want.status = map[string]any{}
		for _, f := range plan.Status.Fields {
			if f.Next != "0" {
				want.status[f.Field] = f.Next
			}
		}
	}
	e := entry{Scenario: scenarioName(name), Answer: plan.Answer, Predicted: want.String(), Observed: did.String(), Agree: err == nil}
	if err != nil {
		e.Differs = err.Error()
	}
	r.Scenarios = append(r.Scenarios, e)
}
