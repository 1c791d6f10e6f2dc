package webhook

import (
	"fmt"
	"math"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/whatif"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/api"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise/inplace"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise/template"
)

// Refuse is the answer to an object that Kruise's validating webhook, or the API
// server before it, would not let be stored, nil to one that they would. old is nil for a new object. Of Pod
// templates it knows what users most often get wrong
// (pkg/webhook/cloneset/validating/validation.go, v1.9.1 and v1.8.3).
func Refuse(r *view.Reader, p profile.Profile, obj, old metav1.Object) (*decision.Decision, error) {
	u, ok := obj.(*unstructured.Unstructured)
	if !ok {
		return nil, fmt.Errorf("a %T is no CloneSet", obj)
	}
	set, err := api.Read(u)
	if err != nil {
		return nil, err
	}
	v := &validation{r: r, obj: obj, spec: &set.Spec}
	k := kruise.Installed(r, p)
	v.version = k.Version
	if n := v.spec.Replicas; n != nil && *n < 0 { // no webhook is asked then
		v.refuse("replicas", "%d is less than 0", *n)
		return v.answer(set, k, "API server"), nil
	}
	if v.unknown(u, old); len(v.found) > 0 {
		return v.answer(set, k, "API server"), nil
	}
	if before, ok := old.(*unstructured.Unstructured); ok {
		was, err := api.Read(before)
		if err != nil {
			return nil, err
		}
		v.old = &was.Spec
		v.update(set, was)
	}
	v.all()
	if len(v.found) == 0 {
		return nil, nil
	}
	return v.answer(set, k, "webhook"), nil
}

type validation struct {
	r         *view.Reader
	version   profile.Version
	obj       metav1.Object
	spec, old *api.Spec
	found     []string
}

func (v *validation) answer(set *api.Set, k profile.Installed, by string) *decision.Decision {
	return &decision.Decision{
		Target: set.Ref, AsOf: v.r.Now(), Modelled: kruise.Modelled("CloneSet controller", k), Refused: v.found, Actions: []decision.Action{}, Claims: []decision.Claim{},
		Answer: fmt.Sprintf("%s would be refused by the %s: %s.", set.Ref, by, v.found[0]),
	}
}

//go:noinline
func (v *validation) refuse(path, format string, args ...any) {
	v.found = append(v.found, "spec."+path+": "+fmt.Sprintf(format, args...))
}

// unknown are the fields that CloneSets do not have: kubectl asks the API server to refuse
// them. Those of templates are left alone, whose schema keeps what it does not know.
func (v *validation) unknown(obj *unstructured.Unstructured, old metav1.Object) {
	var before []string
	if o, ok := old.(*unstructured.Unstructured); ok {
		before = unknownFields(o)
	}
	for _, said := range unknownFields(obj) {
		if !slices.Contains(before, said) {
			v.found = append(v.found, said)
		}
	}
}

func unknownFields(obj *unstructured.Unstructured) (all []string) {
	spec, _, _ := unstructured.NestedMap(obj.Object, "spec")
	delete(spec, "template")
	delete(spec, "volumeClaimTemplates")
	var like struct {
		Spec api.Spec `json:"spec"`
	}
	err := runtime.DefaultUnstructuredConverter.FromUnstructuredWithValidation(map[string]any{"spec": spec}, &like, true)
	if wrong, ok := runtime.AsStrictDecodingError(err); ok {
		for _, one := range wrong.Errors() {
			all = append(all, one.Error())
		}
	}
	return all
}

// mutable are the fields of a spec that may change.
var mutable = []string{
	"replicas", "template", "lifecycle", "scaleStrategy", "updateStrategy", "minReadySeconds",
	"progressDeadlineSeconds", "volumeClaimTemplates", "revisionHistoryLimit",
}

// update mirrors validateCloneSetUpdate. Fields that this tool does not know
// belong to releases that it does not know: they are left out.
func (v *validation) update(set, old *api.Set) {
	if !equality.Semantic.DeepEqual(v.spec.Selector, v.old.Selector) {
		v.refuse("selector", "can't be changed; of a CloneSet only %s can", strings.Join(mutable, ", "))
	}
	if v.spec.UpdateStrategy.Type != api.InPlaceOnly {
		return
	}
	before, _ := template.Known(old.TemplateFields(), v.version)
	after, _ := template.Known(set.TemplateFields(), v.version)
	for _, op := range inplace.Difference(before.Fields, after.Fields) {
		if strings.HasPrefix(op.Path, "/spec/") && (op.Kind != "replace" || !inplace.ImagePath.MatchString(op.Path)) {
			v.refuse("template", "with type InPlaceOnly only images can be changed, not %s %s", op.Kind, op.Path)
			return
		}
	}
}

