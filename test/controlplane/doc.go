// Package controlplane runs a real Kubernetes control plane on this machine:
// etcd, kube-apiserver, kube-controller-manager, kube-scheduler, and kwok in
// the place of the kubelets. It is how a prediction is compared with what the
// controllers do: pause one, change an object, predict, resume it, and read in
// the API server's audit log what it sent.
//
// The binaries are built from source by build.sh; the first build takes some
// minutes, so run it once before "go test" (whose own limit is ten minutes).
// All traffic stays on 127.0.0.1. Options.Kruise adds OpenKruise's controllers.
//
// Leader election is on, as in a real cluster, so that the Leases of the
// controllers can be read. A paused controller manager does not renew its Lease.
// It can do so when it wakes up, however late, unless it was paused amid a
// renewal or somebody else took the Lease: then it exits, and Resume starts it
// again. Where the very same process has to go on, with what it remembers, set
// Options.NoLeaderElection.
package controlplane
