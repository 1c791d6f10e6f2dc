package admission

import (
	"fmt"
	"math/rand/v2"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Request is what an oracle is asked, Answer what it says: the types of
// driver/admission, which is a module of its own.
type Request struct {
	Pod         *corev1.Pod            `json:"pod,omitempty"`
	Count       string                 `json:"count,omitempty"`
	LimitRanges []*corev1.LimitRange   `json:"limitRanges,omitempty"`
	Quotas      []corev1.ResourceQuota `json:"quotas,omitempty"`
	Tries       int                    `json:"tries"`
}

// Answer is what upstream's admission answers.
type Answer struct {
	Accepted int      `json:"accepted"`
	Stage    string   `json:"stage"`
	Errors   []string `json:"errors"`
}

const tries = 6

// draw draws cases of one version.
type draw struct {
	*rand.Rand
	podLevel, deviceClasses bool
}

func newDraw(seed int, podLevel, deviceClasses bool) draw {
	return draw{rand.New(rand.NewPCG(uint64(seed), 7)), podLevel, deviceClasses}
}

func (d draw) chance(percent int) bool { return d.IntN(100) < percent }

func one[T any](d draw, of ...T) T { return of[d.IntN(len(of))] }

func (d draw) request() *Request {
	r := &Request{Tries: tries}
	for i := range d.IntN(3) {
		r.Quotas = append(r.Quotas, d.quota(i))
	}
	if d.chance(4) {
		r.Count = one(d, "replicasets.apps", "configmaps")
		return r
	}
	for i := range one(d, 0, 0, 1, 1, 2) {
		r.LimitRanges = append(r.LimitRanges, d.limitRange(i))
	}
	r.Pod = d.pod()
	return r
}

// quantities of each resource, small, so that they meet each other.
func (d draw) quantity(name corev1.ResourceName) resource.Quantity {
	text := one(d, "0", "1", "2", "3")
	switch name {
	case "cpu":
		text = one(d, "0", "100m", "250m", "500m", "1", "1500m", "2", "3")
	case "memory", "ephemeral-storage":
		text = one(d, "0", "64Mi", "128Mi", "100M", "1Gi", "1500Mi", "2Gi")
	case "hugepages-2Mi":
		text = one(d, "2Mi", "4Mi", "8Mi")
	}
	return resource.MustParse(text)
}

func (d draw) resources() corev1.ResourceRequirements {
	r := corev1.ResourceRequirements{Requests: corev1.ResourceList{}, Limits: corev1.ResourceList{}}
	for _, name := range []corev1.ResourceName{"cpu", "memory", "ephemeral-storage"} {
		if d.chance(50) {
			r.Requests[name] = d.quantity(name)
		}
		if d.chance(40) {
			r.Limits[name] = d.quantity(name)
		}
		d.fit(r, name)
	}
	for _, name := range []corev1.ResourceName{"hugepages-2Mi", "example.com/gpu", "deviceclass.resource.kubernetes.io/gpu"} {
		if d.chance(8) && (d.deviceClasses || name != "deviceclass.resource.kubernetes.io/gpu") {
			r.Limits[name] = d.quantity(name)
			if d.chance(10) {
				r.Requests[name] = d.quantity(name)
			}
		}
	}
	return r
}

// fit lets most containers be valid.
func (d draw) fit(r corev1.ResourceRequirements, name corev1.ResourceName) {
	request, limit := r.Requests[name], r.Limits[name]
	switch {
	case d.chance(3):
	case limit.IsZero():
		delete(r.Limits, name)
	case request.Cmp(limit) > 0:
		r.Requests[name] = limit
	}
}

func (d draw) container(name string) corev1.Container {
	c := corev1.Container{
		Name: name, Image: "x", Resources: d.resources(),
		TerminationMessagePolicy: corev1.TerminationMessageReadFile, ImagePullPolicy: corev1.PullAlways,
	}
	if d.chance(3) {
		c.VolumeMounts = []corev1.VolumeMount{{Name: one(d, "data", "none"), MountPath: "/data"}}
	}
	return c
}

func (d draw) pod() *corev1.Pod {
	p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "new", Namespace: "shop"}}
	for i := range 1 + d.IntN(2) {
		p.Spec.Containers = append(p.Spec.Containers, d.container(fmt.Sprintf("main-%d", i)))
	}
	for i := range one(d, 0, 0, 1, 2, 3) {
		c := d.container(fmt.Sprintf("init-%d", i))
		if d.chance(40) {
			c.RestartPolicy = new(corev1.ContainerRestartPolicyAlways)
		}
		p.Spec.InitContainers = append(p.Spec.InitContainers, c)
	}
	p.Spec.Volumes = []corev1.Volume{{Name: "data", VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}}}
	p.Spec.PriorityClassName = one(d, "", "", "high", "low")
	if d.chance(20) {
		p.Spec.ActiveDeadlineSeconds = new(int64(60))
	}
	if d.chance(15) {
		p.Spec.Overhead = corev1.ResourceList{"cpu": resource.MustParse("100m"), "memory": resource.MustParse("64Mi")}
		p.Spec.RuntimeClassName = new("kata")
	}
	if d.chance(10) {
		p.Spec.Affinity = &corev1.Affinity{PodAntiAffinity: &corev1.PodAntiAffinity{RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{{
			TopologyKey: "zone", LabelSelector: &metav1.LabelSelector{}, Namespaces: one(d, nil, []string{"other"}),
		}}}}
	}
	if d.podLevel && d.chance(20) {
		p.Spec.Resources = d.podResources()
	}
	return p
}

