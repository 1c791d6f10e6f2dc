// Package eventhandler answers: what do events do to the queue and the expectations of
// the CloneSet controller (pkg/controller/cloneset/cloneset_event_handler.go, v1.9.1)?
//
//	handlers.go  events of CloneSets, Pods and volume claims
//	unheard.go   the updates of Pods that are listened to
package eventhandler
