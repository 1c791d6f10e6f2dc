package health

import (
	"regexp"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/events"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
)

// imageReasons are those of a container that waits for its image
// (pkg/kubelet/images/types.go and k8s.io/cri-api pkg/errors, v1.37.1).
var imageReasons = []string{
	errImagePull, "ImagePullBackOff", "InvalidImageName", "ErrImageNeverPull", "ImageInspectError",
	"RegistryUnavailable", "SignatureValidationFailed",
}

// errImagePull is the reason for which a container backs off.
const errImagePull = "ErrImagePull"

// OfImage reports whether a cause is the image of a container.
func OfImage(c decision.Cause) bool {
	return Class(c.Class) == ImageRefused || Class(c.Class) == ImageTransient
}

func (l look) imageReason(reason string) bool { return slices.Contains(imageReasons, reason) }

// image is a container whose image is not there.
func (l look) image(c container, w *corev1.ContainerStateWaiting) finding {
	f := finding{reason: w.Reason, began: l.began(c), evidence: c.path + ".state.waiting"}
	if f.reason == "ImagePullBackOff" {
		f.reason = errImagePull
	}
	message := w.Message
	if e := l.pullEvent(c.Image); e != nil && !told(message) {
		message, f.evidence = e.Message, "event "+e.Name
	}
	var what string
	f.class, f.label, what = pull(f.reason, strings.ReplaceAll(message, c.Image, ""))
	f.message = "image " + c.Image + " " + what + l.onlyHere(c.Image)
	if f.label == denied {
		if missing := l.pullSecrets(); missing != "" {
			f.label = "image pull denied (imagePullSecret not found)"
			f.message += "; imagePullSecrets that the kubelet can't read: " + missing
		} else {
			f.message += l.asked()
		}
	}
	if f.class == ImageTransient && message != "" {
		f.message += ": " + message
	}
	return f
}

// onlyHere says that an image which is not there on the Pod's node runs on others.
func (l look) onlyHere(image string) string {
	if l.runOn == nil {
		return ""
	}
	nodes := l.runOn(image)
	if len(nodes) == 0 || slices.Contains(nodes, l.pod.Spec.NodeName) {
		return ""
	}
	return " (on node " + l.pod.Spec.NodeName + "; it runs on " + format.Some(nodes[:min(len(nodes), fewNodes)], len(nodes)) + ")"
}

// fewNodes is how many of the nodes are named on which an image runs.
const fewNodes = 3

// runningOn tells the nodes on which Pods run an image.
func runningOn(pods []*corev1.Pod) func(image string) []string {
	known := map[string][]string{}
	return func(image string) []string {
		nodes, looked := known[image]
		if looked {
			return nodes
		}
		for _, p := range pods {
			l := look{pod: p}
			for _, c := range append(l.mainContainers(), l.initContainers()...) {
				if c.Image == image && c.runs() && !slices.Contains(nodes, p.Spec.NodeName) {
					nodes = append(nodes, p.Spec.NodeName)
				}
			}
		}
		slices.Sort(nodes)
		known[image] = nodes
		return nodes
	}
}

// runs reports whether a container runs the image that its Pod asks for: one that is updated
// in place runs the image before at first. Runtimes write out the registry that Docker leaves
// out.
func (c container) runs() bool {
	is := c.status.Image
	return c.status.State.Running != nil && (is == c.Image || is == "docker.io/"+c.Image || is == "docker.io/library/"+c.Image)
}

// denied is the label of an image that the registry does not hand out.
const denied = "image pull denied"

// noSecrets is how the kubelet names the imagePullSecrets that it can't read
// (pkg/kubelet/kubelet_pods.go and events.FailedToRetrieveImagePullSecret, v1.37.1).
var noSecrets = regexp.MustCompile(`^Unable to retrieve some image pull secrets \(([^)]+)\)`)

// pullSecrets are the imagePullSecrets that the kubelet can't read, as its newest event
// says; empty for none.
func (l look) pullSecrets() string {
	e := events.Newest(l.events, l.pod.UID, "FailedToRetrieveImagePullSecret")
	if e == nil {
		return ""
	}
	if m := noSecrets.FindStringSubmatch(e.Message); m != nil {
		return m[1]
	}
	return ""
}

