package health

import (
	"fmt"
	"regexp"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/events"
)

// noKey is how the kubelet names a key that an object does not have, and noDriver a driver
// that does not run on the node (pkg/kubelet/kubelet_pods.go makeEnvironmentVariables,
// pkg/volume/csi/csi_client.go newCsiDriverClient, v1.37.1).
var (
	noKey    = regexp.MustCompile(`couldn't find key (\S+) in (ConfigMap|Secret) [^/\s]+/(\S+)`)
	noDriver = regexp.MustCompile(`driver name (\S+) not found in the list of registered CSI drivers`)
)

// without names what a message misses, "" for none.
func without(message string) string {
	if m := noKey.FindStringSubmatch(message); m != nil {
		return "without key " + m[1] + " of " + m[2] + " " + m[3]
	}
	if m := noDriver.FindStringSubmatch(message); m != nil {
		return "without CSI driver " + m[1]
	}
	if kind, name := events.Absent(message); name != "" {
		return fmt.Sprintf("without %s %q", events.Referred[kind], name)
	}
	return ""
}

// asRoot is how the kubelet refuses to run a container as root
// (pkg/kubelet/kuberuntime/security_context_others.go verifyRunAsNonRoot, v1.37.1).
var asRoot = regexp.MustCompile(`^container has runAsNonRoot and |^container's runAsUser breaks non-root policy`)

// misconfigured is what a container's configuration lacks, in short; "" where that is not known.
func misconfigured(message string) string {
	if asRoot.MatchString(message) {
		return "refused by runAsNonRoot"
	}
	return without(message)
}
