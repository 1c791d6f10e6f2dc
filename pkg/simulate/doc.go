// Package simulate answers: what becomes of a target in many rounds of its
// controller, on a virtual clock?
//
// It lets a controller decide on a View, makes what it decided happen in that
// View, brings what changed to the event handlers of the controllers that act, and
// syncs the keys that they queue. When none is due it lets time pass, until nothing
// is left to do or it can be shown why it will not move. It knows nothing about kinds:
// plugins bring Actors, whose Syncs hold the Writes that are committed to a model
// cluster. The first Actor is the target's own controller, the others are those of the
// objects that it scales.
//
// Where chance decides, one of the possible paths is followed, always the same
// one, and the Timeline says so.
package simulate
