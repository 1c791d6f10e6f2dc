package clusterdsl

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// A Deployment and its ReplicaSets, where the rollout matters:
//
//	deploy web   replicas=4 image=web:2 revision=2 status=5/1/4/4 progressing=ReplicaSetUpdated
//	set    web-a of=deployment/web app=web image=web:1 revision=1 replicas=4
//
// The Deployment selects app=NAME. Its status is replicas/updated/ready/available,
// spec.replicas four times if left out. A set's status=n and available=n are as
// many as it wants if left out; desired=n and max=n are its size annotations,
// those of a Deployment with 25% of surge if left out, and none if "none".
func init() {
	sections["sets"] = rolloutSets
	sections["follows"] = follows
	sections["count"] = func(d *decision.Decision, say func(string, ...any)) {
		for _, f := range d.Count.Of {
			say("count %s", formula(f))
		}
	}
}

// word is a known word, or one that would otherwise be a label.
func (o *object) word(key, otherwise string) string {
	if v, ok := o.lookup(key); ok {
		return v
	}
	if v, ok := o.Labels[key]; ok {
		delete(o.Labels, key)
		return v
	}
	return otherwise
}

func (o *object) numeral(key string, otherwise int32) int32 {
	text := o.word(key, "")
	if text == "" {
		return otherwise
	}
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil {
		panic(fmt.Sprintf("%s=%s: %v", key, text, err))
	}
	return int32(n)
}

func (o *object) annotate(key, value string) {
	if value == "" || value == "none" {
		return
	}
	if o.Annotations == nil {
		o.Annotations = map[string]string{}
	}
	o.Annotations[key] = value
}

func (o *object) rollout() *appsv1.Deployment {
	d := &appsv1.Deployment{}
	n := o.numeral("replicas", 1)
	d.Spec = appsv1.DeploymentSpec{
		Replicas: &n, Template: o.image(), Strategy: o.strategy(), Paused: o.word("paused", "no") == "",
		MinReadySeconds: o.numeral("minReady", 0), RevisionHistoryLimit: new(o.numeral("history", 10)),
		ProgressDeadlineSeconds: new(o.numeral("deadline", 600)),
		Selector:                &metav1.LabelSelector{MatchLabels: map[string]string{"app": o.Name}},
	}
	switch text, ok := o.lookup("selector"); {
	case ok && text == "":
		d.Spec.Selector = &metav1.LabelSelector{}
	case ok && text == "none":
		d.Spec.Selector = nil
	case ok:
		d.Spec.Selector = o.selector()
	}
	o.annotate("deployment.kubernetes.io/revision", o.word("revision", ""))
	o.annotate("note", o.word("note", ""))
	o.annotate(appsv1.DeprecatedRollbackTo, o.word("rollback", ""))
	d.Status = o.rolloutStatus(n)
	d.ObjectMeta = o.ObjectMeta
	return d
}

func (o *object) strategy() appsv1.DeploymentStrategy {
	limit := func(key string) *intstr.IntOrString { return new(intstr.Parse(o.word(key, "25%"))) }
	s := appsv1.DeploymentStrategy{Type: appsv1.DeploymentStrategyType(o.word("strategy", "RollingUpdate"))}
	surge, unavailable := limit("surge"), limit("unavailable")
	if s.Type == appsv1.RollingUpdateDeploymentStrategyType {
		s.RollingUpdate = &appsv1.RollingUpdateDeployment{MaxSurge: surge, MaxUnavailable: unavailable}
	}
	return s
}

// image is a template with one container.
func (o *object) image() corev1.PodTemplateSpec {
	t := corev1.PodTemplateSpec{}
	t.Labels = map[string]string{"app": "web"}
	t.Spec.Containers = []corev1.Container{{Name: "main", Image: o.word("image", "web:1"), Resources: o.resources()}}
	o.mount(&t.Spec)
	return t
}

// mount reads mounts=, a volume claim.
func (o *object) mount(s *corev1.PodSpec) {
	if claim := o.word("mounts", ""); claim != "" {
		s.Volumes = append(s.Volumes, corev1.Volume{Name: claim, VolumeSource: corev1.VolumeSource{PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: claim}}})
	}
}

