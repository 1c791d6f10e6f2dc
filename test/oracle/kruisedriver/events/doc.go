// Package events answers for the real event handlers of CloneSets. It compiles
// with the controller-runtime of kruise 1.9. Each line of input is a Request,
// each line of output a list of what every event did.
package events
