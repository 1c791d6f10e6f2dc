// Package revision answers: what does the controller of a release store of a Pod
// template, when are two ControllerRevisions equal, and how is a new one called
// (stateful_set_utils.go and pkg/controller/history of Kubernetes, v1.37.1)?
//
//	patch.go  the data of a ControllerRevision, made of a template, and back
//	hash.go   its hash, its name, and which of two is newer
package revision
