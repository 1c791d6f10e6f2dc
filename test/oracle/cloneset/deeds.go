package cloneset

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/cloneset/contract"
)

const (
	revisionLabel   = "controller-revision-hash"
	templateLabel   = "pod-template-hash"
	instanceLabel   = "apps.kruise.io/cloneset-instance-id"
	specifiedLabel  = "apps.kruise.io/specified-delete"
	stateLabel      = "lifecycle.apps.kruise.io/state"
	graceAnnotation = "apps.kruise.io/inplace-update-grace"
	updateState     = "apps.kruise.io/inplace-update-state"
)

// deeds are what was done, each a line of what and to which object.
type deeds map[string]bool

func (d deeds) add(words ...string) { d[strings.Join(words, " ")] = true }

// done is everything that one reconcile did.
type done struct {
	deeds
	// created counts new pods by the hash of their revision, instances names
	// their instance IDs; createsRefused counts the calls that failed.
	created        map[string]int
	instances      map[string]bool
	createsRefused int
	claimsCreated  int
	// taken counts what was taken from each PodUnavailableBudget.
	taken        map[string]int
	statusWrites int
	// revision is the name of a new ControllerRevision.
	revision string
	// podsToDelete: that list of the spec was cut.
	podsToDelete bool
}

// observe reads the writes of a run.
func observe(req *contract.Request, run *contract.Run) done {
	d := done{deeds: deeds{}, created: map[string]int{}, instances: map[string]bool{}, taken: map[string]int{}}
	before := map[string]*corev1.Pod{}
	for _, p := range req.Pods {
		before[p.Name] = p
	}
	for i := range run.Writes {
		w := &run.Writes[i]
		if w.Kind == "Pod" && w.Verb != "create" && before[w.Name] == nil {
			continue // one that came meanwhile
		}
		switch {
		case w.Kind == "Pod" && w.Verb == "create":
			d.create(w)
		case w.Failed != "":
			d.failed(w)
		case w.Kind == "Pod":
			d.pod(w, before[w.Name])
		default:
			d.other(w)
		}
	}
	d.foldClosings()
	return d
}

// foldClosings drops what an update in place begins with.
func (d *done) foldClosings() {
	for line := range d.deeds {
		if words := strings.Fields(line); words[0] == "update-in-place" {
			delete(d.deeds, "close "+words[1])
		}
	}
}

// failed keeps of refused calls what matters: an update that closed the
// readiness gate and got no further, and tries to write status.
func (d *done) failed(w *contract.Write) {
	switch {
	case w.Kind == "Pod" && w.Verb == "update" && w.Subresource == "":
		delete(d.deeds, "close "+w.Name)
	case w.Kind == "CloneSet" && w.Subresource == "status":
		d.statusWrites++
	}
}

func (d *done) create(w *contract.Write) {
	if w.Failed != "" {
		d.createsRefused++
		return
	}
	pod := podIn(w.Object)
	d.created[short(pod.Labels[revisionLabel])]++
	d.instances[pod.Labels[instanceLabel]] = true
}

func podIn(raw json.RawMessage) *corev1.Pod {
	pod := &corev1.Pod{}
	if err := json.Unmarshal(raw, pod); err != nil {
		panic(err) // an oracle's own encoding
	}
	return pod
}

func short(revision string) string { return revision[strings.LastIndex(revision, "-")+1:] }

func (d *done) pod(w *contract.Write, before *corev1.Pod) {
	switch {
	case w.Verb == "delete":
		d.add("delete", w.Name)
	case w.Verb == "patch" && w.Subresource == "resize": // part of an update in place
	case w.Verb == "patch":
		d.patched(w)
	case w.Subresource == "status":
		d.podStatus(w, before)
	default:
		d.updated(w, before)
	}
}

func (d *done) patched(w *contract.Write) {
	var patch struct {
		Metadata struct{ Labels map[string]string }
	}
	if err := json.Unmarshal([]byte(w.Patch), &patch); err != nil {
		d.add("patch", w.Name, w.Patch)
		return
	}
	l := patch.Metadata.Labels
	switch {
	case l[stateLabel] != "":
		d.add("set-state", w.Name, l[stateLabel])
	case l[specifiedLabel] != "":
		d.add("recreate", w.Name)
	case l[templateLabel] != "" || hasKey(l, templateLabel):
		d.add("label", w.Name, l[templateLabel])
	default:
		d.add("patch", w.Name, w.Patch)
	}
}

func hasKey(m map[string]string, key string) bool { _, ok := m[key]; return ok }

