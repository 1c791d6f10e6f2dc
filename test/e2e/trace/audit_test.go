package trace

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/trace/entry"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/controlplane"
)

var ours = []string{"replicaset-controller", "replication-controller", "deployment-controller", "statefulset-controller"}

// byOurs reports whether a controller that the tool models sent the request.
func byOurs(e controlplane.AuditEvent) bool {
	return slices.Contains(ours, e.Controller()) || e.User.Username == controlplane.KruiseUser
}

// done counts, from the audit log, the writes by which a controller changed a
// pod or a set: verb and object.
func done(events []controlplane.AuditEvent, ns string) map[string]int {
	counts := map[string]int{}
	for _, e := range events {
		if e.Stage != "ResponseComplete" || e.ObjectRef.Namespace != ns || e.ObjectRef.Subresource != "" || e.ResponseStatus.Code >= 300 || !byOurs(e) {
			continue
		}
		switch verb := verbOf(e); verb {
		case "":
		case decision.Create: // the server makes up the names of pods
			counts["create "+e.ObjectRef.Resource]++
		default:
			counts[fmt.Sprintf("%s %s/%s", verb, e.ObjectRef.Resource, e.ObjectRef.Name)]++
		}
	}
	return counts
}

// cutOff counts the creations of which a killed API server logged that they arrived, and not
// what became of them.
func cutOff(events []controlplane.AuditEvent, ns string) map[string]int {
	answered := map[string]bool{}
	for _, e := range events {
		if e.Stage == "ResponseComplete" {
			answered[e.AuditID] = true
		}
	}
	counts := map[string]int{}
	for _, e := range events {
		if e.Stage == "RequestReceived" && !answered[e.AuditID] && e.ObjectRef.Namespace == ns && e.ObjectRef.Subresource == "" && byOurs(e) {
			counts["create "+e.ObjectRef.Resource]++
		}
	}
	return counts
}

func verbOf(e controlplane.AuditEvent) decision.Verb {
	switch {
	case e.ObjectRef.Resource != "pods" && e.ObjectRef.Resource != "replicasets":
		return ""
	case e.Verb == "create":
		return decision.Create
	case e.Verb == "delete":
		return decision.Delete
	case e.User.Username == controlplane.KruiseUser:
		return kruiseVerb(e)
	case e.Verb == "patch" && strings.Contains(string(e.RequestObject), `"$patch":"delete"`):
		return decision.Release
	case e.Verb == "patch":
		return decision.Adopt
	case e.Verb == "update":
		return "update"
	}
	return ""
}

// kruiseVerb: the manager of OpenKruise releases a pod by updating it as a whole.
func kruiseVerb(e controlplane.AuditEvent) decision.Verb {
	var pod metav1.PartialObjectMetadata
	_ = json.Unmarshal(e.RequestObject, &pod) // a patch says nothing of owners
	if e.Verb == "update" && metav1.GetControllerOfNoCopy(&pod) == nil {
		return decision.Release
	}
	return "update"
}

// deletedByOthers are the pods whose deletion somebody else asked for: users,
// and the garbage collector. From events nobody can tell who it was.
func deletedByOthers(events []controlplane.AuditEvent, ns string) map[string]bool {
	pods := map[string]bool{}
	for _, e := range events {
		if e.ObjectRef.Namespace == ns && e.ObjectRef.Resource == "pods" && e.Verb == "delete" && !byOurs(e) {
			pods["delete pods/"+e.ObjectRef.Name] = true
		}
	}
	return pods
}

// writesAbout lists what controllers wrote about a target's dependents between
// two instants.
func writesAbout(events []controlplane.AuditEvent, target decision.Ref, from, to time.Time) []string {
	var found []string
	for _, e := range events {
		verb := verbOf(e)
		if verb == "" || e.Stage != "ResponseComplete" || e.ObjectRef.Namespace != target.Namespace || e.ResponseStatus.Code >= 300 || !byOurs(e) {
			continue
		}
		name := e.ObjectRef.Name
		if name == "" {
			var made metav1.PartialObjectMetadata
			_ = json.Unmarshal(e.ResponseObject, &made)
			name = made.Name
		}
		if at := e.StageTimestamp; strings.HasPrefix(name, target.Name+"-") && at.After(from) && at.Before(to) {
			found = append(found, fmt.Sprintf("%s %s at %v", verb, name, at))
		}
	}
	return found
}

// seen counts the same from what the trace said of controllers.
func seen(entries []entry.Entry) map[string]int {
	counts := map[string]int{}
	for _, e := range entries {
		if e.Act == nil || e.Act.Standing == entry.Foreign {
			continue
		}
		resource := strings.ToLower(e.Act.Object.Kind) + "s"
		switch e.Act.Verb {
		case decision.Create:
			counts["create "+resource]++
		case decision.Scale, decision.Modify:
			counts[fmt.Sprintf("update %s/%s", resource, e.Act.Object.Name)]++
		default:
			counts[fmt.Sprintf("%s %s/%s", e.Act.Verb, resource, e.Act.Object.Name)]++
		}
	}
	return counts
}
