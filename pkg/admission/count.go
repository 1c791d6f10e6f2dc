package admission

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// countEvaluator mirrors objectCountEvaluator (apiserver/pkg/quota/v1/generic/
// evaluator.go, v0.37.1): objects of most kinds are only counted, by quotas
// without scopes.
type countEvaluator struct{ resource corev1.ResourceName }

// ReviewCount reports how many objects of a resource the quotas take.
func (ns Namespace) ReviewCount(of schema.GroupResource) Verdict {
	return ns.quotas(countEvaluator{corev1.ResourceName("count/" + of.String())})
}

func (e countEvaluator) counts(name corev1.ResourceName) bool { return name == e.resource }

func (e countEvaluator) matches(q *corev1.ResourceQuota) match {
	_, enforced := q.Status.Hard[e.resource]
	_, asked := q.Spec.Hard[e.resource]
	return surely((enforced || asked) && len(scopes(q)) == 0)
}

func (e countEvaluator) missing([]corev1.ResourceName) string { return "" }
func (e countEvaluator) unread([]corev1.ResourceName) string  { return "" }

func (e countEvaluator) usage() corev1.ResourceList {
	return corev1.ResourceList{e.resource: *resource.NewQuantity(1, resource.DecimalSI)}
}

func (e countEvaluator) demanded(_ Namespace, q *corev1.ResourceQuota, d view.Demand) corev1.ResourceList {
	if !e.counts(corev1.ResourceName("count/"+d.Resource.String())) || !e.matches(q).is {
		return nil
	}
	return times(e.usage(), d.Count)
}
