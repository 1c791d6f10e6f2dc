package e2e

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/controlplane"
)

// ordinals is a StatefulSet web whose next sync is predicted. All of them are made
// while the controller manager is held, and judged after one start of it with the
// StatefulSet controller alone.
type ordinals struct {
	name     string
	replicas int32
	edits    []func(*appsv1.StatefulSet)
	// has are the Pods from ordinal 0 on: "-" for none, else the revision, which is old or
	// new, and what is special about the Pod: "new old:failed -".
	has string
	// current is the revision of status.currentRevision; "" for old where some Pod has it,
	// else for new, the only one there is.
	current string
	// more changes what is there, after the Pods.
	more func(*world, *appsv1.StatefulSet)
	// flags go to plan, besides the target; then does what they ask what would come of.
	flags []string
	then  func(*world)
	// shows lists rules without which the plan would miss the point.
	shows []string
}

// asked is one of them with what it comes to.
type asked struct {
	ordinals
	*world
	plan *decision.Decision
	did  []controlplane.AuditEvent
}

// TestStatefulSets predicts one sync of each, and lets the controller make it.
func TestStatefulSets(t *testing.T) {
	w := newWorld(t, t.Name())
	w.check(env.kcm.hold(t.Context(), stateful))
	var all []*asked
	for i, s := range statefulSets {
		a := &asked{ordinals: s, world: newWorld(t, fmt.Sprintf("ordinals-%d", i))}
		a.build()
		all = append(all, a)
	}
	for _, a := range all {
		plan, err := parsePlan(a.run(false, append([]string{"plan", "sts/" + web, "-o", "json"}, a.flags...)...))
		a.check(err)
		a.plan = plan
	}
	mark := w.mark()
	for _, a := range all {
		if a.then != nil {
			a.then(a.world)
		}
	}
	w.check(env.kcm.release(t.Context()))
	w.observeOrdinals(mark, all)
	for _, a := range all {
		t.Run(a.name, a.judge)
	}
}

// build makes the objects of a scenario.
func (a *asked) build() {
	a.Helper()
	set := statefulSet(web, a.replicas)
	for _, edit := range a.edits {
		edit(set)
	}
	set = create(a.world, set)
	names := map[string]string{}
	hasOld := strings.Contains(a.has, "old")
	if hasOld || a.current != "" {
		names["old"] = a.revision(set, 1, "main:old")
	}
	names["new"] = a.revision(set, 2, "main")
	for ordinal, text := range strings.Fields(a.has) {
		if text == "-" {
			continue
		}
		revision, special, _ := strings.Cut(text, ":")
		a.ordinalPod(set, ordinal, names[revision], special)
	}
	current := cmp.Or(a.current, "new")
	if hasOld {
		current = "old"
	}
	set.Status.CurrentRevision, set.Status.UpdateRevision = names[current], names["new"]
	_, err := a.client.AppsV1().StatefulSets(a.namespace).UpdateStatus(a.Context(), set, metav1.UpdateOptions{})
	a.check(err)
	if a.more != nil {
		a.more(a.world, set)
	}
}

// revision makes the ControllerRevision of the set's template with an image.
func (w *world) revision(set *appsv1.StatefulSet, number int64, image string) string {
	w.Helper()
	template := set.Spec.Template.DeepCopy()
	template.Spec.Containers[0].Image = image
	raw, err := json.Marshal(template)
	w.check(err)
	fields := map[string]any{}
	w.check(json.Unmarshal(raw, &fields))
	fields["$patch"] = "replace"
	data, err := json.Marshal(map[string]any{"spec": map[string]any{"template": fields}})
	w.check(err)
	rev := &appsv1.ControllerRevision{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("web-%d", number), Labels: app(web)}, Revision: number}
	rev.OwnerReferences, rev.Data.Raw = []metav1.OwnerReference{w.refer(set, true)}, data
	_, err = w.client.AppsV1().ControllerRevisions(w.namespace).Create(w.Context(), rev, metav1.CreateOptions{})
	w.check(err)
	return rev.Name
}

