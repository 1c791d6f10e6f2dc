// Package cluster is a model cluster for simulations: a View that changes with a
// virtual clock.
//
// It answers: what do the API server, the scheduler and the kubelet make of what
// controllers write? Pods get a node at once, become ready after a time that is
// the same for all, and need their whole grace period to be deleted.
package cluster
