// Package rollout answers: what does the real Deployment controller of this
// Kubernetes version do in exactly one sync, and on an event?
package rollout
