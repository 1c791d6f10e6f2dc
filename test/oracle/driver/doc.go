// Package driver answers one question: what does the real controller of this
// Kubernetes version do in exactly one sync from a given state?
//
// It knows no Kubernetes version. An oracle program passes in the upstream
// constructors (see Upstream); the driver gives them informers filled from
// the request, a clientset that records every call and fails those the
// request names, and a queue that records requeues. Everything between those
// three edges is upstream's own code, including RealPodControl.
//
// The process runs inside one testing/synctest bubble that is never idle, so
// time.Now stays at 2000-01-01T00:00:00Z for every state.
package driver
