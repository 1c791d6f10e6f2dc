// Package handlers answers: which branch does a controller's event handler
// take on an event, and what does that do to its queue and expectations?
//
// It is pure: an event and what the controller's caches hold go in, Effects
// come out. What controllers have in common is here; each plugin says how its
// own handlers differ.
package handlers
