// Package handlers answers: do the event handlers of pkg/handlers and the
// plugins do to queue and expectations what the real ones do?
//
// Random events of pods and sets go, one after the other, to the handlers that
// upstream's controllers registered with their informers, and to ours.
package handlers
