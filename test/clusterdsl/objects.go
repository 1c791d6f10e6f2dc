package clusterdsl

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

func (o *object) pod() *corev1.Pod {
	p := &corev1.Pod{ObjectMeta: o.ObjectMeta}
	if by := o.text("creator"); by != "" {
		p.GenerateName = "made-"
		p.ManagedFields = []metav1.ManagedFieldsEntry{{Manager: by, Operation: metav1.ManagedFieldsOperationUpdate}}
	}
	p.Spec.NodeName = o.text("node")
	p.Spec.Containers = []corev1.Container{{Name: "main"}}
	p.Status.Phase = corev1.PodRunning
	if phase, ok := o.lookup("phase"); ok {
		p.Status.Phase = corev1.PodPhase(phase)
	}
	switch {
	case o.has("ready"):
		p.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue, LastTransitionTime: o.ago("ready", 0)}}
	case o.has("notready"):
		c := corev1.PodCondition{Type: corev1.PodReady, Status: corev1.ConditionFalse}
		if o.text("notready") != "" {
			c.LastTransitionTime = o.ago("notready", 0)
		}
		p.Status.Conditions = []corev1.PodCondition{c}
	}
	if o.has("tolerates") {
		p.Spec.Tolerations = []corev1.Toleration{{Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoExecute, TolerationSeconds: new(int64(o.number("tolerates", 0)))}}
	}
	if o.has("restarts") {
		p.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "main", RestartCount: int32(o.number("restarts", 0))}}
	}
	if o.has("sidecar") {
		p.Spec.InitContainers = []corev1.Container{{Name: "sidecar", RestartPolicy: new(corev1.ContainerRestartPolicyAlways)}}
		p.Status.InitContainerStatuses = []corev1.ContainerStatus{{Name: "sidecar", RestartCount: int32(o.number("sidecar", 0))}}
	}
	if o.has("init") {
		p.Spec.InitContainers = append(p.Spec.InitContainers, corev1.Container{Name: "init"})
		p.Status.InitContainerStatuses = append(p.Status.InitContainerStatuses, corev1.ContainerStatus{Name: "init", RestartCount: int32(o.number("init", 0))})
	}
	return p
}

func (o *object) selector() *metav1.LabelSelector {
	text, ok := o.lookup("selector")
	if !ok {
		return nil
	}
	if strings.Contains(text, "!!") { // an operator that does not exist
		return &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "app", Operator: "Is"}}}
	}
	sel, err := metav1.ParseToLabelSelector(text)
	if err != nil {
		panic(err)
	}
	return sel
}

func (o *object) template() corev1.PodTemplateSpec {
	t := corev1.PodTemplateSpec{}
	if sel := o.selector(); sel != nil {
		t.Labels = sel.MatchLabels
	}
	if text, ok := o.lookup("template"); ok {
		sel, err := metav1.ParseToLabelSelector(text)
		if err != nil {
			panic(err)
		}
		t.Labels = sel.MatchLabels
	}
	t.Spec.Containers = []corev1.Container{{Name: "main", Resources: o.resources()}}
	t.Spec.PriorityClassName = o.word("class", "")
	if class := o.word("runtime", ""); class != "" {
		t.Spec.RuntimeClassName = &class
	}
	return t
}

// resources reads request= and limit=, of cpu.
func (o *object) resources() (r corev1.ResourceRequirements) {
	if cpu, ok := o.lookup("request"); ok {
		r.Requests = corev1.ResourceList{corev1.ResourceCPU: resource.MustParse(cpu)}
	}
	if cpu := o.word("limit", ""); cpu != "" {
		r.Limits = corev1.ResourceList{corev1.ResourceCPU: resource.MustParse(cpu)}
	}
	return r
}

