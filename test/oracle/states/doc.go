// Package states answers, for tests: which states can a sync of a ReplicaSet
// or ReplicationController meet?
//
// A seed names a state, and a property test can shrink one (package random). A
// state decides early which traits its pods share and which
// differ, and takes times from a small palette around the edges of upstream's
// age buckets: pods drawn independently would hardly ever tie, share a bucket
// or form a circle.
package states
