package bundle

import (
	"sort"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/selection"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// picked is an object that a read covers. It is decoded when it is written.
type picked struct {
	kind *view.Kind
	obj  metav1.Object
	// detail is the most that any read asks for.
	detail view.Detail
}

func (p picked) ref() string { return ref(p.kind.Kind, p.obj.GetNamespace(), p.obj.GetName()) }

func (p picked) metadataOnly() bool { return p.detail == view.Metadata || !full(p.obj) }

// pick lists the objects that successful reads cover, by kind, namespace and
// name.
func pick(v *view.View, reads []view.Read) []picked {
	var all []picked
	for _, kind := range view.Kinds() {
		queries := queriesFor(kind, reads)
		if len(queries) == 0 {
			continue
		}
		for _, obj := range v.AllMetadata(kind) {
			asked := obj
			if kind.Kind == view.Events.Kind {
				asked = view.Decoded(obj) // queries look at more than its metadata
			}
			if detail, ok := covering(queries, asked); ok {
				all = append(all, picked{&kind, obj, detail})
			}
		}
	}
	// View.AllMetadata is ordered within a kind already.
	sort.SliceStable(all, func(i, j int) bool { return all[i].kind.Kind < all[j].kind.Kind })
	return all
}

// query is a successful read with its selectors parsed.
type query struct {
	view.Need
	labels labels.Selector
	fields fields.Selector
}

func queriesFor(kind view.Kind, reads []view.Read) []query {
	var out []query
	for _, r := range reads {
		if r.Err == nil && r.Kind.GroupKind() == kind.GroupKind() {
			out = append(out, newQuery(r.Need))
		}
	}
	return out
}

// newQuery parses the need's selectors. One that does not parse selects
// everything: too much in a bundle is better than too little.
func newQuery(n view.Need) query {
	q := query{n, labels.Everything(), fields.Everything()}
	if sel, err := labels.Parse(n.Selector); err == nil {
		q.labels = sel
	}
	if sel, err := fields.ParseSelector(n.Fields); err == nil {
		q.fields = sel
	}
	return q
}

// covering is the most that any query asks for obj, if one does.
func covering(queries []query, obj metav1.Object) (detail view.Detail, ok bool) {
	for _, q := range queries {
		if q.covers(obj) {
			detail, ok = max(detail, q.Detail), true
		}
	}
	return detail, ok
}

func (q query) covers(obj metav1.Object) bool {
	return (q.Namespace == "" || q.Namespace == obj.GetNamespace()) &&
		(q.Name == "" || q.Name == obj.GetName()) &&
		q.labels.Matches(labels.Set(obj.GetLabels())) &&
		q.matchesFields(obj)
}

// matchesFields evaluates the fields that can be: those of metadata, and of an
// Event's involved object. Others were the server's to evaluate, and let
// everything pass.
func (q query) matchesFields(obj metav1.Object) bool {
	for _, r := range q.fields.Requirements() {
		have, known := fieldOf(obj, r.Field)
		if known && (have == r.Value) == (r.Operator == selection.NotEquals) {
			return false
		}
	}
	return true
}

func fieldOf(obj metav1.Object, field string) (value string, known bool) {
	switch field {
	case "metadata.name":
		return obj.GetName(), true
	case "metadata.namespace":
		return obj.GetNamespace(), true
	}
	event, ok := obj.(*corev1.Event)
	if !ok {
		return "", false
	}
	involved := map[string]string{
		"involvedObject.kind":            event.InvolvedObject.Kind,
		"involvedObject.namespace":       event.InvolvedObject.Namespace,
		"involvedObject.name":            event.InvolvedObject.Name,
		"involvedObject.uid":             string(event.InvolvedObject.UID),
		"involvedObject.apiVersion":      event.InvolvedObject.APIVersion,
		"involvedObject.resourceVersion": event.InvolvedObject.ResourceVersion,
		"involvedObject.fieldPath":       event.InvolvedObject.FieldPath,
		"reason":                         event.Reason,
		"type":                           event.Type,
	}
	value, known = involved[field]
	return value, known
}
