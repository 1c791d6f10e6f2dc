// Package revision answers: which revisions does a CloneSet have, which one are its
// Pods moved to, and can that be done in place (pkg/controller/cloneset/revision and
// getActiveRevisions of Kruise)?
//
//	revision.go  one revision, and the ControllerRevision that is stored of it
//	history.go   all of a CloneSet's, and which ones it updates to and comes from
//	changes.go   how two of them differ
package revision
