// Package api answers: what do the fields of a CloneSet say (apis/apps/v1alpha1 of
// Kruise v1.9.1)?
//
//	set.go      the object, read once
//	spec.go     its spec and status, and the labels of what it owns
//	numbers.go  numbers and percentages
package api
