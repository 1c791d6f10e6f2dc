// Package states answers: in which states shall the Deployment plugin agree
// with upstream?
//
// A seed names a state. Half of them are
// drawn at random, half grew from a drawn one by what syncs did to it, which
// leads to states that real rollouts pass through.
package states