func (o *object) rolloutStatus(n int32) appsv1.DeploymentStatus {
	st := appsv1.DeploymentStatus{
		ObservedGeneration: int64(o.numeral("observed", int32(o.Generation))),
		Replicas:           n, UpdatedReplicas: n, ReadyReplicas: n, AvailableReplicas: n, TerminatingReplicas: new(int32(0)),
	}
	if text := o.word("status", ""); text != "" {
		if _, err := fmt.Sscanf(text, "%d/%d/%d/%d", &st.Replicas, &st.UpdatedReplicas, &st.ReadyReplicas, &st.AvailableReplicas); err != nil {
			panic(fmt.Sprintf("status=%s: %v", text, err))
		}
	}
	st.UnavailableReplicas = o.numeral("late", 0)
	since := o.since("progressed", time.Hour)
	add := func(t appsv1.DeploymentConditionType, status corev1.ConditionStatus, reason string) {
		st.Conditions = append(st.Conditions, appsv1.DeploymentCondition{Type: t, Status: status, Reason: reason, LastUpdateTime: since, LastTransitionTime: since})
	}
	if _, short := o.take("short"); short {
		add(appsv1.DeploymentAvailable, corev1.ConditionFalse, "MinimumReplicasUnavailable")
	} else {
		add(appsv1.DeploymentAvailable, corev1.ConditionTrue, "MinimumReplicasAvailable")
	}
	if reason := o.word("progressing", "NewReplicaSetAvailable"); reason != "none" {
		add(appsv1.DeploymentProgressing, statusOf[reason], reason)
	}
	return st
}

// statusOf is the status that each reason of Progressing comes with.
var statusOf = map[string]corev1.ConditionStatus{
	"NewReplicaSetAvailable": "True", "ReplicaSetUpdated": "True", "NewReplicaSetCreated": "True", "FoundNewReplicaSet": "True",
	"ProgressDeadlineExceeded": "False", "ReplicaSetCreateError": "False", "DeploymentPaused": "Unknown", "DeploymentResumed": "Unknown",
}

func (o *object) since(key string, otherwise time.Duration) metav1.Time {
	if text := o.word(key, ""); text != "" {
		o.words[key] = text
	}
	return o.ago(key, otherwise)
}

// set is a ReplicaSet of a Deployment.
func (o *object) set() *appsv1.ReplicaSet {
	n := o.numeral("replicas", 0)
	rs := &appsv1.ReplicaSet{Spec: appsv1.ReplicaSetSpec{Replicas: &n, MinReadySeconds: o.numeral("minReady", 0), Template: o.image()}}
	desired := o.word("desired", "none")
	o.annotate("deployment.kubernetes.io/revision", o.word("revision", ""))
	o.annotate("deployment.kubernetes.io/revision-history", o.word("history", ""))
	o.annotate("deployment.kubernetes.io/desired-replicas", desired)
	o.annotate("deployment.kubernetes.io/max-replicas", o.word("max", "none"))
	o.annotate("note", o.word("note", ""))
	actual := o.numeral("status", n)
	have := o.numeral("available", actual)
	rs.Status = appsv1.ReplicaSetStatus{
		ObservedGeneration: int64(o.numeral("observed", int32(o.Generation))), Replicas: actual, FullyLabeledReplicas: actual,
		ReadyReplicas: have, AvailableReplicas: have, TerminatingReplicas: new(o.numeral("terminating", 0)),
	}
	if reason := o.word("failure", ""); reason != "" {
		rs.Status.Conditions = []appsv1.ReplicaSetCondition{{
			Type: appsv1.ReplicaSetReplicaFailure, Status: corev1.ConditionTrue, Reason: reason,
			Message: strings.ReplaceAll(o.word("message", ""), "_", " "), LastTransitionTime: o.ago("failed", time.Hour),
		}}
	}
	hash := o.Name[strings.LastIndex(o.Name, "-")+1:]
	if o.Labels["pod-template-hash"] == "" {
		o.Labels["pod-template-hash"] = hash
	}
	rs.Spec.Template.Labels["pod-template-hash"] = hash
	rs.Spec.Selector = &metav1.LabelSelector{MatchLabels: map[string]string{"app": "web", "pod-template-hash": hash}}
	rs.ObjectMeta = o.ObjectMeta
	return rs
}

func rolloutSets(d *decision.Decision, say func(string, ...any)) {
	for _, s := range d.Sets {
		text := fmt.Sprintf("set %s %s, revision %q: %d", s.Object.Name, s.Role, s.Revision, s.Replicas)
		switch {
		case s.Deleted:
			text += ", deleted"
		case s.Next != s.Replicas:
			text += fmt.Sprintf(" → %d", s.Next)
		}
		say("%s; %d reported, %d available", text, s.Actual, s.Available)
	}
}

func follows(d *decision.Decision, say func(string, ...any)) {
	for _, e := range d.Follows {
		say("then %s", e.Answer)
		for _, a := range e.Actions {
			say("  %s %s %s: %s [%s]", a.Verb, named(a), sure(a), a.Message, a.Rule)
		}
	}
}

// formula shows a fact with what it was made of.
func formula(f decision.Fact) string {
	text := fmt.Sprintf("%s=%v", f.Name, f.Value)
	if f.Op != "" {
		text += " = " + f.Op
	}
	var of []string
	for _, sub := range f.Of {
		of = append(of, fmt.Sprintf("%s=%v", sub.Name, sub.Value))
	}
	if len(of) > 0 {
		text += " (" + strings.Join(of, ", ") + ")"
	}
	return text
}
