package health

import (
	"regexp"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// notFound is how kubelets and schedulers name an object that a Pod refers to and that is
// not there (pkg/kubelet/kubelet_pods.go and pkg/volume, pkg/scheduler/framework/plugins/
// volumebinding, v1.37.1: the API's NotFound of the resource).
var notFound = regexp.MustCompile(`\b(configmap|secret|persistentvolumeclaim) "([^"]+)" not found`)

var referred = map[string]string{"configmap": "ConfigMap", "secret": "Secret", "persistentvolumeclaim": view.PersistentVolumeClaims.Kind}

// without names the object that a message misses, "" for none.
func without(message string) string {
	m := notFound.FindStringSubmatch(message)
	if m == nil {
		return ""
	}
	return "without " + referred[m[1]] + " " + m[2]
}
