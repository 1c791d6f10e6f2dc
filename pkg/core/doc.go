// Package core runs controllers without their writes: events call their
// handlers, which tell their memories and queue keys, and a sync queues its key
// again.
//
// It is synchronous, starts no goroutine and knows no clock. What drives it
// brings the objects, the queues and the events, and syncs the keys: package
// trace for real clusters, package simulate for the model of one.
package core
