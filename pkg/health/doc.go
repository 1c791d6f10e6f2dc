// Package health answers: why is this object not as desired, since when, and is
// that blocked or waited for?
//
// It reads Pods, their Events and what plugins know of their targets, and
// returns plain data. What was not read makes a cause vaguer, never graver.
//
// Pods and Creations find causes, and Leader asks for one who acts. An Assessment
// holds what a plugin made of them, and Settle draws the state from it.
package health