func (d draw) podResources() *corev1.ResourceRequirements {
	r := &corev1.ResourceRequirements{}
	for _, name := range []corev1.ResourceName{"cpu", "memory"} {
		if d.chance(50) {
			r.Requests = with(r.Requests, name, resource.MustParse(one(d, "4", "8Gi")))
		}
		if d.chance(50) {
			r.Limits = with(r.Limits, name, resource.MustParse(one(d, "4", "16Gi")))
		}
	}
	return r
}

func with(list corev1.ResourceList, name corev1.ResourceName, q resource.Quantity) corev1.ResourceList {
	if list == nil {
		list = corev1.ResourceList{}
	}
	list[name] = q
	return list
}

func (d draw) limitRange(i int) *corev1.LimitRange {
	l := &corev1.LimitRange{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("limits-%d", i), Namespace: "shop"}}
	for range 1 + d.IntN(2) {
		item := corev1.LimitRangeItem{Type: one(d, corev1.LimitTypeContainer, corev1.LimitTypeContainer, corev1.LimitTypePod, corev1.LimitTypePersistentVolumeClaim)}
		lists := []*corev1.ResourceList{&item.Min, &item.Max, &item.MaxLimitRequestRatio}
		if item.Type == corev1.LimitTypeContainer {
			lists = append(lists, &item.Default, &item.DefaultRequest, &item.Default, &item.DefaultRequest)
		}
		for range 1 + d.IntN(2) {
			list, name := one(d, lists...), one[corev1.ResourceName](d, "cpu", "memory", "ephemeral-storage")
			*list = with(*list, name, d.quantity(name))
		}
		l.Spec.Limits = append(l.Spec.Limits, item)
	}
	return l
}

var quotaNames = []corev1.ResourceName{
	"pods", "count/pods", "cpu", "memory", "requests.cpu", "requests.memory", "limits.cpu", "limits.memory",
	"ephemeral-storage", "requests.ephemeral-storage", "limits.ephemeral-storage", "hugepages-2Mi", "requests.hugepages-2Mi",
	"requests.example.com/gpu", "requests.deviceclass.resource.kubernetes.io/gpu", "count/replicasets.apps", "services", "requests.storage",
}

func (d draw) quota(i int) corev1.ResourceQuota {
	q := corev1.ResourceQuota{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("quota-%d", i), Namespace: "shop"}}
	q.Status = corev1.ResourceQuotaStatus{Hard: corev1.ResourceList{}, Used: corev1.ResourceList{}}
	for range 1 + d.IntN(3) {
		name := one(d, quotaNames...)
		q.Status.Hard[name] = resource.MustParse(one(d, "0", "3", "5", "7", "4Gi", "9Gi"))
		if !d.chance(2) {
			q.Status.Used[name] = resource.MustParse(one(d, "0", "1", "2", "500m", "1Gi"))
		}
	}
	q.Spec.Hard = q.Status.Hard.DeepCopy()
	if d.chance(25) {
		q.Spec.Scopes = []corev1.ResourceQuotaScope{one(d, corev1.ResourceQuotaScopeTerminating, corev1.ResourceQuotaScopeNotTerminating,
			corev1.ResourceQuotaScopeBestEffort, corev1.ResourceQuotaScopeNotBestEffort, corev1.ResourceQuotaScopePriorityClass,
			corev1.ResourceQuotaScopeCrossNamespacePodAffinity, "VolumeAttributesClass")}
	}
	if d.chance(15) {
		s := corev1.ScopedResourceSelectorRequirement{ScopeName: corev1.ResourceQuotaScopePriorityClass, Operator: one(d,
			corev1.ScopeSelectorOpIn, corev1.ScopeSelectorOpNotIn, corev1.ScopeSelectorOpExists, corev1.ScopeSelectorOpDoesNotExist)}
		if s.Operator == corev1.ScopeSelectorOpIn || s.Operator == corev1.ScopeSelectorOpNotIn {
			s.Values = []string{"high"}
		}
		q.Spec.ScopeSelector = &corev1.ScopeSelector{MatchExpressions: []corev1.ScopedResourceSelectorRequirement{s}}
	}
	return q
}
