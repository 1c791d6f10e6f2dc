package clusterdsl

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

func init() { kruise["pub"] = (*object).addBudget }

// addBudget is a PodUnavailableBudget:
//
//	pub  web allowed=1 current=4 desired=3 total=4 unavailable=a,b disrupted=c guards=DELETE
//
// for=name has it select that CloneSet by reference, selector= pods by labels;
// max= and min= are maxUnavailable and minAvailable.
func (o *object) addBudget(b *view.Builder) error {
	status, spec := map[string]any{}, map[string]any{}
	for word, field := range map[string]string{"allowed": "unavailableAllowed", "current": "currentAvailable", "desired": "desiredAvailable", "total": "totalReplicas"} {
		if v, ok := o.take(word); ok {
			status[field] = number(v)
		}
	}
	for word, field := range map[string]string{"unavailable": "unavailablePods", "disrupted": "disruptedPods"} {
		if v, ok := o.take(word); ok {
			status[field] = o.records(v)
		}
	}
	if v, ok := o.take("for"); ok {
		spec["targetRef"] = map[string]any{"apiVersion": view.CloneSets.GroupVersion().String(), "kind": view.CloneSets.Kind, "name": v}
	}
	if sel := o.selector(); sel != nil {
		spec["selector"] = plain(sel)
	}
	for word, field := range map[string]string{"max": "maxUnavailable", "min": "minAvailable"} {
		if v, ok := o.take(word); ok {
			spec[field] = number(v)
		}
	}
	u := &unstructured.Unstructured{Object: map[string]any{"spec": spec, "status": status}}
	u.SetGroupVersionKind(view.PodUnavailableBudgets.GroupVersionKind)
	u.SetName(o.Name)
	u.SetNamespace(o.Namespace)
	u.SetUID(o.UID)
	if v, ok := o.take("guards"); ok {
		u.SetAnnotations(map[string]string{"kruise.io/pub-protect-operations": v})
	}
	b.Add(view.PodUnavailableBudgets, u)
	return nil
}

// addAutoscaler is a HorizontalPodAutoscaler of a Deployment:
//
//	hpa  web for=web min=2 max=6 asked=4
func (o *object) addAutoscaler(b *view.Builder) error {
	target, _ := o.take("for")
	spec := map[string]any{"scaleTargetRef": map[string]any{"apiVersion": view.Deployments.GroupVersion().String(), "kind": view.Deployments.Kind, "name": target}}
	for word, field := range map[string]string{"min": "minReplicas", "max": "maxReplicas"} {
		if v, ok := o.take(word); ok {
			spec[field] = number(v)
		}
	}
	status := map[string]any{}
	if v, ok := o.take("asked"); ok {
		status["desiredReplicas"] = number(v)
	}
	u := &unstructured.Unstructured{Object: map[string]any{"spec": spec, "status": status}}
	u.SetGroupVersionKind(view.HorizontalPodAutoscalers.GroupVersionKind)
	u.SetName(o.Name)
	u.SetNamespace(o.Namespace)
	u.SetUID(o.UID)
	b.Add(view.HorizontalPodAutoscalers, u)
	return nil
}

// budgetAnnotations reads pub= for the pod's budget, and waived.
func (o *object) budgetAnnotations() {
	annotations := map[string]string{}
	if v, ok := o.take("pub"); ok {
		annotations["kruise.io/related-pub"] = v
	}
	if o.taken("waived") {
		annotations["pub.kruise.io/no-protect"] = "true"
	}
	for key, value := range annotations {
		if o.Annotations == nil {
			o.Annotations = map[string]string{}
		}
		o.Annotations[key] = value
	}
}

// records reads names with the age of each record, 0s unless given, as a@5s,b;
// ×2001 stands for so many other pods.
func (o *object) records(text string) map[string]any {
	out := map[string]any{}
	for one := range strings.SplitSeq(text, ",") {
		name, age, dated := strings.Cut(one, "@")
		if o.words["since"] = age; !dated {
			o.words["since"] = "0s"
		}
		at := o.ago("since", 0).UTC().Format("2006-01-02T15:04:05Z")
		n, many := strings.CutPrefix(name, "×")
		if !many {
			out[name] = at
			continue
		}
		count, _ := number(n).(int64)
		for i := range count {
			out[fmt.Sprintf("other-%d", i)] = at
		}
	}
	return out
}
