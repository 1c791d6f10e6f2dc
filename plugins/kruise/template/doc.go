// Package template answers: what does a release of Kruise make of a Pod template,
// and of templates of volume claims?
//
//	template.go  the form in which two templates compare, and the hash of a revision
//	release.go   the fields that a release knows: its API libraries drop the others
//	fields.go    the first release that knows a field, generated
//	hash.go      the hash of anything, as its JSON
//	claimhash.go the hash of the templates of volume claims
package template
