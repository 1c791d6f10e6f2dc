// Package cloneset answers: does the real kruise-manager, with its webhooks on
// a real control plane, do what the tool said it would?
//
// Each scenario asks the tool, lets the manager act, and compares the first
// reconcile with the plan, by the same comparison as the oracles'.
package cloneset
