package clusterdsl

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// kruise are the kinds that questions about CloneSets need:
//
//	cs   sample selector=app=web replicas=5 image=web:2 type=InPlaceIfPossible partition=40% paused
//	rev  sample-a of=cs/sample number=1 app=web image=web:1
//	kpod sample-1 of=cs/sample app=web rev=sample-a state=Normal ready=1h node=n1 id=1
//	manager v1.9.1 args=--feature-gates=CloneSetShortHash=true
var kruise = map[string]func(*object, *view.Builder) error{
	"cs": (*object).addCloneSet, "rev": (*object).addRevision, "kpod": (*object).addKruisePod,
	"manager": (*object).addManager, "kevent": (*object).addCloneSetEvent, "klease": (*object).addManagerLease, "hpa": (*object).addAutoscaler,
}

// take removes a word that is no label and returns its value.
func (o *object) take(key string) (string, bool) {
	v, ok := o.Labels[key]
	delete(o.Labels, key)
	return v, ok
}

// optional is the value of a word that is no label, nil without it.
func (o *object) optional(key string) *string {
	if v, ok := o.take(key); ok {
		return &v
	}
	return nil
}

func (o *object) taken(key string) bool {
	_, ok := o.take(key)
	return ok
}

// podTemplate reads image=, request= and limit=, mount=, env=K:V, tlabel=k:v, tannotation=k:v,
// hostnameOverride=, reads= for an annotation in the environment, spread=key,key, and what sidecars
// and launches read.
func (o *object) podTemplate() map[string]any {
	c := corev1.Container{Name: "main"}
	c.Image, _ = o.take("image")
	c.Resources = o.resources()
	t := corev1.PodTemplateSpec{}
	if v, ok := o.take("mount"); ok {
		c.VolumeMounts = []corev1.VolumeMount{{Name: v, MountPath: "/" + v}}
	}
	if v, ok := o.take("env"); ok {
		c.Env = []corev1.EnvVar{{Name: "E", Value: v}}
	}
	c.Env = append(c.Env, o.environment()...)
	if v, ok := o.take("tlabel"); ok {
		key, value, _ := strings.Cut(v, ":")
		t.Labels = map[string]string{key: value}
	}
	if v, ok := o.take("tannotation"); ok {
		key, value, _ := strings.Cut(v, ":")
		t.Annotations = map[string]string{key: value}
	}
	if v, ok := o.take("spread"); ok {
		for key := range strings.SplitSeq(v, ",") {
			t.Spec.TopologySpreadConstraints = append(t.Spec.TopologySpreadConstraints, corev1.TopologySpreadConstraint{TopologyKey: key})
		}
	}
	t.Spec.HostnameOverride = o.optional("hostnameOverride")
	t.Spec.Containers = append([]corev1.Container{c}, o.sidecars()...)
	for i, priority := range o.launches() {
		c := &t.Spec.Containers[i]
		c.Env = append(c.Env, corev1.EnvVar{Name: "KRUISE_CONTAINER_PRIORITY", Value: strconv.Itoa(priority)})
	}
	return plain(&t)
}

// environment reads reads=NAME for an annotation in the environment, and value=
// for a plain variable.
func (o *object) environment() (env []corev1.EnvVar) {
	if v, ok := o.take("reads"); ok {
		env = append(env, corev1.EnvVar{Name: "R", ValueFrom: &corev1.EnvVarSource{FieldRef: &corev1.ObjectFieldSelector{FieldPath: "metadata.annotations['" + v + "']"}}})
	}
	if v, ok := o.take("value"); ok {
		env = append(env, corev1.EnvVar{Name: "V", Value: v})
	}
	return env
}

// plain is v as JSON fields.
func plain(v any) map[string]any {
	var out map[string]any
	text, err := json.Marshal(v)
	if err == nil {
		err = json.Unmarshal(text, &out)
	}
	if err != nil {
		panic(err)
	}
	return out
}

