// Package expectations answers: which of its own writes does a controller
// still wait to see, and may it act meanwhile?
//
// There are four kinds of such memory:
//
//   - Counts and UIDTracking, of the controllers of Kubernetes: how many
//     creations and which deletions are outstanding
//     (pkg/controller/controller_utils.go, v1.37.1);
//   - Scale, of Kruise: the names of what was created and deleted
//     (pkg/util/expectations/scale_expectations.go, v1.9.1);
//   - Versions, of Kruise: the resource versions that its updates led to
//     (pkg/util/expectations/resource_version_expectation.go, v1.9.1);
//   - Consistency, of Kubernetes 1.36 and later: the resource versions that
//     the caches must have reached before the next sync
//     (pkg/controller/util/consistency, v1.37.1).
//
// Kruise's update expectations are not here: the CloneSet controller does not
// use them. The real memory lives in the real controller and cannot be read;
// what is kept here is computed. All types may be used by several goroutines,
// except Record, which is the value for one object.
package expectations
