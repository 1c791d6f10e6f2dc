package render

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/orphans"
)

// OrphansDocument is the JSON form of a Report about orphans.
type OrphansDocument struct {
	metav1.TypeMeta `json:",inline"`
	// Context is the context of the kubeconfig that it is about, with --contexts.
	Context string `json:"context,omitempty"`
	*orphans.Report
}

// OrphansList is the JSON form of Reports about several contexts.
type OrphansList struct {
	metav1.TypeMeta `json:",inline"`
	// Items are the answers, one for each context.
	Items []OrphansDocument `json:"items"`
	// Failures are the contexts that did not answer.
	Failures []Failure `json:"failures,omitempty"`
}

// DeepCopyObject makes OrphansDocument a runtime.Object. Reports are never
// changed once made, so the copy may share them.
func (d *OrphansDocument) DeepCopyObject() runtime.Object { c := *d; return &c }

// DeepCopyObject makes OrphansList a runtime.Object.
func (l *OrphansList) DeepCopyObject() runtime.Object { c := *l; return &c }

// NewOrphansDocument wraps a Report.
func NewOrphansDocument(rep *orphans.Report) *OrphansDocument {
	out := *rep
	out.Caveats = decision.List(rep.Caveats)
	return &OrphansDocument{TypeMeta: typeOf("Orphans"), Report: &out}
}

// NewPlacedOrphans wraps what several contexts answered.
func NewPlacedOrphans(all []PlacedReport, failed []Failure) runtime.Object {
	l := &OrphansList{TypeMeta: typeOf("OrphansList"), Items: []OrphansDocument{}, Failures: failed}
	for _, one := range all {
		item := NewOrphansDocument(one.Report)
		item.Context = one.Context
		l.Items = append(l.Items, *item)
	}
	return l
}
