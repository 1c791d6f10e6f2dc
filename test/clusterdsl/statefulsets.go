package clusterdsl

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// A StatefulSet with its revisions and Pods:
//
//	sts  web   selector=app=web replicas=3 image=web:2 partition=1 claims=data retain=Delete/Retain
//	srev web-a of=sts/web number=1 image=web:1
//	ord  web-0 of=sts/web rev=web-a ready=5m
//	pvc  data-web-0 bound
//
// A set's counts=replicas/ready/available/current/updated are its status; retain= is
// whenDeleted and whenScaled. The data of a revision are those of 1.34 and later, or
// with old those of before; data= replaces them. noname leaves a Pod without its name
// label, claims= gives it volumes, request= a request of cpu.
func init() {
	kruise["srev"], kruise["ord"] = (*object).addSetRevision, (*object).addOrdinal
	sections["history"] = func(d *decision.Decision, say func(string, ...any)) {
		for _, r := range d.Revisions {
			say("revision %s (%s) of %s: %s [%s]", r.Name, strings.Join(r.Roles, ", "), format.Plural(r.Pods, "Pod"), r.Message, r.Rule)
		}
	}
}

// statefulSpec completes a StatefulSet.
func (o *object) statefulSpec(set *appsv1.StatefulSet) {
	s := &set.Spec
	s.PodManagementPolicy = appsv1.PodManagementPolicyType(o.word("policy", ""))
	s.MinReadySeconds = o.numeral("minReady", 0)
	s.UpdateStrategy.Type = appsv1.StatefulSetUpdateStrategyType(o.word("strategy", ""))
	partition, unavailable := o.word("partition", ""), o.word("unavailable", "")
	if partition+unavailable != "" {
		n, _ := strconv.ParseInt("0"+partition, 10, 32)
		s.UpdateStrategy.RollingUpdate = &appsv1.RollingUpdateStatefulSetStrategy{Partition: new(int32(n))}
		if unavailable != "" {
			s.UpdateStrategy.RollingUpdate.MaxUnavailable = new(intstr.Parse(unavailable))
		}
	}
	if start := o.numeral("start", 0); start != 0 {
		s.Ordinals = &appsv1.StatefulSetOrdinals{Start: start}
	}
	for _, name := range o.names("claims") {
		s.VolumeClaimTemplates = append(s.VolumeClaimTemplates, corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Name: name}})
	}
	if text := o.word("retain", ""); text != "" {
		deleted, scaled, _ := strings.Cut(text, "/")
		s.PersistentVolumeClaimRetentionPolicy = &appsv1.StatefulSetPersistentVolumeClaimRetentionPolicy{
			WhenDeleted: appsv1.PersistentVolumeClaimRetentionPolicyType(deleted), WhenScaled: appsv1.PersistentVolumeClaimRetentionPolicyType(scaled),
		}
	}
	if _, own := o.Labels["image"]; own {
		s.Template = o.image()
		s.ServiceName = o.Name
	}
	o.statefulStatus(set)
}

func (o *object) statefulStatus(set *appsv1.StatefulSet) {
	st := &set.Status
	st.ObservedGeneration = int64(o.numeral("observed", int32(o.Generation)))
	if text := o.word("counts", ""); text != "" {
		if _, err := fmt.Sscanf(text, "%d/%d/%d/%d/%d", &st.Replicas, &st.ReadyReplicas, &st.AvailableReplicas, &st.CurrentReplicas, &st.UpdatedReplicas); err != nil {
			panic(fmt.Sprintf("counts=%s: %v", text, err))
		}
	}
	if n := o.numeral("collisions", 0); n > 0 {
		st.CollisionCount = &n
	}
	if reason := o.word("progressing", ""); reason != "" {
		st.Conditions = []appsv1.StatefulSetCondition{{Type: "Progressing", Status: corev1.ConditionTrue, Reason: reason, Message: "Deleting old revision pods"}}
	}
}

// names are those of a word, separated by commas.
func (o *object) names(key string) []string {
	text := o.word(key, "")
	if text == "" {
		return nil
	}
	return strings.Split(text, ",")
}

func (o *object) addSetRevision(b *view.Builder) error {
	_, old := o.take("old")
	number, data := int64(o.numeral("number", 1)), o.word("data", "")
	t := o.image()
	var fields map[string]any
	text, err := json.Marshal(&t)
	if err == nil {
		err = json.Unmarshal(text, &fields)
	}
	if err != nil {
		return err
	}
	fields["$patch"] = "replace"
	if text, err = json.Marshal(map[string]any{"spec": map[string]any{"template": fields}}); err != nil {
		return err
	}
	if old {
		text = bytes.Replace(text, []byte(`"metadata":{`), []byte(`"metadata":{"creationTimestamp":null,`), 1)
	}
	if data != "" {
		text = []byte(data)
	}
	if o.Labels["app"] == "" {
		o.Labels["app"] = "web"
	}
	b.Add(view.ControllerRevisions, &appsv1.ControllerRevision{ObjectMeta: o.ObjectMeta, Revision: number, Data: runtime.RawExtension{Raw: text}})
	return nil
}

func (o *object) addOrdinal(b *view.Builder) error {
	trouble := o.trouble()
	claims, reason := o.names("claims"), o.word("because", "")
	_, unnamed := o.take("noname")
	if rev, ok := o.take("rev"); ok {
		o.Labels[appsv1.StatefulSetRevisionLabel] = rev
	}
	if o.Labels["app"] == "" {
		o.Labels["app"] = "web"
	}
	dash := strings.LastIndex(o.Name, "-")
	if !unnamed {
		o.Labels[appsv1.StatefulSetPodNameLabel], o.Labels[appsv1.PodIndexLabel] = o.Name, o.Name[dash+1:]
	}
	p := o.pod()
	p.Spec.Containers[0].Image, _ = o.take("image")
	for _, name := range claims {
		p.Spec.Volumes = append(p.Spec.Volumes, corev1.Volume{Name: name, VolumeSource: corev1.VolumeSource{
			PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: name + "-" + o.Name},
		}})
	}
	p.Status.Reason = reason
	p.Spec.Containers[0].Resources = o.resources()
	trouble(p)
	b.Add(view.Pods, p)
	return nil
}