// template mirrors what ValidatePodTemplateSpec of Kubernetes' own validation, which the
// webhook calls, says of a template that is new, with a volume for each claim template.
func (v *validation) template() {
	if v.old != nil && equality.Semantic.DeepEqual(v.old.Template, v.spec.Template) && equality.Semantic.DeepEqual(v.old.VolumeClaimTemplates, v.spec.VolumeClaimTemplates) {
		return // as stored, even where files hold it in part
	}
	var claims []string
	for i := range v.spec.VolumeClaimTemplates {
		claims = append(claims, v.spec.VolumeClaimTemplates[i].Name)
	}
	v.found = append(v.found, whatif.RefusedTemplate(&v.spec.Template, claims)...)
}

func (v *validation) all() {
	if v.selector(); len(v.found) == 0 {
		v.template()
	}
	if policy := v.spec.Template.Spec.RestartPolicy; policy != "" && policy != corev1.RestartPolicyAlways {
		v.refuse("template.spec.restartPolicy", "%q is not Always", policy)
	}
	if v.spec.Template.Spec.ActiveDeadlineSeconds != nil {
		v.refuse("template.spec.activeDeadlineSeconds", "a CloneSet's Pods can't have one")
	}
	v.podsToDelete()
	v.strategy()
	if v.spec.ProgressDeadlineSeconds != nil && v.version.AtLeast(9, 0) {
		v.deadline(*v.spec.ProgressDeadlineSeconds)
	}
}

func (v *validation) deadline(seconds int32) {
	if seconds < 0 {
		v.refuse("progressDeadlineSeconds", "%d is less than 0", seconds)
	}
	if seconds != math.MaxInt32 && seconds <= v.spec.MinReadySeconds {
		v.refuse("progressDeadlineSeconds", "%d is not greater than minReadySeconds %d", seconds, v.spec.MinReadySeconds)
	}
}

// selector: what is stored was let pass, even where files hold it in part.
func (v *validation) selector() {
	if v.old != nil && equality.Semantic.DeepEqual(v.old.Selector, v.spec.Selector) &&
		equality.Semantic.DeepEqual(v.old.Template.Labels, v.spec.Template.Labels) {
		return
	}
	selector, err := metav1.LabelSelectorAsSelector(v.spec.Selector)
	switch {
	case err != nil:
		v.refuse("selector", "%v", err)
	case v.spec.Selector == nil:
		v.refuse("selector", "is missing")
	case selector.Empty():
		v.refuse("selector", "is empty")
	case !selector.Matches(labels.Set(v.spec.Template.Labels)):
		v.refuse("template.metadata.labels", "%s do not match spec.selector %s", labels.Set(v.spec.Template.Labels), selector)
	}
}

// podsToDelete: pods that were named before are not looked at again.
func (v *validation) podsToDelete() {
	var known []string
	if v.old != nil {
		known = v.old.ScaleStrategy.PodsToDelete
	}
	for i, name := range v.spec.ScaleStrategy.PodsToDelete {
		switch {
		case slices.Contains(v.spec.ScaleStrategy.PodsToDelete[:i], name):
			v.refuse("scaleStrategy.podsToDelete", "%s is named twice", name)
		case !slices.Contains(known, name):
			v.podToDelete(name)
		}
	}
}

func (v *validation) podToDelete(name string) {
	need := view.Need{
		Kind: view.Pods, Namespace: v.obj.GetNamespace(), Name: name,
		IfMissing: "whether the webhook lets it be named for deletion is not known",
	}
	pod, ok := view.Get[*corev1.Pod](v.r, need)
	need.Detail = view.Full
	switch ref := controllerOf(pod, ok); {
	case v.r.Err(need) != nil:
	case !ok:
		v.refuse("scaleStrategy.podsToDelete", "there is no Pod %s", name)
	case pod.DeletionTimestamp != nil:
		v.refuse("scaleStrategy.podsToDelete", "Pod %s is terminating already", name)
	case ref == nil || ref.UID != v.obj.GetUID():
		v.refuse("scaleStrategy.podsToDelete", "Pod %s is not controlled by this CloneSet", name)
	}
}

