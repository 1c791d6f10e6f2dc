package whatif

import (
	"fmt"
	"slices"
	"strings"

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

// Workload is what the API server validates of an object that has replicas and a Pod
// template, as the controller of its kind declares it.
type Workload struct {
	Replicas *int32
	Selector *metav1.LabelSelector
	// Template is nil where a kind may have none.
	Template *corev1.PodTemplateSpec
	// Ends: its Pods are to end by themselves, as those of Jobs are.
	Ends bool
	// Fixed are the paths of the fields that can't be changed.
	Fixed []string
	// Claims are the names of claim templates: each is a volume of the Pods.
	Claims []string
	// Spec validates what else the kind has; nil for nothing.
	Spec func(*Validation)
}

// refuse is the error of an object that the API server would not store. changes is empty
// for a new one. The API server refuses more; --dry-run=server asks it.
func (m Manifest) refuse(obj metav1.Object, changes []decision.Change) error {
	if m.Validated == nil {
		return nil
	}
	w := m.Validated(obj)
	if w == nil {
		return nil
	}
	if w.Replicas != nil && *w.Replicas < 0 {
		return fmt.Errorf("%s: spec.replicas %d: the API server refuses less than 0", m, *w.Replicas)
	}
	for _, c := range changes {
		if i := slices.IndexFunc(w.Fixed, func(path string) bool { return within(c.Path, path) }); i >= 0 {
			how := "delete and create the object instead"
			if !w.Ends && w.Fixed[i] != "spec.selector" {
				how = "delete the object with --cascade=orphan, which keeps its Pods, and create it instead"
			}
			return fmt.Errorf("%s: %s: %s → %s: the API server refuses to change the %s; %s", m, c.Path, c.From, c.To, strings.TrimPrefix(w.Fixed[i], "spec."), how)
		}
	}
	if len(changes) == 0 || touches(changes, "spec.template.metadata.labels") || touches(changes, "spec.selector") {
		if err := m.refuseSelector(w); err != nil {
			return err
		}
	} // else as stored, even where files hold it in part
	return m.refuseFields(w, changes)
}

func (m Manifest) refuseFields(w *Workload, changes []decision.Change) error {
	err := Refused(changes, func(v *Validation) {
		v.name(m.Name)
		if w.Spec != nil {
			w.Spec(v)
		}
		if w.Template != nil {
			v.template(w)
		}
	})
	if err != nil {
		return fmt.Errorf("%s: %w", m, err)
	}
	return nil
}

// Refused is the error of changes, or of a new object where there are none, in which
// check finds what the API server refuses.
func Refused(changes []decision.Change, check func(*Validation)) error {
	v := &Validation{changes: changes}
	check(v)
	if len(v.found) == 0 {
		return nil
	}
	return fmt.Errorf("%s: the API server refuses that", strings.Join(v.found, "; "))
}

func (m Manifest) refuseSelector(w *Workload) error {
	selector, err := metav1.LabelSelectorAsSelector(w.Selector)
	switch {
	case err != nil:
		return fmt.Errorf("%s: spec.selector: %w", m, err)
	case selector.Empty() || w.Selector == nil:
		return fmt.Errorf("%s: spec.selector is missing or empty: the API server refuses that", m)
	case !selector.Matches(labels.Set(w.labels())):
		return fmt.Errorf("%s: spec.template.metadata.labels (%s) do not match spec.selector (%s): the API server refuses that", m, labels.Set(w.labels()), selector)
	}
	return nil
}

func (w *Workload) labels() map[string]string {
	if w.Template == nil {
		return nil
	}
	return w.Template.Labels
}
