// Package events answers for the real event handlers of CloneSets, with the
// predicates that the controller registered beside them. It compiles with the
// controller-runtime of kruise 1.8 and later. Each line of input is a Request,
// each line of output a list of what every event did.
package events