func controllerOf(pod *corev1.Pod, ok bool) *metav1.OwnerReference {
	if !ok {
		return nil
	}
	return metav1.GetControllerOfNoCopy(pod)
}

func (v *validation) strategy() {
	s := v.spec.UpdateStrategy
	replicas := 1
	if v.spec.Replicas != nil {
		replicas = int(*v.spec.Replicas)
	}
	if t := s.Type; t != "" && t != api.Recreate && t != api.InPlaceIfPossible && t != api.InPlaceOnly {
		v.refuse("updateStrategy.type", "%q is none of %s, %s, %s", t, api.Recreate, api.InPlaceIfPossible, api.InPlaceOnly)
	}
	if n := v.number("partition", s.Partition, replicas, true); n < 0 {
		v.refuse("updateStrategy.partition", "%s is less than 0", s.Partition.String())
	}
	v.order(s)
	decimals := v.version.AtLeast(9, 0)
	unavailable := v.number("maxUnavailable", api.OrDefault(s.MaxUnavailable, intstr.FromString("20%")), replicas, decimals)
	surge := v.number("maxSurge", s.MaxSurge, replicas, decimals)
	if s.Type == api.InPlaceOnly && surge > 0 {
		v.refuse("updateStrategy.maxSurge", "type InPlaceOnly allows none")
	}
	if replicas > 0 && unavailable < 1 && surge < 1 {
		v.refuse("updateStrategy.maxUnavailable", "one of maxUnavailable and maxSurge has to be at least 1")
	}
}

// number is a number or a percentage, rounded up. Without decimals it mirrors
// GetValueFromIntOrPercent of apimachinery, which takes "5" for five percent.
func (v *validation) number(field string, value *intstr.IntOrString, total int, decimals bool) int {
	if value == nil {
		return 0
	}
	if value.Type == intstr.Int {
		return value.IntValue()
	}
	if !decimals {
		n, ok := api.Percent(value, total, true)
		if !ok {
			v.refuse("updateStrategy."+field, "%q is no whole number of percent", value.StrVal)
		}
		return n
	}
	n, ok := api.PercentUp(*value, total)
	if !ok {
		v.refuse("updateStrategy."+field, "%q is neither a number nor a percentage", value.StrVal)
	}
	return n
}

// order mirrors FieldsValidation of apis/apps/pub/update_priority.go and
// apis/apps/v1alpha1/scatter_strategy.go.
func (v *validation) order(s api.UpdateStrategy) {
	if s.PriorityStrategy != nil {
		v.priority(*s.PriorityStrategy)
	}
	for i, t := range s.ScatterStrategy {
		if t.Key == "" {
			v.refuse("updateStrategy.scatterStrategy", "a key is empty")
		}
		if slices.Contains(s.ScatterStrategy[:i], t) {
			v.refuse("updateStrategy.scatterStrategy", "%s=%s is given twice", t.Key, t.Value)
		}
	}
}

func (v *validation) priority(p api.PriorityStrategy) {
	const field = "updateStrategy.priorityStrategy"
	if len(p.WeightPriority) > 0 && len(p.OrderPriority) > 0 {
		v.refuse(field, "weightPriority and orderPriority exclude each other")
	}
	for _, w := range p.WeightPriority {
		if w.Weight < 0 || w.Weight > 100 {
			v.refuse(field, "weight %d is not from 0 to 100", w.Weight)
		}
		if len(w.MatchSelector.MatchLabels)+len(w.MatchSelector.MatchExpressions) == 0 {
			v.refuse(field, "a weight's matchSelector is empty")
		}
		if _, err := metav1.LabelSelectorAsSelector(&w.MatchSelector); err != nil {
			v.refuse(field, "a weight's matchSelector: %v", err)
		}
	}
	for _, o := range p.OrderPriority {
		if o.OrderedKey == "" {
			v.refuse(field, "an orderedKey is empty")
		}
	}
}
