package trace

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/controller"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// managers keeps who wrote when.
func managers(all []metav1.ManagedFieldsEntry) []metav1.ManagedFieldsEntry {
	out := slices.Clone(all)
	for i := range out {
		out[i].FieldsV1 = nil
	}
	return out
}

// writerOf is the manager that last wrote anything but the status.
func writerOf(obj metav1.Object) string {
	var newest *metav1.ManagedFieldsEntry
	all := obj.GetManagedFields()
	for i := range all {
		e := &all[i]
		if e.Subresource == "status" || e.Time == nil {
			continue
		}
		if newest == nil || newest.Time.Before(e.Time) {
			newest = e
		}
	}
	if newest == nil {
		return ""
	}
	return newest.Manager
}

// scalerOf is the manager that last set spec.replicas.
func scalerOf(obj metav1.Object) string {
	if by := view.Scalers(obj); len(by) > 0 {
		return by[0] + " (subresource scale)"
	}
	return writerOf(obj)
}

// podLabels are those that controllers write on Pods that are there, by the kind
// of the owner.
type podLabels map[string]podWrites

// podWrites are the labels, and whether they are taken away and containers changed, too.
type podWrites struct {
	labels  []string
	inPlace bool
}

func labelsOf(controllers []controller.Running) podLabels {
	written := podLabels{}
	for _, c := range controllers {
		if a := c.Agent; len(a.PodLabels) > 0 {
			written[c.Kind.Kind] = podWrites{a.PodLabels, a.InPlace}
		}
	}
	return written
}

// of are those of the owner of a Pod.
func (w podLabels) of(pod metav1.Object) (podWrites, bool) {
	ref := metav1.GetControllerOfNoCopy(pod)
	if ref == nil {
		return podWrites{}, false
	}
	writes, ok := w[ref.Kind]
	return writes, ok
}

// madeBy are the kinds of what controllers create, delete and scale.
func madeBy(controllers []controller.Running) map[schema.GroupKind]bool {
	made := map[schema.GroupKind]bool{}
	for _, c := range controllers {
		for _, k := range append(slices.Clone(c.Scales), c.Makes()) {
			made[k.GroupKind()] = true
		}
	}
	return made
}

// labelWriters keeps who wrote the labels that a Pod's controller writes: whoever
// set a value last owns the field.
func labelWriters(all []metav1.ManagedFieldsEntry, written []string) []metav1.ManagedFieldsEntry {
	var out []metav1.ManagedFieldsEntry
	for _, m := range all {
		if m.FieldsV1 == nil || m.Subresource != "" {
			continue
		}
		var labels []string
		for _, label := range written {
			if field := fieldOf(label); bytes.Contains(m.FieldsV1.GetRawBytes(), []byte(field)) {
				labels = append(labels, field)
			}
		}
		if len(labels) > 0 {
			m.FieldsV1 = metav1.NewFieldsV1(`{"f:metadata":{"f:labels":{` + strings.Join(labels, ",") + `}}}`)
			out = append(out, m)
		}
	}
	return out
}

func fieldOf(label string) string { return strconv.Quote("f:"+label) + ":{}" }

// labelWriter is who set a label of a Pod, empty where that is not
// known, as of a label that was taken away.
func labelWriter(obj metav1.Object, label string) string {
	for _, m := range obj.GetManagedFields() {
		if label != "" && m.FieldsV1 != nil && bytes.Contains(m.FieldsV1.GetRawBytes(), []byte(fieldOf(label))) {
			return m.Manager
		}
	}
	return ""
}
