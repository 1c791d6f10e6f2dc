// Package statefulset answers: what will the StatefulSet controller do next, to which
// Pods and to their volume claims, and by which rule?
//
// It follows pkg/controller/statefulset and pkg/controller/history of Kubernetes, from
// 1.29 to 1.37. README.md says what differs by version and gate, and what is left out.
//
//	decide.go     one sync: claims, revisions, Pods, status, history
//	target.go     the StatefulSet that a sync is about
//	behaviour.go  what differs between releases and gates
//	claim.go      which Pods and ControllerRevisions are its own
//	history.go    which revision Pods are updated to, and which old ones are deleted
//	update.go     the order in which Pods are looked at
//	ordinals.go   the Pods in their places, and which of them are outdated
//	replica.go    what is done about one Pod of the ordinals, or beyond them
//	rolling.go    which Pods are deleted to be updated
//	volumes.go    which volume claims Pods have
//	claims.go     which of them are created, and whom they are given to
//	status.go     what is written into status
//	server.go     how the API server answers
//	finish.go     the decision with all that the sync came to, caveats.go what limits it
//	assess.go     how it stands, assess_causes.go and assess_rollout.go why it is stuck
//	rules.go      what each rule says
package statefulset