func (o *object) addCloneSet(b *view.Builder) error {
	u := &unstructured.Unstructured{Object: map[string]any{}}
	set := func(value any, path ...string) {
		if err := unstructured.SetNestedField(u.Object, value, path...); err != nil {
			panic(err)
		}
	}
	set(int64(o.number("replicas", 1)), "spec", "replicas")
	set(o.podTemplate(), "spec", "template")
	if sel := o.selector(); sel != nil {
		set(plain(sel), "spec", "selector")
	}
	for key, path := range numbers {
		if v, ok := o.take(key); ok {
			set(number(v), append([]string{"spec"}, strings.Split(path, ".")...)...)
		}
	}
	if n := o.number("minReady", 0); n > 0 {
		set(int64(n), "spec", "minReadySeconds")
	}
	for key, path := range lists {
		if v, ok := o.take(key); ok {
			set(words(v), append([]string{"spec"}, strings.Split(path, ".")...)...)
		}
	}
	o.strategies(set)
	o.hooks(set)
	o.cloneSetStatus(set)
	labels, apiVersion := o.Labels, view.CloneSets.GroupVersion().String()
	u.SetAPIVersion(apiVersion)
	u.SetKind(view.CloneSets.Kind)
	u.SetName(o.Name)
	u.SetNamespace(o.Namespace)
	u.SetUID(o.UID)
	u.SetGeneration(o.Generation)
	u.SetCreationTimestamp(o.CreationTimestamp)
	u.SetDeletionTimestamp(o.DeletionTimestamp)
	u.SetFinalizers(o.Finalizers)
	if o.has("wrote") {
		o.wrote("kruise-manager")
		u.SetManagedFields(o.ManagedFields)
	}
	if len(labels) > 0 {
		u.SetLabels(labels)
	}
	b.Add(view.CloneSets, u)
	return nil
}

// numbers are words that stand for one field, lists those for several values.
var (
	numbers = map[string]string{
		"partition": "updateStrategy.partition", "maxUnavailable": "updateStrategy.maxUnavailable", "maxSurge": "updateStrategy.maxSurge",
		"type": "updateStrategy.type", "scaleMaxUnavailable": "scaleStrategy.maxUnavailable", "graceSeconds": "updateStrategy.inPlaceUpdateStrategy.gracePeriodSeconds",
		"historyLimit": "revisionHistoryLimit", "deadline": "progressDeadlineSeconds",
	}
	lists = map[string]string{"podsToDelete": "scaleStrategy.podsToDelete"}
)

func number(text string) any {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return n
	}
	return text
}

func words(text string) []any {
	var out []any
	for w := range strings.SplitSeq(text, ",") {
		out = append(out, w)
	}
	return out
}

// strategies reads paused, disablePVCReuse, claims=data,logs:class, order=key,key,
// weight=k:v:10,… and scatter=k:v,….
func (o *object) strategies(set func(any, ...string)) {
	if o.taken("paused") {
		set(true, "spec", "updateStrategy", "paused")
	}
	if o.taken("disablePVCReuse") {
		set(true, "spec", "scaleStrategy", "disablePVCReuse")
	}
	if v, ok := o.take("claims"); ok {
		var all []any
		for name := range strings.SplitSeq(v, ",") {
			name, class, classed := strings.Cut(name, ":")
			claim := map[string]any{"metadata": map[string]any{"name": name}}
			if classed {
				claim["spec"] = map[string]any{"storageClassName": class}
			}
			all = append(all, claim)
		}
		set(all, "spec", "volumeClaimTemplates")
	}
	if v, ok := o.take("order"); ok {
		var all []any
		for key := range strings.SplitSeq(v, ",") {
			all = append(all, map[string]any{"orderedKey": key})
		}
		set(all, "spec", "updateStrategy", "priorityStrategy", "orderPriority")
	}
	if v, ok := o.take("weight"); ok {
		var all []any
		for w := range strings.SplitSeq(v, ",") {
			p := strings.Split(w, ":")
			all = append(all, map[string]any{"weight": number(p[2]), "matchSelector": map[string]any{"matchLabels": map[string]any{p[0]: p[1]}}})
		}
		set(all, "spec", "updateStrategy", "priorityStrategy", "weightPriority")
	}
	if v, ok := o.take("scatter"); ok {
		var all []any
		for w := range strings.SplitSeq(v, ",") {
			key, value, _ := strings.Cut(w, ":")
			all = append(all, map[string]any{"key": key, "value": value})
		}
		set(all, "spec", "updateStrategy", "scatterStrategy")
	}
}

