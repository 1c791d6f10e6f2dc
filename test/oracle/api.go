package oracle

import (
	"encoding/json"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/replicaset"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/contract"
)

// apiOf is a request's faults as the plugin takes them.
func apiOf(req *contract.Request) replicaset.API {
	at := func(call string) func(int) error {
		return func(index int) error {
			return find(req.Faults, func(f contract.Fault) bool { return f.Call == call && f.Index == index })
		}
	}
	on := func(call string) func(string) error {
		return func(pod string) error {
			return find(req.Faults, func(f contract.Fault) bool { return f.Call == call && f.Pod == pod })
		}
	}
	return replicaset.API{
		Create: at(contract.CallCreate), Delete: on(contract.CallDelete),
		Adopt: on(contract.CallAdopt), Release: on(contract.CallRelease),
		Live: func() (metav1.Object, error) {
			if err := at(contract.CallRecheck)(0); err != nil {
				return nil, err
			}
			return live(req)
		},
		Status: at(contract.CallStatus),
		Reread: func() error { return at(contract.CallStatusGet)(0) },
	}
}

func find(faults []contract.Fault, is func(contract.Fault) bool) error {
	for _, f := range faults {
		if is(f) {
			return refusal{f}
		}
	}
	return nil
}

// refusal is a fault as an error with the API server's own message.
type refusal struct{ contract.Fault }

func (r refusal) Error() string { return r.Message }

// Is maps reasons to the errors that the plugin tells apart.
func (r refusal) Is(target error) bool {
	switch r.Reason {
	case "NotFound":
		return target == cluster.ErrNotFound
	case "Invalid":
		return target == cluster.ErrInvalid
	case "NamespaceTerminating":
		return target == cluster.ErrNamespaceTerminating
	}
	return false
}

// live is the set as an uncached read finds it.
func live(req *contract.Request) (metav1.Object, error) {
	if len(req.Live) == 0 {
		return cached(req), nil
	}
	var obj metav1.Object = &appsv1.ReplicaSet{}
	if req.Kind == contract.KindReplicationController {
		obj = &corev1.ReplicationController{}
	}
	return obj, json.Unmarshal(req.Live, obj)
}

// cached is the set under test among the request's objects.
func cached(req *contract.Request) metav1.Object {
	name := Target(req).Name
	for _, rs := range req.ReplicaSets {
		if rs.Name == name {
			return rs
		}
	}
	for _, rc := range req.ReplicationControllers {
		if rc.Name == name {
			return rc
		}
	}
	return nil
}
