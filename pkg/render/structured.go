package render

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// GroupVersion is the version of the JSON form.
var GroupVersion = schema.GroupVersion{Group: "kubectl-ctrl.github.io", Version: "v1alpha2"}

// The kinds of documents.
const (
	ExplanationKind = "Explanation"
	PlanKind        = "Plan"
)

// Document is the JSON form of a Decision. It is a runtime.Object so that
// kubectl's own printers take it.
type Document struct {
	metav1.TypeMeta `json:",inline"`
	// Context is the context of the kubeconfig that it is about, with --contexts.
	Context string `json:"context,omitempty"`
	*decision.Decision
}

// DocumentList is the JSON form of several Decisions.
type DocumentList struct {
	metav1.TypeMeta `json:",inline"`
	// Items are the answers, one for each object.
	Items []Document `json:"items"`
	// Failures are the objects without an answer, and with --contexts the contexts that did
	// not answer, or not to everything.
	Failures []Failure `json:"failures,omitempty"`
}

// DeepCopyObject makes Document a runtime.Object. Decisions are never changed
// once made, so the copy may share them.
func (d *Document) DeepCopyObject() runtime.Object { c := *d; return &c }

// DeepCopyObject makes DocumentList a runtime.Object.
func (l *DocumentList) DeepCopyObject() runtime.Object { c := *l; return &c }

// NewDocument wraps one Decision.
func NewDocument(kind string, d *decision.Decision) *Document {
	return &Document{TypeMeta: typeOf(kind), Decision: d.Listed()}
}

// NewDocumentList wraps Decisions, and what there is none about.
func NewDocumentList(kind string, ds []*decision.Decision, failed []Failure) *DocumentList {
	list := &DocumentList{TypeMeta: typeOf(kind + "List"), Items: []Document{}, Failures: failed}
	for _, d := range ds {
		list.Items = append(list.Items, *NewDocument(kind, d))
	}
	return list
}

// NewPlacedList wraps what several contexts answered.
func NewPlacedList(kind string, all []Placed, failed []Failure) *DocumentList {
	list := &DocumentList{TypeMeta: typeOf(kind + "List"), Items: []Document{}, Failures: failed}
	for _, one := range all {
		item := NewDocument(kind, one.Decision)
		item.Context = one.Context
		list.Items = append(list.Items, *item)
	}
	return list
}

//go:noinline // a call is shorter than what it does
func typeOf(kind string) metav1.TypeMeta {
	return metav1.TypeMeta{APIVersion: GroupVersion.String(), Kind: kind}
}