// hooks reads preDelete=, inPlaceUpdate= and preNormal= with finalizers
// (a/b) and labels (k:v), and marks= for those that mark pods not ready.
func (o *object) hooks(set func(any, ...string)) {
	marks, _ := o.take("marks")
	for _, name := range []string{"preDelete", "inPlaceUpdate", "preNormal"} {
		v, ok := o.take(name)
		if !ok {
			continue
		}
		h := map[string]any{}
		if key, value, isLabel := strings.Cut(v, ":"); isLabel {
			h["labelsHandler"] = map[string]any{key: value}
		} else if v != "" {
			h["finalizersHandler"] = words(v)
		}
		if marks == name {
			h["markPodNotReady"] = true
		}
		set(h, "spec", "lifecycle", name)
	}
}

// cloneSetStatus reads stored=replicas,ready,available,updated,updatedReady,
// updatedAvailable,expectedUpdated, current=, update=, collisions=, observed= and
// condition=Type:Reason@age.
func (o *object) cloneSetStatus(set func(any, ...string)) {
	set(int64(o.numeral("observed", 1)), "status", "observedGeneration")
	fields := []string{"replicas", "readyReplicas", "availableReplicas", "updatedReplicas", "updatedReadyReplicas", "updatedAvailableReplicas", "expectedUpdatedReplicas"}
	if v, ok := o.take("stored"); ok {
		for i, n := range strings.Split(v, ",") {
			set(number(n), "status", fields[i])
		}
	}
	if sel := o.selector(); sel != nil {
		set(metav1.FormatLabelSelector(sel), "status", "labelSelector")
	}
	for key, field := range map[string]string{"current": "currentRevision", "update": "updateRevision", "collisions": "collisionCount"} {
		if v, ok := o.take(key); ok {
			set(number(v), "status", field)
		}
	}
	if v, ok := o.take("condition"); ok {
		kind, rest, _ := strings.Cut(v, ":")
		reason, age, _ := strings.Cut(rest, "@")
		o.words["since"] = age
		at := o.ago("since", 0).UTC().Format("2006-01-02T15:04:05Z")
		set([]any{map[string]any{"type": kind, "status": "True", "reason": reason, "message": "so it said", "lastUpdateTime": at, "lastTransitionTime": at}}, "status", "conditions")
	}
}

// addRevision reads number=, claimHash= and what podTemplate reads.
func (o *object) addRevision(b *view.Builder) error {
	n, _ := o.take("number")
	hash, hashed := o.take("claimHash")
	t := o.podTemplate()
	t["$patch"] = "replace"
	text, err := json.Marshal(map[string]any{"spec": map[string]any{"template": t}})
	if err != nil {
		return err
	}
	cr := &appsv1.ControllerRevision{ObjectMeta: o.ObjectMeta, Data: runtime.RawExtension{Raw: text}}
	if hashed {
		cr.Annotations = map[string]string{"kruise.io/cloneset-volumeclaimtemplate-hash": hash}
	}
	if cr.Revision, err = strconv.ParseInt(n, 10, 64); err != nil {
		return fmt.Errorf("number=%s: %w", n, err)
	}
	b.Add(view.ControllerRevisions, cr)
	return nil
}

// addKruisePod reads rev=, state=, marked, nohash for a pod without
// pod-template-hash, gate with inplace= for its condition, kruiseReady= for the
// gate that hooks close, image=, request=, limit= and running=ID or ID@image for what the container
// runs, runtime= and runtimeEnv= for what report writes, and what
// inPlaceAnnotations and environment read.
func (o *object) addKruisePod(b *view.Builder) error {
	trouble := o.trouble()
	if v, ok := o.take("rev"); ok {
		o.Labels["controller-revision-hash"] = v
	}
	if v, ok := o.take("state"); ok {
		o.Labels["lifecycle.apps.kruise.io/state"] = v
	}
	if o.taken("marked") {
		o.Labels["apps.kruise.io/specified-delete"] = "true"
	}
	if !o.taken("nohash") {
		o.Labels["pod-template-hash"] = "x"
	}
	gate, inPlace := o.taken("gate"), ""
	if v, ok := o.take("inplace"); ok {
		inPlace = v
	}
	kruiseReady, _ := o.take("kruiseReady")
	o.inPlaceAnnotations()
	o.budgetAnnotations()
	environment := o.environment()
	runtime, reported := o.take("runtime")
	runtimeEnv, _ := o.take("runtimeEnv")
	image, _ := o.take("image")
	status, _ := o.take("running")
	sidecars, launches := o.sidecars(), o.launches()
	p := o.pod()
	p.Spec.Containers[0].Image, p.Spec.Containers[0].Env, p.Spec.Containers[0].Resources = image, environment, o.resources()
	p.Spec.Containers = append(p.Spec.Containers, sidecars...)
	for i, priority := range launches {
		cluster.GivePriority(&p.Spec.Containers[i], p.Name, priority)
	}
	if status != "" {
		id, runs, other := strings.Cut(status, "@")
		if !other {
			runs = image
		}
		p.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "main", Image: runs, ImageID: id, RestartCount: int32(o.number("restarts", 0))}}
		for _, c := range sidecars {
			p.Status.ContainerStatuses = append(p.Status.ContainerStatuses, corev1.ContainerStatus{Name: c.Name, Image: c.Image, ImageID: id, Ready: true})
		}
	}
	if reported {
		report(p, runtime, runtimeEnv)
	}
	if gate {
		p.Spec.ReadinessGates = []corev1.PodReadinessGate{{ConditionType: "InPlaceUpdateReady"}}
	}
	if inPlace != "" {
		p.Status.Conditions = append(p.Status.Conditions, corev1.PodCondition{Type: "InPlaceUpdateReady", Status: corev1.ConditionStatus(inPlace)})
	}
	if kruiseReady != "" {
		p.Spec.ReadinessGates = append(p.Spec.ReadinessGates, corev1.PodReadinessGate{ConditionType: "KruisePodReady"})
		p.Status.Conditions = append(p.Status.Conditions, corev1.PodCondition{Type: "KruisePodReady", Status: corev1.ConditionStatus(kruiseReady), Message: closedByDeletionHook(kruiseReady)})
	}
	trouble(p)
	b.Add(view.Pods, p)
	return nil
}

