package deployment

import (
	"fmt"
	"math"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/utils/ptr"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/podtemplate"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// kinds are the kinds that this plugin decides.
var kinds = []view.Kind{view.Deployments}

// load reads the target. What it returns is the sync's own copy. A Deployment
// without a selector is an error: upstream would not survive it
// (CloneSelectorAndAddLabel), and has never met one.
func load(r *view.Reader, t view.Target) (*appsv1.Deployment, error) {
	need := view.Need{Kind: t.Kind, Namespace: t.Namespace, Name: t.Name, Detail: view.Full}
	d, found := view.Get[*appsv1.Deployment](r, need)
	if err := r.Err(need); err != nil {
		return nil, err
	}
	if !found {
		return nil, &view.NotFound{Target: t}
	}
	if d.Spec.Selector == nil {
		return nil, fmt.Errorf("%s has no spec.selector, without which the API server stores none: is the file cut short?", ownership.RefTo(t.Kind, d).Qualified())
	}
	d = withDefaults(d.DeepCopy())
	ref := ownership.RefTo(t.Kind, d)
	if err := decision.NotNegative(ref, "spec.replicas", *d.Spec.Replicas); err != nil {
		return nil, err
	}
	return d, decision.NotNegative(ref, "spec.revisionHistoryLimit", *d.Spec.RevisionHistoryLimit)
}

// withDefaults fills what the API server always fills and files may lack
// (pkg/apis/apps/v1/defaults.go SetDefaults_Deployment, v1.37.1).
func withDefaults(d *appsv1.Deployment) *appsv1.Deployment {
	s := &d.Spec
	setDefault(&s.Replicas, 1)
	setDefault(&s.RevisionHistoryLimit, 10)
	setDefault(&s.ProgressDeadlineSeconds, 600)
	if s.Strategy.Type == "" {
		s.Strategy.Type = appsv1.RollingUpdateDeploymentStrategyType
	}
	if s.Strategy.Type == appsv1.RollingUpdateDeploymentStrategyType {
		if s.Strategy.RollingUpdate == nil {
			s.Strategy.RollingUpdate = &appsv1.RollingUpdateDeployment{}
		}
		setDefault(&s.Strategy.RollingUpdate.MaxSurge, intstr.FromString("25%"))
		setDefault(&s.Strategy.RollingUpdate.MaxUnavailable, intstr.FromString("25%"))
	}
	return d
}

// complete fills a new Deployment as the API server does, and a changed one where the one
// before is.
func complete(obj, old metav1.Object) {
	d, ok := obj.(*appsv1.Deployment)
	before, changes := old.(*appsv1.Deployment)
	switch {
	case !ok:
		return
	case !changes:
		podtemplate.Default(&withDefaults(d).Spec.Template)
		return
	}
	if equality.Semantic.DeepEqual(withDefaults(before.DeepCopy()).Spec, before.Spec) {
		withDefaults(d)
	}
	podtemplate.Complete(&d.Spec.Template, &before.Spec.Template)
}

func setDefault[T any](field **T, value T) {
	if *field == nil {
		*field = new(value)
	}
}

// hasDeadline mirrors HasProgressDeadline of util/deployment_util.go (v1.37.1).
func hasDeadline(d *appsv1.Deployment) bool {
	return *d.Spec.ProgressDeadlineSeconds != math.MaxInt32
}

// hasHistoryLimit mirrors HasRevisionHistoryLimit (same file).
func hasHistoryLimit(d *appsv1.Deployment) bool {
	return *d.Spec.RevisionHistoryLimit != math.MaxInt32
}

func isRolling(d *appsv1.Deployment) bool {
	return d.Spec.Strategy.Type == appsv1.RollingUpdateDeploymentStrategyType
}

// replicasOf is spec.replicas of a set; files may lack the default.
func replicasOf(rs *appsv1.ReplicaSet) int32 { return ptr.Deref(rs.Spec.Replicas, 1) }