// asked names the imagePullSecrets that the Pod refers to: those of its service account are
// written into it when it is created (plugin/pkg/admission/serviceaccount/admission.go Admit,
// v1.37.1).
func (l look) asked() string {
	names := make([]string, len(l.pod.Spec.ImagePullSecrets))
	for i, s := range l.pod.Spec.ImagePullSecrets {
		names[i] = s.Name
	}
	if len(names) == 0 {
		return "; the Pod has no imagePullSecrets"
	}
	return "; its imagePullSecrets: " + format.Some(names, len(names))
}

// pulling is the event that the image of a container is being pulled since an instant, nil
// where none tells, or where a later one says how that ended.
func (l look) pulling(c container, after time.Time) *corev1.Event {
	var newest *corev1.Event
	for _, e := range l.events {
		ofImage := e.Reason == "Pulling" || e.Reason == "Pulled" || e.Reason == "Failed"
		if ofImage && e.InvolvedObject.UID == l.pod.UID && strings.Contains(e.Message, `"`+c.Image+`"`) && (newest == nil || events.Last(e).After(events.Last(newest))) {
			newest = e
		}
	}
	if newest == nil || newest.Reason != "Pulling" || events.Last(newest).Before(after) {
		return nil
	}
	return newest
}

// told reports whether a message of the kubelet says why a pull failed: that of a
// back-off does since Kubernetes 1.31, behind the name of the image.
func told(message string) bool {
	return message != "" && (!strings.HasPrefix(message, "Back-off pulling image") || strings.Contains(message, ": "+errImagePull))
}

// pullEvent is the newest event of a failed pull of an image.
func (l look) pullEvent(image string) *corev1.Event {
	var newest *corev1.Event
	for _, e := range l.events {
		if e.InvolvedObject.UID == l.pod.UID && e.Reason == "Failed" && strings.HasPrefix(e.Message, "Failed to pull image") && strings.Contains(e.Message, image) &&
			(newest == nil || events.Last(e).After(events.Last(newest))) {
			newest = e
		}
	}
	return newest
}

// tooMany is the status of a registry that is asked too often.
var tooMany = regexp.MustCompile(`\b429\b`)

// pull says what kind of a failure it is, by a message without the name of the image.
// Registries and runtimes answer in prose: what is not known to be final is taken to pass.
func pull(reason, message string) (class Class, label, what string) {
	text := strings.ToLower(message)
	has := func(parts ...string) bool {
		return slices.ContainsFunc(parts, func(s string) bool { return strings.Contains(text, s) })
	}
	switch {
	case reason == "InvalidImageName":
		return ImageRefused, "invalid image name", "is no valid name"
	case reason == "ErrImageNeverPull":
		return ImageRefused, "image not on its node", "is not on the node, and imagePullPolicy is Never"
	case reason == "SignatureValidationFailed":
		return ImageRefused, "image signature not valid", "has no valid signature"
	case has("no match for platform"):
		return ImageRefused, "image of another platform", "is not built for the platform of its node"
	case tooMany.MatchString(text) || has("too many requests", "toomanyrequests", "i/o timeout", "deadline exceeded", "timed out", "no such host",
		"connection refused", "connection reset", "server misbehaving", "500 internal", "502 bad", "503 service", "504 gateway", "unexpected eof"):
		return ImageTransient, passing(has, text), "cannot be pulled"
	case has("unauthorized", "denied", "forbidden", "authentication required", "no basic auth credentials", "authorization failed"):
		return ImageRefused, denied, "denied by the registry"
	case has("manifest unknown", "name unknown", "not found", "does not exist"):
		return ImageRefused, "image not found", "not found"
	}
	return ImageTransient, passing(has, text), "cannot be pulled"
}

// passing labels a failure of a pull that may pass.
func passing(has func(...string) bool, text string) string {
	switch {
	case tooMany.MatchString(text) || has("too many requests", "toomanyrequests"):
		return "image pull rate-limited"
	case has("no such host", "connection refused", "server misbehaving", "dial tcp"):
		return "registry not reachable"
	case has("x509: "):
		return "registry certificate not trusted"
	case has("no space left on device"):
		return "no space for the image"
	}
	return "image pull failing"
}
