package e2e

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/controlplane"
)

// rolledOut is what one sync of a Deployment sent.
type rolledOut struct {
	// writes are those to ReplicaSets, each in the words of rolloutObserver.
	writes []string
	// status is nil when none was written after them.
	status map[string]any
}

func (r rolledOut) String() string {
	p := phrases(slices.Clone(r.writes))
	if r.status != nil {
		p = append(p, "status "+statusText(r.status))
	}
	return p.String()
}

// statusText is the sums of a status, in a fixed order.
func statusText(status map[string]any) string {
	var fields []string
	for _, name := range []string{"replicas", "updatedReplicas", "availableReplicas", "unavailableReplicas"} {
		if n, ok := status[name]; ok {
			fields = append(fields, fmt.Sprintf("%s=%v", strings.TrimSuffix(name, "Replicas"), n))
		}
	}
	return strings.Join(fields, " ")
}

// observeRollout reads what the controller sent: as many writes to ReplicaSets
// as were predicted, with those of the retry where there is one, and the first
// status after them. It waits for those.
func (w *world) observeRollout(since controlplane.AuditMark, plan *decision.Decision, before map[string]appsv1.ReplicaSet) rolledOut {
	w.Helper()
	o := &rolloutObserver{namespace: w.namespace, want: len(predictedWrites(plan)), sizes: map[string]int32{}}
	for name, set := range before {
		o.sizes[name] = *set.Spec.Replicas
	}
	status := plan.Status.Writes && !retries(plan)
	w.waitFor("the controller to do as much as was predicted", func(context.Context) (bool, error) {
		events, next, err := env.AuditEvents(since)
		since = next
		for _, e := range events {
			o.note(e)
		}
		return len(o.did.writes) >= o.want && (o.did.status != nil || !status), err
	})
	return o.did
}

// rolloutObserver follows the requests of one sync.
type rolloutObserver struct {
	namespace string
	want      int
	// sizes are those of the ReplicaSets by now, fresh the one that was made.
	sizes map[string]int32
	fresh string
	did   rolledOut
}

func (o *rolloutObserver) note(e controlplane.AuditEvent) {
	if e.Stage != "ResponseComplete" || e.Controller() != "deployment-controller" || e.ObjectRef.Namespace != o.namespace || !succeeded(e) {
		return
	}
	switch ref := e.ObjectRef; {
	case o.did.status != nil:
	case ref.Resource == "replicasets" && len(o.did.writes) < max(o.want, 1):
		if text := o.write(e); text != "" {
			o.did.writes = append(o.did.writes, text)
		}
	case ref.Resource == "deployments" && ref.Subresource == "status" && len(o.did.writes) >= o.want:
		o.did.status = deploymentStatus(e)
	}
}

// write names a request about a ReplicaSet, empty for a read.
func (o *rolloutObserver) write(e controlplane.AuditEvent) string {
	name := e.ObjectRef.Name
	var sent appsv1.ReplicaSet
	if e.Verb != "patch" && json.Unmarshal(e.RequestObject, &sent) != nil {
		return ""
	}
	switch e.Verb {
	case "create":
		o.fresh, o.sizes[sent.Name] = sent.Name, *sent.Spec.Replicas
		return fmt.Sprintf("create with %d", *sent.Spec.Replicas)
	case "delete":
		return "delete " + name
	case "patch":
		if strings.Contains(string(e.RequestObject), `"$patch":"delete"`) {
			return "release " + name
		}
		return "adopt " + name
	case "update":
		was := o.sizes[name]
		o.sizes[name] = *sent.Spec.Replicas
		if name == o.fresh {
			name = newSet
		}
		if was == *sent.Spec.Replicas {
			return "modify " + name
		}
		return fmt.Sprintf("scale %s %d to %d", name, was, *sent.Spec.Replicas)
	}
	return ""
}

// newSet stands for the name of a ReplicaSet that is yet to be made.
const newSet = "the new one"

