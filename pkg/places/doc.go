// Package places answers which Pods wait for a place on a node, whether one of them fits
// where another was, and why none of the nodes is one for a Pod.
package places
