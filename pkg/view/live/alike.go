package live

import (
	"bytes"

	"google.golang.org/protobuf/encoding/protowire"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// Numbers of fields, of k8s.io/api v0.37.1 (core/v1/generated.proto) and of metadata
// (k8s.io/apimachinery, pkg/apis/meta/v1/generated.proto).
const (
	unknownType protowire.Number = 1
	typeKind    protowire.Number = 2

	podSpec protowire.Number = 2

	metaGenerateName protowire.Number = 2
	metaNamespace    protowire.Number = 3
	metaLabels       protowire.Number = 11
	metaAnnotations  protowire.Number = 12
	metaOwners       protowire.Number = 13

	specVolumes    protowire.Number = 1
	specContainers protowire.Number = 2
	specNode       protowire.Number = 10
	specInit       protowire.Number = 20

	volumeName      protowire.Number = 1
	containerMounts protowire.Number = 9
)

// alikes takes out of a list of Pods in protobuf what each has in common with the one
// before it, to be decoded once and shared: Pods of one template differ in little but
// names, nodes and status. What objects of a list share is never changed.
type alikes struct {
	trimmer
	pods      []likeness
	now, last pieces
	// spec and own are what is left of a spec, and of a part of it.
	spec, own []byte
}

// likeness is what a Pod has from the one before it.
type likeness struct {
	metadata, spec            bool
	volumes, init, containers []bool
}

// pieces are those parts of a Pod, as they were sent, that others may have as well.
type pieces struct {
	metadata, spec            []byte
	volumes, init, containers [][]byte
}

func (p *pieces) reset() {
	p.metadata, p.spec = p.metadata[:0], p.spec[:0]
	p.volumes, p.init, p.containers = p.volumes[:0], p.init[:0], p.containers[:0]
}

// sharing is an answer with a list of Pods in protobuf without what is shared, and what
// puts that into the decoded list. Other lists, and messages that can't be read, stay as
// they are.
func sharing(answer []byte) (short []byte, restore func(runtime.Object)) {
	message, ok := bytes.CutPrefix(answer, protobufMagic)
	if !ok || string(contentOf(contentOf(message, unknownType), typeKind)) != "PodList" {
		return answer, func(runtime.Object) {}
	}
	a := &alikes{trimmer: trimmer{list: make([]byte, 0, len(message))}}
	out := append(make([]byte, 0, len(answer)), protobufMagic...)
	out = a.message(out, message, unknownRaw, func(list []byte) ([]byte, bool) {
		a.list = a.message(a.list[:0], list, listItems, a.pod)
		return a.list, true
	})
	if a.broken {
		return answer, func(runtime.Object) {}
	}
	return out, a.restore
}

func (a *alikes) pod(pod []byte) (content []byte, keep bool) {
	a.now, a.last = a.last, a.now
	a.now.reset()
	a.pods = append(a.pods, likeness{})
	var parts [podSpec + 1]int
	a.object = a.object[:0]
	for f := range a.fields(pod) {
		switch {
		case f.content != nil && f.number == objectMetadata:
			a.object = appendField(a.object, f.number, a.ofMetadata(f.content))
		case f.content != nil && f.number == podSpec:
			a.object = appendField(a.object, f.number, a.ofSpec(f.content))
		default:
			a.object = append(a.object, f.whole...)
			continue
		}
		parts[f.number]++
		a.broken = a.broken || parts[f.number] > 1 // which the second would be merged into
	}
	return a.object, true
}

// like is the likeness of the Pod that is looked at.
func (a *alikes) like() *likeness { return &a.pods[len(a.pods)-1] }

// divided appends the fields of a message that are its own to one piece, and those that
// others may have as well to another.
func (a *alikes) divided(own, common, message []byte, isOwn func(protowire.Number) bool) (_, _ []byte) {
	for f := range a.fields(message) {
		if isOwn(f.number) {
			own = append(own, f.whole...)
		} else {
			common = append(common, f.whole...)
		}
	}
	return own, common
}

// ofMetadata is the metadata of a Pod without what it has from the one before.
func (a *alikes) ofMetadata(metadata []byte) []byte {
	a.metadata, a.now.metadata = a.divided(a.metadata[:0], a.now.metadata, metadata, func(n protowire.Number) bool {
		switch n {
		case metaGenerateName, metaNamespace, metaLabels, metaAnnotations, metaOwners:
			return false
		}
		return true
	})
	if a.like().metadata = bytes.Equal(a.now.metadata, a.last.metadata); !a.like().metadata {
		a.metadata = append(a.metadata, a.now.metadata...)
	}
	return a.metadata
}

// ofSpec is the spec of a Pod without what it has from the one before.
func (a *alikes) ofSpec(spec []byte) []byte {
	a.spec = a.spec[:0]
	for f := range a.fields(spec) {
		switch f.number {
		case specVolumes:
			a.spec = a.piece(f, volumeName, &a.now.volumes, a.last.volumes, &a.like().volumes)
		case specInit:
			a.spec = a.piece(f, containerMounts, &a.now.init, a.last.init, &a.like().init)
		case specContainers:
			a.spec = a.piece(f, containerMounts, &a.now.containers, a.last.containers, &a.like().containers)
		case specNode:
			a.spec = append(a.spec, f.whole...)
		default:
			a.now.spec = append(a.now.spec, f.whole...)
		}
	}
	if a.like().spec = bytes.Equal(a.now.spec, a.last.spec); !a.like().spec {
		a.spec = append(a.spec, a.now.spec...)
	}
	return a.spec
}

// piece appends to the spec a container or volume without what it has from the one in its
// place in the Pod before. What is under a number of its fields is its own.
func (a *alikes) piece(f field, own protowire.Number, now *[][]byte, last [][]byte, like *[]bool) []byte {
	a.broken = a.broken || f.content == nil // no decoder takes it
	at := len(*now)
	if at < cap(*now) {
		*now = (*now)[:at+1]
	} else {
		*now = append(*now, nil)
	}
	content, common := a.divided(a.own[:0], (*now)[at][:0], f.content, func(n protowire.Number) bool { return n == own })
	shared := at < len(last) && bytes.Equal(common, last[at])
	if !shared {
		content = append(content, common...)
	}
	(*now)[at], a.own = common, content
	*like = append(*like, shared)
	return appendField(a.spec, f.number, content)
}

// restore gives each Pod of the decoded list what it has from the one before it.
func (a *alikes) restore(list runtime.Object) {
	pods, ok := list.(*corev1.PodList)
	if !ok || len(pods.Items) != len(a.pods) {
		return
	}
	for i, like := range a.pods {
		if i == 0 {
			continue
		}
		p, last := &pods.Items[i], &pods.Items[i-1]
		if like.metadata {
			p.GenerateName, p.Namespace, p.Labels, p.Annotations, p.OwnerReferences = last.GenerateName, last.Namespace, last.Labels, last.Annotations, last.OwnerReferences
		}
		if like.spec {
			own := p.Spec
			p.Spec = last.Spec
			p.Spec.Volumes, p.Spec.InitContainers, p.Spec.Containers, p.Spec.NodeName = own.Volumes, own.InitContainers, own.Containers, own.NodeName
		}
		for j, shared := range like.volumes {
			if shared {
				p.Spec.Volumes[j].VolumeSource = last.Spec.Volumes[j].VolumeSource
			}
		}
		restoreContainers(p.Spec.InitContainers, last.Spec.InitContainers, like.init)
		restoreContainers(p.Spec.Containers, last.Spec.Containers, like.containers)
	}
}

func restoreContainers(of, last []corev1.Container, shared []bool) {
	for j := range of {
		if shared[j] {
			mounts := of[j].VolumeMounts
			of[j] = last[j]
			of[j].VolumeMounts = mounts
		}
	}
}
