package statefulset

import (
	"cmp"
	"fmt"
	"strconv"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/whatif"
)

// whatIfFields are those that changeFields knows.
var whatIfFields = []string{whatif.Replicas, whatif.Image, whatif.Partition, whatif.MaxUnavailable}

// changeFields is obj with other fields, as the API server would store it after one change, and
// what that changes. Errors: values that a StatefulSet can't have.
func changeFields(obj metav1.Object, f whatif.Fields) (metav1.Object, []decision.Change, error) {
	set, ok := obj.(*appsv1.StatefulSet)
	if !ok {
		return nil, nil, fmt.Errorf("a %T is no StatefulSet", obj)
	}
	e := edit{set: withDefaults(set.DeepCopy())}
	if f.Replicas != nil {
		if *f.Replicas != *e.set.Spec.Replicas {
			e.changes = append(e.changes, decision.Rescaled(ownership.RefTo(view.StatefulSets, e.set), int64(*e.set.Spec.Replicas), int64(*f.Replicas)))
		}
		e.set.Spec.Replicas = f.Replicas
	}
	e.images(f)
	if f.Partition != nil {
		e.partition(*f.Partition)
	}
	if f.MaxUnavailable != nil {
		e.maxUnavailable(*f.MaxUnavailable)
	}
	if e.err != nil {
		return nil, nil, e.err
	}
	if len(e.changes) > 0 {
		e.set.Generation++
	}
	return e.set, e.changes, nil
}

// edit changes a copy of a StatefulSet and notes what it changed.
type edit struct {
	set     *appsv1.StatefulSet
	changes []decision.Change
	err     error
}

func (e *edit) note(path, from, to string) {
	if from != to {
		e.changes = append(e.changes, decision.Change{Object: ownership.RefTo(view.StatefulSets, e.set), Path: path, From: from, To: to})
	}
}

func (e *edit) images(f whatif.Fields) {
	changes, err := f.SetImages(ownership.RefTo(view.StatefulSets, e.set), whatif.ContainersOf(&e.set.Spec.Template.Spec))
	e.changes, e.err = append(e.changes, changes...), cmp.Or(e.err, err)
}

// rolling is the update strategy, if it is RollingUpdate.
func (e *edit) rolling(flag string) *appsv1.RollingUpdateStatefulSetStrategy {
	u := e.set.Spec.UpdateStrategy
	if u.RollingUpdate == nil {
		e.err = fmt.Errorf("--%s is of the strategy RollingUpdate, and spec.updateStrategy.type is %s", flag, u.Type)
	}
	return u.RollingUpdate
}

func (e *edit) partition(text string) {
	u := e.rolling(whatif.Partition)
	if u == nil {
		return
	}
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil || n < 0 {
		e.err = fmt.Errorf("--partition %s: the partition of a StatefulSet is a number, such as 2", text)
		return
	}
	e.note("spec.updateStrategy.rollingUpdate.partition", fmt.Sprint(*u.Partition), fmt.Sprint(n))
	u.Partition = new(int32(n))
}

func (e *edit) maxUnavailable(text string) {
	u := e.rolling(whatif.MaxUnavailable)
	if u == nil {
		return
	}
	next := intstr.Parse(text)
	n, err := intstr.GetScaledValueFromIntOrPercent(&next, 100, true)
	if err != nil || n < 1 || n > 100 && next.Type == intstr.String {
		e.err = fmt.Errorf("--max-unavailable %s: want a number from 1, or a percentage up to 100%%", text)
		return
	}
	from := "unset"
	if u.MaxUnavailable != nil {
		from = u.MaxUnavailable.String()
	}
	e.note("spec.updateStrategy.rollingUpdate.maxUnavailable", from, next.String())
	u.MaxUnavailable = &next
}