// predictedWrites are the writes to ReplicaSets of the plan, and of the retry
// that it predicts, in the words of rolloutObserver.
func predictedWrites(plan *decision.Decision) []string {
	writes := writesOf(plan.Actions)
	if !retries(plan) {
		return writes
	}
	for _, e := range plan.Follows {
		if e.Cause.Kind == "Deployment" {
			writes = append(writes, writesOf(e.Actions)...)
		}
	}
	return writes
}

// retries tells a sync that fails on its own write.
func retries(plan *decision.Decision) bool { return plan.NextSync.Rule == "RetryAfterOwnWrite" }

func writesOf(actions []decision.Action) []string {
	var writes []string
	for _, a := range actions {
		name := a.Object.Name
		if strings.HasSuffix(name, "<hash>") {
			name = newSet
		}
		switch {
		case a.Object.Kind != "ReplicaSet":
		case a.Verb == decision.Create:
			writes = append(writes, fmt.Sprintf("create with %d", *a.To))
		case a.Verb == decision.Scale:
			writes = append(writes, fmt.Sprintf("scale %s %d to %d", name, *a.From, *a.To))
		default:
			writes = append(writes, fmt.Sprintf("%s %s", a.Verb, name))
		}
	}
	return writes
}

func deploymentStatus(e controlplane.AuditEvent) map[string]any {
	var d struct {
		Status map[string]any `json:"status"`
	}
	if err := json.Unmarshal(e.RequestObject, &d); err != nil || d.Status == nil {
		return map[string]any{}
	}
	return d.Status
}

// compareRollout wants the writes that were predicted, those to old sets in any
// order, and after a sync that does not fail the status field by field.
func compareRollout(plan *decision.Decision, did rolledOut) error {
	var errs []error
	want, got := predictedWrites(plan), slices.Clone(did.writes)
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(want, got) {
		errs = append(errs, fmt.Errorf("sent %q, planned %q", got, want))
	}
	if retries(plan) {
		return errors.Join(errs...)
	}
	switch {
	case plan.Status.Writes && did.status == nil:
		errs = append(errs, errors.New("wrote no status, planned to"))
	case plan.Status.Writes:
		errs = append(errs, compareDeploymentStatus(plan.Status, did.status))
	case did.status != nil && len(want) == 0:
		errs = append(errs, fmt.Errorf("wrote the status %v, planned not to", did.status))
	}
	return errors.Join(errs...)
}

func compareDeploymentStatus(planned decision.StatusWrite, written map[string]any) error {
	var errs []error
	for _, f := range planned.Fields {
		got, ok := written[f.Field]
		if !ok {
			got = map[bool]any{true: "unset", false: 0}[f.Next == "unset"]
		}
		if fmt.Sprint(got) != f.Next {
			errs = append(errs, fmt.Errorf("wrote status.%s %v, planned %s", f.Field, got, f.Next))
		}
	}
	var got, want []string
	conditions, _ := written["conditions"].([]any)
	for _, c := range conditions {
		if c, ok := c.(map[string]any); ok {
			got = append(got, fmt.Sprintf("%v=%v %v", c["type"], c["status"], c["reason"]))
		}
	}
	for _, c := range planned.Conditions {
		want = append(want, fmt.Sprintf("%s=%s %s", c.Type, c.Status, c.Reason))
	}
	slices.Sort(got)
	slices.Sort(want)
	if len(want) > 0 && !slices.Equal(got, want) {
		errs = append(errs, fmt.Errorf("wrote the conditions %q, planned %q", got, want))
	}
	return errors.Join(errs...)
}

func predictedStep(plan *decision.Decision) rolledOut {
	did := rolledOut{writes: predictedWrites(plan)}
	if plan.Status.Writes && !retries(plan) {
		did.status = map[string]any{}
		for _, f := range plan.Status.Fields {
			if f.Next != "0" {
				did.status[f.Field] = f.Next
			}
		}
	}
	return did
}
