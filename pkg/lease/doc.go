// Package lease answers: is there a manager whose controllers act?
//
// The leader among several managers renews its Lease every few seconds
// (k8s.io/client-go/tools/leaderelection, v0.37.1).
package lease
