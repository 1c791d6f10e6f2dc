// Package edge answers: how are a real controller's surroundings replaced, and
// how are its unexported parts reached?
//
// It knows no controller: informers that are never started, a queue that
// records, the registered event handlers, feature gates, errors of the API
// server.
package edge