func (o *object) replicaSet() *appsv1.ReplicaSet {
	rs := &appsv1.ReplicaSet{ObjectMeta: o.ObjectMeta}
	rs.Spec = appsv1.ReplicaSetSpec{
		Replicas: new(int32(o.number("replicas", 1))), MinReadySeconds: int32(o.number("minReady", 0)),
		Selector: o.selector(), Template: o.template(),
	}
	rs.Status = o.setStatus()
	if o.has("failure") {
		rs.Status.Conditions = []appsv1.ReplicaSetCondition{{
			Type: appsv1.ReplicaSetReplicaFailure, Status: corev1.ConditionTrue, Reason: o.text("failure"),
			Message: strings.ReplaceAll(o.text("message"), "_", " "), LastTransitionTime: o.ago("failed", time.Hour),
		}}
	}
	return rs
}

// setStatus reads status=2, or 2/2/1/0 for replicas, fully labelled, ready and
// available ones, observed=2 and terminating=1.
func (o *object) setStatus() appsv1.ReplicaSetStatus {
	st := appsv1.ReplicaSetStatus{ObservedGeneration: int64(o.numeral("observed", 1)), TerminatingReplicas: new(int32(o.number("terminating", 0)))}
	if !o.has("status") {
		return st
	}
	counts := []*int32{&st.Replicas, &st.FullyLabeledReplicas, &st.ReadyReplicas, &st.AvailableReplicas}
	for i, text := range strings.Split(o.text("status"), "/") {
		n, err := strconv.ParseInt(text, 10, 32)
		if err != nil || i == len(counts) {
			panic("status=" + o.text("status") + " is not 2 or 2/2/1/0")
		}
		for _, count := range counts[i:] {
			*count = int32(n)
		}
	}
	return st
}

func (o *object) replicationController() *corev1.ReplicationController {
	rs := o.replicaSet()
	rc := &corev1.ReplicationController{ObjectMeta: o.ObjectMeta}
	rc.Spec = corev1.ReplicationControllerSpec{Replicas: rs.Spec.Replicas, MinReadySeconds: rs.Spec.MinReadySeconds, Template: &rs.Spec.Template}
	if rs.Spec.Selector != nil {
		rc.Spec.Selector = rs.Spec.Selector.MatchLabels
	}
	rc.Status = corev1.ReplicationControllerStatus{
		Replicas: rs.Status.Replicas, FullyLabeledReplicas: rs.Status.FullyLabeledReplicas,
		ReadyReplicas: rs.Status.ReadyReplicas, AvailableReplicas: rs.Status.AvailableReplicas, ObservedGeneration: rs.Status.ObservedGeneration,
	}
	return rc
}

func (o *object) daemonSet() *appsv1.DaemonSet {
	return &appsv1.DaemonSet{ObjectMeta: o.ObjectMeta, Spec: appsv1.DaemonSetSpec{Selector: o.selector(), RevisionHistoryLimit: o.history()}}
}

func (o *object) statefulSet() *appsv1.StatefulSet {
	set := &appsv1.StatefulSet{ObjectMeta: o.ObjectMeta, Spec: appsv1.StatefulSetSpec{Selector: o.selector(), RevisionHistoryLimit: o.history()}}
	if o.has("replicas") {
		set.Spec.Replicas = new(int32(o.number("replicas", 1)))
	}
	set.Status.CurrentRevision, set.Status.UpdateRevision = o.word("current", ""), o.word("update", "")
	o.statefulSpec(set)
	return set
}

func (o *object) deployment() *appsv1.Deployment {
	return &appsv1.Deployment{ObjectMeta: o.ObjectMeta, Spec: appsv1.DeploymentSpec{Selector: o.selector()}}
}

