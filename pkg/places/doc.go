// Package places answers which Pods wait for a place on a node, and whether one of them
// fits where another was.
package places
