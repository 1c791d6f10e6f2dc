package render

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/orphans"
)

// OrphansDocument is the JSON form of a Report about orphans.
type OrphansDocument struct {
	metav1.TypeMeta `json:",inline"`
	*orphans.Report
}

// DeepCopyObject makes OrphansDocument a runtime.Object. Reports are never
// changed once made, so the copy may share them.
func (d *OrphansDocument) DeepCopyObject() runtime.Object { c := *d; return &c }

// NewOrphansDocument wraps a Report.
func NewOrphansDocument(rep *orphans.Report) runtime.Object {
	return &OrphansDocument{typeOf("Orphans"), rep}
}
