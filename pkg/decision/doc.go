// Package decision answers: what did a controller decide, about which objects, by which rule?
//
// It is the plain model between the plugins, which fill it, and the renderers,
// which print it. It does no I/O, reads no clock and imports no other package
// of this project. Codes (verbs, fates, rule IDs) are stable; sentences are
// made from them and their facts by a Catalogue, in one place, so that text
// and JSON cannot say different things.
package decision
