package e2e

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/controlplane"
)

// observed is what one sync of the target sent to the API server.
type observed struct {
	adopted, released map[string]json.RawMessage // patch bodies by pod
	created, refused  int
	refusal           string // the first one's message
	deleted           map[string]time.Time
	status            *appsv1.ReplicaSetStatus // nil when it was not written
}

// quiet is how long nothing must come from the controller before a sync
// without a status update counts as over.
const quiet = 500 * time.Millisecond

// observe reads the first sync of the target since the mark. When it ends with
// a status update, that is its end; else it is over when the controller, which
// has got as far as the canary, stays silent.
func (w *world) observe(since controlplane.AuditMark, target decision.Ref, endsWithStatus bool) observed {
	w.Helper()
	var mine []controlplane.AuditEvent
	arrived := map[string]bool{} // creations without an answer in the log, by audit ID
	last := time.Now()
	w.waitFor("the controller to act on "+target.Qualified(), func(context.Context) (bool, error) {
		events, next, err := env.AuditEvents(since)
		since = next
		for _, e := range events {
			switch {
			case isOf(e, target) && e.Stage == "RequestReceived":
				arrived[e.AuditID] = true
			case concerns(e, target):
				mine, last = append(mine, e), time.Now()
			}
			if e.Stage == "ResponseComplete" {
				delete(arrived, e.AuditID)
			}
		}
		over := time.Since(last) > quiet && len(arrived) == 0 && (!endsWithStatus || slices.ContainsFunc(mine, writesStatus))
		return over, err
	})
	controlplane.Sort(mine) // what was logged late may have been read later
	return firstSync(mine)
}

// isOf reports whether a controller of sets sent this request in the target's namespace.
func isOf(e controlplane.AuditEvent, target decision.Ref) bool {
	return e.ObjectRef.Namespace == target.Namespace && slices.Contains([]string{"replicaset-controller", "replication-controller"}, e.Controller())
}

// concerns reports whether this answers such a request about the target or its Pods.
func concerns(e controlplane.AuditEvent, target decision.Ref) bool {
	if e.Stage != "ResponseComplete" || !isOf(e, target) {
		return false
	}
	if e.ObjectRef.Resource == "pods" {
		return refersTo(e, target.UID)
	}
	return e.ObjectRef.Subresource == "status" && e.ObjectRef.Name == target.Name &&
		e.ObjectRef.Resource == strings.ToLower(target.Kind)+"s"
}

// refersTo looks for the owner in the body sent, and for deletions, whose body
// names nobody, in the pod that comes back.
func refersTo(e controlplane.AuditEvent, uid string) bool {
	body := e.RequestObject
	if e.Verb == "delete" {
		body = e.ResponseObject
	}
	var pod metav1.PartialObjectMetadata
	if err := json.Unmarshal(body, &pod); err != nil {
		return false
	}
	return slices.ContainsFunc(pod.OwnerReferences, func(r metav1.OwnerReference) bool { return string(r.UID) == uid })
}

func writesStatus(e controlplane.AuditEvent) bool {
	return e.ObjectRef.Subresource == "status" && succeeded(e)
}

func succeeded(e controlplane.AuditEvent) bool {
	return e.ResponseStatus.Code < http.StatusMultipleChoices
}

func firstSync(events []controlplane.AuditEvent) observed {
	o := observed{adopted: map[string]json.RawMessage{}, released: map[string]json.RawMessage{}, deleted: map[string]time.Time{}}
	for _, e := range events {
		if writesStatus(e) {
			o.status = statusOf(e)
			break
		}
		o.add(e)
	}
	return o
}

func (o *observed) add(e controlplane.AuditEvent) {
	switch e.Verb {
	case "create":
		o.addCreate(e)
	case "delete":
		o.deleted[e.ObjectRef.Name] = e.RequestReceivedTimestamp
	case "patch":
		o.addPatch(e)
	}
}

// addPatch leaves out refused ones: another set may have been faster.
func (o *observed) addPatch(e controlplane.AuditEvent) {
	switch {
	case !succeeded(e):
	case strings.Contains(string(e.RequestObject), `"$patch":"delete"`):
		o.released[e.ObjectRef.Name] = e.RequestObject
	default:
		o.adopted[e.ObjectRef.Name] = e.RequestObject
	}
}

func (o *observed) addCreate(e controlplane.AuditEvent) {
	if succeeded(e) {
		o.created++
		return
	}
	if o.refused++; o.refused == 1 {
		o.refusal = e.ResponseStatus.Message
	}
}

// statusOf reads the status that was sent. That of a ReplicationController has
// the same fields and one less.
func statusOf(e controlplane.AuditEvent) *appsv1.ReplicaSetStatus {
	var set struct {
		Status appsv1.ReplicaSetStatus `json:"status"`
	}
	if err := json.Unmarshal(e.RequestObject, &set); err != nil {
		return nil
	}
	return &set.Status
}
