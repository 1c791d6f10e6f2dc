// Package podlife answers: what do the scheduler, the kubelet and the API
// server make of a pod, in a simulation?
//
// It is the pods' side of package simulate, shared by the plugins that write
// pods: pods get a node at once, become ready after a time that is the same
// for all, and need their whole grace period to go.
package podlife