// ordinalPod makes a Pod as the controller does, in a condition that stays: on a node
// without a kubelet, or on none.
func (w *world) ordinalPod(set *appsv1.StatefulSet, ordinal int, revision, special string) {
	w.Helper()
	name := fmt.Sprintf("web-%d", ordinal)
	p := pod{name: name, node: bare0, ready: hour, labels: map[string]string{
		"app": web, appsv1.StatefulSetPodNameLabel: name, appsv1.PodIndexLabel: strconv.Itoa(ordinal), appsv1.ControllerRevisionHashLabelKey: revision,
	}}
	obj := p.object()
	obj.OwnerReferences = []metav1.OwnerReference{w.refer(set, true)}
	for _, t := range set.Spec.VolumeClaimTemplates {
		obj.Spec.Volumes = append(obj.Spec.Volumes, corev1.Volume{Name: t.Name, VolumeSource: corev1.VolumeSource{
			PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: t.Name + "-" + name},
		}})
	}
	terminating := false
	switch special {
	case "":
	case "pending":
		p.ready, obj.Spec.NodeName = 0, ""
	case "unready":
		p.ready, p.unready = 0, true
	case "silent":
		p.ready, p.silent = 0, true
	case "failed":
		p.ready, p.phase = 0, corev1.PodFailed
	case "succeeded":
		p.ready, p.phase = 0, corev1.PodSucceeded
	case "terminating":
		terminating = true
	case "young":
		p.ready = time.Second
	case "orphan":
		obj.OwnerReferences = nil
	case "nameless":
		delete(obj.Labels, appsv1.StatefulSetPodNameLabel)
	case "relabelled":
		obj.Labels["app"] = "debug"
	default:
		w.Fatalf("no Pod is %q", special)
	}
	obj, err := w.client.CoreV1().Pods(w.namespace).Create(w.Context(), obj, metav1.CreateOptions{})
	w.check(err)
	w.record(obj, p, time.Now())
	if terminating {
		w.check(w.client.CoreV1().Pods(w.namespace).Delete(w.Context(), name, metav1.DeleteOptions{}))
	}
}

// claimFor makes the claim of an ordinal, with these owners.
func (w *world) claimFor(set *appsv1.StatefulSet, ordinal int, owners ...metav1.OwnerReference) {
	w.Helper()
	t := set.Spec.VolumeClaimTemplates[0]
	claim := &corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("%s-web-%d", t.Name, ordinal), Labels: app(web), OwnerReferences: owners}, Spec: t.Spec}
	_, err := w.client.CoreV1().PersistentVolumeClaims(w.namespace).Create(w.Context(), claim, metav1.CreateOptions{})
	w.check(err)
}

// observeOrdinals collects what the controller sends about each set, until it has done
// as much as is predicted and stays silent.
func (w *world) observeOrdinals(since controlplane.AuditMark, all []*asked) {
	w.Helper()
	there := &world{T: w.T, client: w.client, namespace: canaries}
	name := unused("canary-ordinals")
	create(there, statefulSet(name, 0))
	last, sung := time.Now(), false
	w.waitFor("the StatefulSet controller to act", func(context.Context) (bool, error) {
		events, next, err := env.AuditEvents(since)
		since = next
		for _, e := range events {
			if e.Stage != "ResponseComplete" || e.Controller() != "statefulset-controller" || !writes[e.Verb] || e.ObjectRef.Resource == "events" {
				continue
			}
			sung = sung || e.ObjectRef.Namespace == canaries
			for _, a := range all {
				if e.ObjectRef.Namespace == a.namespace {
					a.did, last = append(a.did, e), time.Now()
				}
			}
		}
		return sung && time.Since(last) > 4*quiet, err
	})
}

var writes = map[string]bool{"create": true, "update": true, "patch": true, "delete": true}

func edit(f func(*appsv1.StatefulSetSpec)) []func(*appsv1.StatefulSet) {
	return []func(*appsv1.StatefulSet){func(set *appsv1.StatefulSet) { f(&set.Spec) }}
}

// rolling sets the partition and, where it is not 0, maxUnavailable.
func rolling(partition int32, edits ...func(*appsv1.StatefulSetSpec)) []func(*appsv1.StatefulSet) {
	return edit(func(spec *appsv1.StatefulSetSpec) {
		spec.UpdateStrategy.Type = appsv1.RollingUpdateStatefulSetStrategyType
		spec.UpdateStrategy.RollingUpdate = &appsv1.RollingUpdateStatefulSetStrategy{Partition: new(partition)}
		for _, e := range edits {
			e(spec)
		}
	})
}
