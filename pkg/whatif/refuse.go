package whatif

import (
	"fmt"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/serializer"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

var strict = serializer.NewCodecFactory(view.Scheme, serializer.EnableStrict)

// Check finds fields that the kind does not have, and those given twice: a
// misspelt field would change nothing, and the answer would look as if it did.
func (m Manifest) Check() error {
	if !m.Kind.Typed() {
		return nil
	}
	_, _, err := strict.UniversalDeserializer().Decode(m.JSON, &m.Kind.GroupVersionKind, nil)
	if err != nil {
		return fmt.Errorf("%s: %s", m, strings.TrimPrefix(err.Error(), "strict decoding error: "))
	}
	return nil
}

// setDefaults does what the API server does to a new object, as far as it
// changes a decision.
func setDefaults(obj metav1.Object) {
	if rc, ok := obj.(*corev1.ReplicationController); ok && len(rc.Spec.Selector) == 0 && rc.Spec.Template != nil {
		rc.Spec.Selector = rc.Spec.Template.Labels
	}
}

// refuse is the error of an object that the API server would not store
// (pkg/apis/apps/validation ValidateReplicaSetSpec and ValidateDeploymentSpec,
// pkg/apis/core/validation ValidateReplicationControllerSpec, v1.37.1). changes is empty
// for a new one. The API server refuses more; --dry-run=server asks it.
func (m Manifest) refuse(obj metav1.Object, changes []decision.Change) error {
	s, ok := scalableOf(obj)
	if !ok {
		return nil
	}
	if s.replicas != nil && *s.replicas < 0 {
		return fmt.Errorf("%s: spec.replicas %d: the API server refuses less than 0", m, *s.replicas)
	}
	for _, c := range changes {
		if i := slices.IndexFunc(s.fixed, func(path string) bool { return within(c.Path, path) }); i >= 0 {
			return fmt.Errorf("%s: %s: %s → %s: the API server refuses to change the %s; delete and create the object instead", m, c.Path, c.From, c.To, strings.TrimPrefix(s.fixed[i], "spec."))
		}
	}
	if len(changes) == 0 || touches(changes, "spec.template.metadata.labels") || touches(changes, "spec.selector") {
		if err := m.refuseSelector(s); err != nil {
			return err
		}
	} // else as stored, even where files hold it in part
	return m.refuseFields(obj, s, changes)
}

func (m Manifest) refuseFields(obj metav1.Object, s scalable, changes []decision.Change) error {
	f := &fields{changes: changes}
	f.name(m.Name)
	if d, ok := obj.(*appsv1.Deployment); ok {
		f.deployment(&d.Spec)
	}
	if set, ok := obj.(*appsv1.StatefulSet); ok {
		f.statefulSet(&set.Spec)
	}
	if rs, ok := obj.(*appsv1.ReplicaSet); ok {
		f.least("spec.minReadySeconds", rs.Spec.MinReadySeconds)
	}
	if s.template != nil {
		f.template(s.template, s.claims)
	}
	if len(f.found) == 0 {
		return nil
	}
	return fmt.Errorf("%s: %s: the API server refuses that", m, strings.Join(f.found, "; "))
}

func (m Manifest) refuseSelector(s scalable) error {
	selector, err := metav1.LabelSelectorAsSelector(s.selector)
	switch {
	case err != nil:
		return fmt.Errorf("%s: spec.selector: %w", m, err)
	case selector.Empty() || s.selector == nil:
		return fmt.Errorf("%s: spec.selector is missing or empty: the API server refuses that", m)
	case !selector.Matches(labels.Set(s.labels())):
		return fmt.Errorf("%s: spec.template.metadata.labels (%s) do not match spec.selector (%s): the API server refuses that", m, labels.Set(s.labels()), selector)
	}
	return nil
}

// scalable is what is validated of workloads.
type scalable struct {
	replicas *int32
	selector *metav1.LabelSelector
	// template is nil where a ReplicationController has none.
	template *corev1.PodTemplateSpec
	// fixed are the fields that can't be changed.
	fixed []string
	// claims are the names of claim templates: each is a volume of the Pods.
	claims []string
}

// The fields that can't be changed (ValidateDeploymentUpdate and ValidateReplicaSetUpdate in
// pkg/registry, ValidateStatefulSetUpdate in pkg/apis/apps/validation, v1.37.1).
var (
	fixedSelector = []string{"spec.selector"}
	fixedOfSets   = []string{"spec.selector", "spec.volumeClaimTemplates", "spec.serviceName", "spec.podManagementPolicy"}
)

func (s scalable) labels() map[string]string {
	if s.template == nil {
		return nil
	}
	return s.template.Labels
}

func scalableOf(obj metav1.Object) (scalable, bool) {
	switch o := obj.(type) {
	case *appsv1.Deployment:
		return scalable{o.Spec.Replicas, o.Spec.Selector, &o.Spec.Template, fixedSelector, nil}, true
	case *appsv1.ReplicaSet:
		return scalable{o.Spec.Replicas, o.Spec.Selector, &o.Spec.Template, fixedSelector, nil}, true
	case *appsv1.StatefulSet:
		var claims []string
		for i := range o.Spec.VolumeClaimTemplates {
			claims = append(claims, o.Spec.VolumeClaimTemplates[i].Name)
		}
		return scalable{o.Spec.Replicas, o.Spec.Selector, &o.Spec.Template, fixedOfSets, claims}, true
	case *corev1.ReplicationController:
		return scalable{o.Spec.Replicas, &metav1.LabelSelector{MatchLabels: o.Spec.Selector}, o.Spec.Template, nil, nil}, true
	}
	return scalable{}, false
}
