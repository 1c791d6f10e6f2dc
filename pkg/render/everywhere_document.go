package render

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/orphans"
)

// PlacedDocument is the JSON form of a Decision in one of several contexts.
type PlacedDocument struct {
	metav1.TypeMeta `json:",inline"`
	Context         string `json:"context"`
	*decision.Decision
}

// PlacedList is the JSON form of Decisions in several contexts.
type PlacedList struct {
	metav1.TypeMeta `json:",inline"`
	Items           []PlacedDocument `json:"items"`
	// Failures are the contexts that did not answer to everything.
	Failures []Failure `json:"failures,omitempty"`
}

// DeepCopyObject makes PlacedList a runtime.Object. Answers are never changed
// once made, so the copy may share them.
func (l *PlacedList) DeepCopyObject() runtime.Object { c := *l; return &c }

// NewPlacedList wraps what several contexts answered.
func NewPlacedList(kind string, all []Placed, failed []Failure) runtime.Object {
	l := &PlacedList{TypeMeta: typeOf(kind + "List"), Items: []PlacedDocument{}, Failures: failed}
	for _, one := range all {
		l.Items = append(l.Items, PlacedDocument{typeOf(kind), one.Context, one.Decision})
	}
	return l
}

// PlacedOrphansDocument is the JSON form of a Report about one of several
// contexts.
type PlacedOrphansDocument struct {
	metav1.TypeMeta `json:",inline"`
	Context         string `json:"context"`
	*orphans.Report
}

// PlacedOrphansList is the JSON form of Reports about several contexts.
type PlacedOrphansList struct {
	metav1.TypeMeta `json:",inline"`
	Items           []PlacedOrphansDocument `json:"items"`
	// Failures are the contexts that did not answer.
	Failures []Failure `json:"failures,omitempty"`
}

// DeepCopyObject makes PlacedOrphansList a runtime.Object.
func (l *PlacedOrphansList) DeepCopyObject() runtime.Object { c := *l; return &c }

// NewPlacedOrphans wraps what several contexts answered.
func NewPlacedOrphans(all []PlacedReport, failed []Failure) runtime.Object {
	l := &PlacedOrphansList{TypeMeta: typeOf("OrphansList"), Items: []PlacedOrphansDocument{}, Failures: failed}
	for _, one := range all {
		l.Items = append(l.Items, PlacedOrphansDocument{typeOf("Orphans"), one.Context, one.Report})
	}
	return l
}
