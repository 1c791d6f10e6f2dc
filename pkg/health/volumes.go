package health

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/events"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// failedAttach is the reason of events about a volume that is not attached to the Pod's node
// (pkg/kubelet/events/event.go FailedAttachVolume, v1.37.1).
const failedAttach = "FailedAttachVolume"

// attachEvent is the newest event of a volume that is not attached, nil where none tells or
// the container has run. It may be from before the kubelet has looked at the Pod.
func (l look) attachEvent(c container) *corev1.Event {
	failed, done := events.Newest(l.events, l.pod.UID, failedAttach), events.Newest(l.events, l.pod.UID, "SuccessfulAttachVolume")
	if failed == nil || l.prepared(events.Last(failed)) || c.status.RestartCount > 0 || c.status.LastTerminationState.Terminated != nil {
		return nil
	}
	if done != nil && !events.Last(done).Before(events.Last(failed)) {
		return nil
	}
	return failed
}

// notAttached makes a finding that of a volume which is not attached.
func (l look) notAttached(f finding, e *corev1.Event) finding {
	f = f.of(e)
	volume := events.AttachedElsewhere(e.Message)
	if volume == "" {
		return f
	}
	f.label, f.briefs = "volume attached to another node", []string{"Multi-Attach"}
	if l.attached == nil {
		return f
	}
	if by, node := l.attached(volume); node != "" && node != l.pod.Spec.NodeName {
		f.message = strings.TrimSuffix(f.message, ".") + "; volumeattachment/" + by + " attaches it to node " + node
	}
	return f
}

// attachments reads which VolumeAttachment attaches a volume, and to which node, for Pods
// that wait for one; empty for none.
func attachments(r *view.Reader) func(volume string) (name, node string) {
	need := view.Need{Kind: view.VolumeAttachments, IfMissing: "to which node a volume is attached is not known", Explains: true, Spare: true}
	return func(volume string) (name, node string) {
		for _, u := range view.List[*unstructured.Unstructured](r, need, nil) {
			of, _, _ := unstructured.NestedString(u.Object, "spec", "source", "persistentVolumeName")
			done, _, _ := unstructured.NestedBool(u.Object, "status", "attached")
			if of == volume && done {
				node, _, _ = unstructured.NestedString(u.Object, "spec", "nodeName")
				return u.GetName(), node
			}
		}
		return "", ""
	}
}
