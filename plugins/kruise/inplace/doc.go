// Package inplace answers: can a Pod be updated in place, what is written for that,
// and is it done (pkg/util/inplaceupdate and pkg/util/containermeta of Kruise)?
//
//	change.go         how two templates differ, and whether that needs a new Pod
//	difference.go     the operations that make one template another
//	readers.go        the containers whose environment reads changed metadata
//	qos.go            the QoS class of a template, which has to stay
//	update.go         what is written to a Pod, batch by batch
//	metadatapatch.go  the labels and annotations that are written with it
//	launch.go         the batches: by launch priority and shared metadata
//	completed.go      whether the containers run what the spec says
//	runtimemeta.go    what kruise-daemon reports of them
//	containerhash.go  the hashes that are compared with its report
//	restart.go        what a model cluster's kubelet makes of it
//	release.go        what differs between releases and gates
package inplace