// quota reads pods=used/hard, cpu=used/hard, volumes=used/hard, of claims, and
// sets=used/hard and pvcs=used/hard, which count ReplicaSets and claims. spec=5 asks for as many pods, spec=new has no status yet.
func (o *object) quota() *corev1.ResourceQuota {
	q := &corev1.ResourceQuota{ObjectMeta: o.ObjectMeta}
	q.Status.Hard, q.Status.Used = corev1.ResourceList{}, corev1.ResourceList{}
	for key, name := range map[string]corev1.ResourceName{"pods": corev1.ResourcePods, "cpu": corev1.ResourceRequestsCPU, "sets": "count/replicasets.apps", "pvcs": "count/persistentvolumeclaims", "volumes": corev1.ResourcePersistentVolumeClaims} {
		if text := o.word(key, ""); text != "" {
			used, hard, _ := strings.Cut(text, "/")
			q.Status.Hard[name] = resource.MustParse(hard)
			if used != "" {
				q.Status.Used[name] = resource.MustParse(used)
			}
		}
	}
	q.Spec.Hard = q.Status.Hard
	switch pods := o.word("spec", ""); pods {
	case "":
	case "new":
		q.Status = corev1.ResourceQuotaStatus{}
	default:
		q.Spec.Hard = corev1.ResourceList{corev1.ResourcePods: resource.MustParse(pods)}
	}
	if scope, ok := o.lookup("scope"); ok {
		q.Spec.Scopes = []corev1.ResourceQuotaScope{corev1.ResourceQuotaScope(scope)}
	}
	return q
}

// limitRange reads min=, max=, default= and request= of cpu, for containers, or for what
// kind= says.
func (o *object) limitRange() *corev1.LimitRange {
	item := corev1.LimitRangeItem{Type: corev1.LimitType(o.word("kind", string(corev1.LimitTypeContainer)))}
	for key, list := range map[string]*corev1.ResourceList{"min": &item.Min, "max": &item.Max, "default": &item.Default, "request": &item.DefaultRequest} {
		if cpu := o.word(key, ""); cpu != "" {
			*list = corev1.ResourceList{corev1.ResourceCPU: resource.MustParse(cpu)}
		}
	}
	return &corev1.LimitRange{ObjectMeta: o.ObjectMeta, Spec: corev1.LimitRangeSpec{Limits: []corev1.LimitRangeItem{item}}}
}

// event reads in=UID of the object it is about, and by=COMPONENT that sent it.
func (o *object) event() *corev1.Event {
	return &corev1.Event{
		ObjectMeta: o.ObjectMeta, Reason: o.text("reason"), Count: int32(o.number("count", 1)),
		Message:        strings.ReplaceAll(o.text("message"), "_", " "),
		InvolvedObject: corev1.ObjectReference{Kind: cmp.Or(o.text("kind"), "ReplicaSet"), Name: o.text("in"), UID: types.UID(o.text("in"))},
		Source:         corev1.EventSource{Component: o.text("by")},
		LastTimestamp:  o.ago("last", 0), FirstTimestamp: o.ago("began", Now.Sub(o.ago("last", 0).Time)),
	}
}

// wrote notes when the controller last wrote status.
func (o *object) wrote(manager string) {
	at := o.ago("wrote", 0)
	o.ManagedFields = []metav1.ManagedFieldsEntry{{Manager: manager, Operation: metav1.ManagedFieldsOperationUpdate, Subresource: "status", Time: &at}}
}

// lease is the controller manager's, whatever its name in the sketch.
func (o *object) lease() *coordinationv1.Lease {
	l := &coordinationv1.Lease{ObjectMeta: o.ObjectMeta}
	l.Name, l.Namespace = "kube-controller-manager", "kube-system"
	if o.Name != "nobody" {
		l.Spec.HolderIdentity = new(o.Name)
	}
	l.Spec.LeaseDurationSeconds = new(int32(15))
	l.Spec.RenewTime = &metav1.MicroTime{Time: o.ago("renewed", 0).Time}
	if o.has("acquired") {
		l.Spec.AcquireTime = &metav1.MicroTime{Time: o.ago("acquired", 0).Time}
	}
	return l
}

func (o *object) namespace() *corev1.Namespace {
	n := &corev1.Namespace{ObjectMeta: o.ObjectMeta}
	n.Namespace = ""
	n.Status.Phase = corev1.NamespaceActive
	if o.has("terminating") {
		n.Status.Phase = corev1.NamespaceTerminating
	}
	return n
}
