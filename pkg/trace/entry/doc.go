// Package entry answers: what does a trace say, entry by entry?
//
// It is the plain model between package trace, which fills it, and the
// renderers: both the lines for people and those of JSON are made of it.
package entry
