package health

import (
	"regexp"
	"strings"
	"sync"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/events"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// notBound is how the scheduler says that a Pod waits for its volume claims (pkg/scheduler/
// framework/plugins/volumebinding ErrReasonUnboundImmediatePVCs, PreBind, v1.37.1).
var notBound = regexp.MustCompile(`\bunbound immediate PersistentVolumeClaims\b|\bbinding volumes: `)

// bound are the reasons of events of a claim that has its volume.
var bound = map[string]bool{"ProvisioningSucceeded": true}

// claimEvents reads the newest event of each volume claim of a namespace, for Pods that
// wait for one. All of them are one read.
func claimEvents(r *view.Reader, namespace string) func(claim string) *corev1.Event {
	newest := sync.OnceValue(func() map[string]*corev1.Event {
		all := view.List[*corev1.Event](r, view.Need{
			Kind: view.Events, Namespace: namespace, Fields: "involvedObject.kind=" + view.PersistentVolumeClaims.Kind,
			IfMissing: "why volume claims are not bound is not known", Explains: true,
		}, nil)
		return events.NewestOf(all, view.PersistentVolumeClaims.Kind)
	})
	return func(claim string) *corev1.Event { return newest()[claim] }
}

// unboundClaim adds to a finding which of the Pod's volume claims has no volume, and why,
// as the newest event of the claim tells.
func (l look) unboundClaim(f *finding) {
	if l.claimEvent == nil || !notBound.MatchString(f.message) {
		return
	}
	if e := l.unboundEvent(); e != nil {
		l.unbound(f, e.InvolvedObject.Name, e)
	}
}

// binding makes a finding about a Pod of which the scheduler has reported nothing that of a
// volume claim: the scheduler has chosen a node, and waits in PreBind until the claim is bound
// (pkg/scheduler/framework/plugins/volumebinding PreBind, v1.37.1).
func (l look) binding(f *finding) {
	if l.selected == nil {
		return
	}
	for _, claim := range view.ClaimsOf(l.pod) {
		node := l.selected(claim)
		if node == "" {
			continue
		}
		f.class, f.message = Provisioning, l.scheduler()+" has chosen node "+node+", and waits for the claim's provisioner"
		l.unbound(f, claim, l.provisioned(claim))
		f.evidence = "persistentvolumeclaim/" + claim + " metadata.annotations[" + selectedNode + "]"
		return
	}
}

// unbound makes a finding that of a volume claim which is not bound, as an event tells; nil
// for none.
func (l look) unbound(f *finding, claim string, e *corev1.Event) {
	f.label, f.next = "PVC not bound", describe("pvc", l.pod.Namespace, claim)
	said := "PersistentVolumeClaim " + claim + " is not bound"
	if e != nil {
		why := e.Reason
		if class := events.MissingClass(e); class != "" {
			why = "StorageClass " + class + " not found"
		}
		f.label, f.briefs = "PVC not bound ("+why+")", []string{why}
		said += ": " + e.Reason + ": " + strings.TrimSuffix(e.Message, ".")
	}
	f.message = said + "; " + f.message
}

// noVolume is how the scheduler says that no volume that a claim could have is on nodes
// (pkg/scheduler/framework/plugins/volumebinding ErrReasonBindConflict, v1.37.1), and short
// what labels say.
const (
	noVolume      = "didn't find available persistent volumes to bind"
	noVolumeShort = "no PersistentVolume to bind"
)

// volumelessClaim adds to a finding which of the Pod's volume claims has no volume on nodes.
func (l look) volumelessClaim(f *finding) {
	if !strings.Contains(f.message, noVolume) {
		return
	}
	names := view.ClaimsOf(l.pod)
	if l.claimEvent != nil && len(names) > 1 {
		names = nil
		if e := l.unboundEvent(); e != nil {
			names = []string{e.InvolvedObject.Name}
		}
	}
	if len(names) != 1 {
		return
	}
	if misfits(f.message)[0] == noVolumeShort {
		f.next = describe("pvc", l.pod.Namespace, names[0])
	}
	f.message = "no PersistentVolume there fits PersistentVolumeClaim " + names[0] + "; " + f.message
}

// volumeGone is how the scheduler says that a claim is Lost (pkg/scheduler/framework/plugins/
// volumebinding PreFilter, podHasPVCs, v1.37.1).
var volumeGone = regexp.MustCompile(`\bpersistentvolumeclaim "([^"]+)" bound to non-existent persistentvolume "([^"]*)"`)

// lostClaim makes a finding that of a volume claim whose volume is gone.
func (l look) lostClaim(f *finding) {
	m := volumeGone.FindStringSubmatch(f.message)
	if m == nil {
		return
	}
	f.label, f.briefs, f.next = "PVC Lost ("+m[1]+")", []string{"PVC Lost"}, describe("pvc", l.pod.Namespace, m[1])
	f.message = "PersistentVolume " + m[2] + " of PersistentVolumeClaim " + m[1] + " is gone, and the claim gets no other; " + f.message
}

// unboundEvent is the newest event of the claim that is not bound, nil where none tells. Of
// several claims, one with a warning is it.
func (l look) unboundEvent() (found *corev1.Event) {
	for _, name := range view.ClaimsOf(l.pod) {
		newest := l.claimEvent(name)
		if newest == nil || bound[newest.Reason] {
			continue
		}
		if found == nil || found.Type != corev1.EventTypeWarning && newest.Type == corev1.EventTypeWarning {
			found = newest
		}
	}
	return found
}
