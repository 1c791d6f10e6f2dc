package admission

import (
	"errors"
	"sort"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/resourcequota"
	quota "k8s.io/apiserver/pkg/quota/v1"
	"k8s.io/apiserver/pkg/quota/v1/generic"
	podutil "k8s.io/kubernetes/pkg/api/pod"
	api "k8s.io/kubernetes/pkg/apis/core"
	corev1conv "k8s.io/kubernetes/pkg/apis/core/v1"
	"k8s.io/kubernetes/pkg/apis/core/validation"
	"k8s.io/kubernetes/pkg/quota/v1/evaluator/core"
	"k8s.io/kubernetes/plugin/pkg/admission/limitranger"
	"k8s.io/utils/clock"
)

func (r *Request) answer(late func(*api.Pod)) (*Answer, error) {
	if r.Count != "" {
		of := schema.ParseGroupResource(r.Count)
		set := &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "new"}}
		return r.charge(set, of, generic.NewObjectCountEvaluator(of, nil, ""))
	}
	pod, err := r.mutate(late)
	if err != nil {
		return nil, err
	}
	opts := podutil.GetValidationOptionsFromPodSpecAndMeta(&pod.Spec, nil, &pod.ObjectMeta, nil)
	if all := validation.ValidatePodCreate(pod, opts); len(all) > 0 {
		var said []string
		for _, e := range all {
			said = append(said, e.Error())
		}
		sort.Strings(said)
		return &Answer{Stage: "invalid", Errors: said}, nil
	}
	for _, l := range r.LimitRanges {
		if err := limitranger.PodValidateLimitFunc(l, pod); err != nil {
			return &Answer{Stage: "limits", Errors: flat(err)}, nil
		}
	}
	return r.charge(pod, corev1.Resource("pods"), core.NewPodEvaluator(nil, clock.RealClock{}))
}

// mutate takes the Pod as far as the API server's registry.
func (r *Request) mutate(late func(*api.Pod)) (*api.Pod, error) {
	corev1conv.SetObjectDefaults_Pod(r.Pod)
	pod := &api.Pod{}
	if err := corev1conv.Convert_v1_Pod_To_core_Pod(r.Pod, pod, nil); err != nil {
		return nil, err
	}
	for _, l := range r.LimitRanges {
		if err := limitranger.PodMutateLimitFunc(l, pod); err != nil {
			return nil, err
		}
	}
	if late != nil {
		late(pod)
	}
	return pod, nil
}

func flat(err error) []string {
	var all utilerrors.Aggregate
	said := []string{err.Error()}
	if errors.As(err, &all) {
		said = nil
		for _, e := range all.Errors() {
			said = append(said, e.Error())
		}
	}
	sort.Strings(said)
	return said
}

// charge creates the object until a quota refuses it.
func (r *Request) charge(obj runtime.Object, of schema.GroupResource, e quota.Evaluator) (*Answer, error) {
	quotas := r.Quotas
	a := admission.NewAttributesRecord(obj, nil, schema.GroupVersionKind{}, "shop", "new", of.WithVersion("v1"), "", admission.Create, &metav1.CreateOptions{}, false, nil)
	for n := range r.Tries {
		next, err := resourcequota.CheckRequest(quotas, a, e, nil)
		if err != nil {
			return &Answer{Accepted: n, Stage: "quota", Errors: []string{err.Error()}}, nil
		}
		quotas = next
	}
	return &Answer{Accepted: r.Tries}, nil
}