// closedByDeletionHook is how a gate that is not True says who closed it.
func closedByDeletionHook(status string) string {
	if status == string(corev1.ConditionTrue) {
		return ""
	}
	return `[{"userAgent":"Lifecycle","key":"preDeleteHook"}]`
}

// inPlaceAnnotations reads since= for the age of an update with was= for the
// image ID before it, next for another batch, env for changed environment,
// resize for changed resources, garbled for a record that can't be read, grace=revision:seconds, and
// annotation=key:value.
func (o *object) inPlaceAnnotations() {
	add := func(key, value string) {
		if o.Annotations == nil {
			o.Annotations = map[string]string{}
		}
		o.Annotations[key] = value
	}
	if v, ok := o.take("since"); ok {
		o.words["since"] = v
		was, _ := o.take("was")
		extra := ""
		if o.taken("next") {
			extra += `,"nextContainerImages":{"main":"x"}`
		}
		if o.taken("env") {
			extra += `,"updateEnvFromMetadata":true`
		}
		if o.taken("resize") {
			extra += `,"updateResources":true`
		}
		add("apps.kruise.io/inplace-update-state", fmt.Sprintf(`{"updateTimestamp":%q,"lastContainerStatuses":{"main":{"imageID":%q}}%s}`,
			o.ago("since", 0).UTC().Format("2006-01-02T15:04:05Z"), was, extra))
	}
	if v, ok := o.take("annotation"); ok {
		key, value, _ := strings.Cut(v, ":")
		add(key, value)
	}
	if o.taken("garbled") {
		add("apps.kruise.io/inplace-update-state", "{")
	}
	if v, ok := o.take("grace"); ok {
		rev, seconds, _ := strings.Cut(v, ":")
		add("apps.kruise.io/inplace-update-grace", fmt.Sprintf(`{"revision":%q,"graceSeconds":%s}`, rev, seconds))
	}
}

// addManager is the kruise-manager's Deployment, named by its version.
func (o *object) addManager(b *view.Builder) error {
	d := &appsv1.Deployment{ObjectMeta: o.ObjectMeta}
	c := corev1.Container{Name: "manager", Image: "openkruise/kruise-manager:" + o.Name}
	if v, ok := o.take("args"); ok {
		c.Args = strings.Split(v, ";")
	}
	d.Name, d.Namespace = "kruise-controller-manager", "kruise-system"
	d.Spec.Template.Spec.Containers = []corev1.Container{c}
	b.Add(view.Deployments, d)
	return nil
}

func (o *object) addCloneSetEvent(b *view.Builder) error {
	e := o.event()
	e.InvolvedObject.Kind = "CloneSet"
	b.Add(view.Events, e)
	return nil
}

func (o *object) addManagerLease(b *view.Builder) error {
	l := o.lease()
	l.Name, l.Namespace = "kruise-manager", "kruise-system"
	b.Add(view.Leases, l)
	return nil
}
