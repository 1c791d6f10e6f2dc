// Package answer makes the first line of a decision about a CloneSet: what is done
// to its Pods and volume claims, what may be, and what holds it up.
//
//	answer.go   the line
//	phrases.go  what is done, in words; states.go for lifecycle states
//	choices.go  choices whose Pods get different actions
package answer