// podStatus tells the readiness gate's opening from its closing; what else
// changes is the mark of markPodNotReady, which the plugin does not show.
func (d *done) podStatus(w *contract.Write, before *corev1.Pod) {
	var status corev1.PodStatus
	if err := json.Unmarshal(w.Object, &status); err != nil {
		panic(err)
	}
	for _, c := range status.Conditions {
		if c.Type != "InPlaceUpdateReady" || same(before, c) {
			continue
		}
		if c.Status == corev1.ConditionTrue {
			d.add("set-condition", w.Name)
		} else {
			d.add("close", w.Name)
		}
	}
}

func same(before *corev1.Pod, c corev1.PodCondition) bool {
	for _, old := range before.Status.Conditions {
		if old.Type == c.Type {
			return old.Status == c.Status && old.Reason == c.Reason && old.Message == c.Message
		}
	}
	return false
}

// updated tells the writes of whole pods apart.
func (d *done) updated(w *contract.Write, before *corev1.Pod) {
	pod := podIn(w.Object)
	switch {
	case controls(before) && !controls(pod):
		d.add("release", w.Name)
	case !controls(before) && controls(pod) && !d.deeds["adopt "+w.Name]:
		d.add("adopt", w.Name)
	case before.Annotations[graceAnnotation] != "" && pod.Annotations[graceAnnotation] == "" && pod.Annotations[updateState] == before.Annotations[updateState]:
		d.add("drop-grace", w.Name)
	case before.Annotations[graceAnnotation] != "" && pod.Annotations[graceAnnotation] == "":
		d.add("finish-grace", w.Name, now(pod), later(pod))
	case pod.Labels[stateLabel] == "Updating" && newUpdate(pod, before):
		d.add("update-in-place", w.Name, short(pod.Labels[revisionLabel]), changes(pod), later(pod))
	default:
		d.add("next-batch", w.Name, now(pod), later(pod))
	}
}

// written is the record of an update in place.
type written struct {
	UpdateEnvFromMetadata, UpdateResources                                bool
	NextContainerImages, NextContainerRefMetadata, NextContainerResources map[string]json.RawMessage
	ContainerBatchesRecord                                                []struct{ Containers []string }
}

func recordOf(pod *corev1.Pod) (r written) {
	_ = json.Unmarshal([]byte(pod.Annotations[updateState]), &r) // none, or a broken one, is empty
	return r
}

// changes reports whether an update restarts containers for metadata, and whether it
// changes resources.
func changes(pod *corev1.Pod) string {
	r := recordOf(pod)
	return fmt.Sprintf("env:%t resources:%t", r.UpdateEnvFromMetadata, r.UpdateResources)
}

// now names the containers of the batch that is written.
func now(pod *corev1.Pod) string {
	all := recordOf(pod).ContainerBatchesRecord
	if len(all) == 0 {
		return "now:"
	}
	return "now:" + strings.Join(all[len(all)-1].Containers, ", ")
}

// later names the containers that an update in place leaves for later batches.
func later(pod *corev1.Pod) string {
	r, names := recordOf(pod), map[string]bool{}
	for _, next := range []map[string]json.RawMessage{r.NextContainerImages, r.NextContainerRefMetadata, r.NextContainerResources} {
		for name := range next {
			names[name] = true
		}
	}
	return "later:" + strings.Join(slices.Sorted(maps.Keys(names)), ", ")
}

func newUpdate(pod, before *corev1.Pod) bool {
	at := func(p *corev1.Pod) string {
		var state struct{ UpdateTimestamp string }
		text, ok := p.Annotations[updateState]
		if !ok {
			text = p.Annotations["inplace-update-state"]
		}
		_ = json.Unmarshal([]byte(text), &state) // none, or a broken one, is no update
		return state.UpdateTimestamp
	}
	return at(pod) != at(before) || pod.Labels[revisionLabel] != before.Labels[revisionLabel]
}

// controls reports whether a CloneSet is the pod's controller: in a state, the
// one that it is about.
func controls(p *corev1.Pod) bool {
	ref := metav1.GetControllerOfNoCopy(p)
	return ref != nil && ref.Kind == "CloneSet" && ref.Name == "web"
}

func (d *done) other(w *contract.Write) {
	switch w.Kind + " " + w.Verb {
	case "PodUnavailableBudget update":
		d.taken[w.Name]++
	case "PersistentVolumeClaim create":
		d.claimsCreated++
	case "PersistentVolumeClaim delete":
		d.add("delete-claim", w.Name)
	case "PersistentVolumeClaim update":
		d.add("detach", w.Name)
	case "ControllerRevision delete":
		d.add("delete-revision", w.Name)
	case "ControllerRevision create":
		d.revision = w.Name
		d.add("create-revision")
	case "ControllerRevision update":
		d.add("roll-back", w.Name)
	case "CloneSet update":
		if w.Subresource == "status" {
			d.statusWrites++
		} else {
			d.podsToDelete = true
		}
	default:
		d.add(w.Verb, w.Kind, w.Name)
	}
}
