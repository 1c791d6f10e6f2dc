package controlplane

import (
	"io"
	"os"
	"strings"
)

// Component names a process of the cluster. It is also the name of its binary
// and, where the component has one, of its leader election Lease.
type Component string

// The components, in the order in which they start.
const (
	Etcd              Component = "etcd"
	APIServer         Component = "kube-apiserver"
	ControllerManager Component = "kube-controller-manager"
	Scheduler         Component = "kube-scheduler"
	Kwok              Component = "kwok"
	Kruise            Component = "kruise-manager"
)

// Kubectl is built beside the components, but is not one.
const Kubectl = "kubectl"

// Options choose what differs between clusters. The zero value is a cluster
// without nodes, where every pod stays pending.
type Options struct {
	// Nodes is how many fake nodes there are, named node-0, node-1, …
	Nodes int

	// Users may log in besides the administrator. RBAC gives them nothing yet;
	// see Cluster.KubeconfigFor.
	Users []User

	// ExtraArgs are flags of the form --name=value. They replace a flag of the
	// same name that the package sets itself.
	ExtraArgs map[Component][]string

	// NoLeaderElection lets a paused controller manager or scheduler go on where
	// it was, however long the pause.
	NoLeaderElection bool

	// Kruise runs OpenKruise's controllers too. Pods are then created only while
	// its webhooks answer: do not pause it where other controllers create pods.
	Kruise bool

	// BinDir holds the binaries. When empty they are built into the repository's
	// cache folder.
	BinDir string

	// Log is told about a build; os.Stderr when nil.
	Log io.Writer
}

// User is an identity that the API server knows by a token.
type User struct {
	Name   string
	Groups []string
}

func (o Options) log() io.Writer {
	if o.Log == nil {
		return os.Stderr
	}
	return o.Log
}

// withExtra merges rather than appends: to the components, a list flag that is
// given twice means both lists.
func withExtra(args, extra []string) []string {
	given := map[string]bool{}
	for _, arg := range extra {
		given[flagName(arg)] = true
	}
	var merged []string
	for _, arg := range args {
		if !given[flagName(arg)] {
			merged = append(merged, arg)
		}
	}
	return append(merged, extra...)
}

func flagName(arg string) string {
	name, _, _ := strings.Cut(arg, "=")
	return name
}
