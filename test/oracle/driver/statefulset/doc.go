// Package statefulset answers: what does the real StatefulSet controller of this
// Kubernetes version do in exactly one sync, and on an event?
package statefulset
