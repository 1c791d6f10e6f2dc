// Package simulate answers: what becomes of a target in many rounds of its
// controller, on a virtual clock?
//
// It lets a controller decide on a View, makes what it decided happen in that
// View, lets time pass until something else happens, and decides again, until
// nothing is left to do or it can be shown why it will not move. It knows
// nothing about kinds: plugins bring a Controller, whose Syncs hold the Writes that
// are committed to a model cluster. Where the target scales other objects, their
// controllers act as well.
//
// Where chance decides, one of the possible paths is followed, always the same
// one, and the Timeline says so.
package simulate
