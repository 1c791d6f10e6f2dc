package render

import (
	"fmt"
	"io"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/inference"
)

// ExpectationsDocument is the JSON form of a Report on expectations.
type ExpectationsDocument struct {
	metav1.TypeMeta `json:",inline"`
	*inference.Report
}

// DeepCopyObject makes ExpectationsDocument a runtime.Object. Reports are never
// changed once made, so the copy may share them.
func (d *ExpectationsDocument) DeepCopyObject() runtime.Object { c := *d; return &c }

// NewExpectationsDocument wraps a Report.
func NewExpectationsDocument(r *inference.Report) runtime.Object {
	out := *r
	out.Caveats = decision.List(r.Caveats)
	return &ExpectationsDocument{typeOf("Expectations"), &out}
}

// Expectations writes a Report: what may be waited for, from what that is
// inferred, and what the simulated controller computes.
func Expectations(w io.Writer, r *inference.Report, o Options) error {
	p := newPage(nil, o)
	p.headline(r.Answer)
	p.WriteByte('\n')
	i := r.Inferred
	p.note("THEN", p.ruled(i.Then.Message, i.Then.Rule))
	p.evidenceNotes("LOOK AT", i.Settle, r.Target)
	p.note("INFERRED", p.ruled(i.Verdict.Words()+": "+i.Message, i.Rule))
	p.evidenceNotes("FROM", i.Evidence, r.Target)
	label := "CAN'T TELL"
	for _, c := range i.CantTell {
		p.note(label, p.ruled(c.Message, c.Rule))
		label = ""
	}
	p.note("COMPUTED", computed(r))
	label = "READ BACK"
	for _, b := range r.Computed.Expectations.ReadBack {
		p.note(label, p.ruled(b.Message+" before the next sync", b.Rule))
		label = ""
	}
	p.modelled(r.Modelled, r.AsOf)
	p.d = &decision.Decision{Caveats: r.Caveats}
	p.caveats()
	_, err := io.WriteString(w, p.String())
	return err
}

func (p *page) evidenceNotes(label string, all []decision.Evidence, target decision.Ref) {
	for _, e := range all {
		p.note(label, p.ruled(source(e.Source, target)+": "+e.Message, e.Rule))
		label = ""
	}
}

// computed is what the simulated controller does and what it then waits for.
func computed(r *inference.Report) string {
	text, _, _ := strings.Cut(strings.TrimSuffix(strings.TrimPrefix(r.Computed.Next, r.Target.String()+" "), "."), ". ")
	after := r.Computed.Expectations.After
	if !r.Computed.Pending || after == nil || after.Adds <= 0 && after.Dels <= 0 && after.NewVersions == 0 {
		return text + "; it would then wait for nothing"
	}
	text += "; it would then wait to see " + waits(after)
	if after.ExpiresIn == nil {
		return text + ", with no timeout"
	}
	if after.Expires.IsZero() {
		return fmt.Sprintf("%s, at most %s", text, after.ExpiresIn.Brief())
	}
	return fmt.Sprintf("%s, from %s to %s at most", text, clock(after.Recorded, r.AsOf), clock(after.Expires, r.AsOf))
}

func waits(e *decision.Expectation) string {
	var parts []string
	if e.Adds > 0 {
		parts = append(parts, format.Plural(int(e.Adds), "creation"))
	}
	if e.Dels > 0 {
		parts = append(parts, format.Plural(int(e.Dels), "deletion")+keysOf(e.DeleteKeys, e.PossibleKeys, e.Dels))
	}
	if e.NewVersions > 0 {
		parts = append(parts, format.Plural(int(e.NewVersions), "new version")+keysOf(e.Versions, e.PossibleVersions, e.NewVersions))
	}
	return strings.Join(parts, " and ")
}

// keysOf names what is waited for: what is certain, and of what the rest is.
func keysOf(certain, possible []string, n int64) string {
	if len(possible) > 0 {
		certain = append(slices.Clone(certain), fmt.Sprintf("%d of %s", n-int64(len(certain)), strings.Join(possible, " ")))
	}
	return " (" + strings.Join(certain, ", ") + ")"
}

// Expected are the objects whose writes may be outstanding.
func Expected(reports ...*inference.Report) (objects []decision.Ref) {
	for _, r := range reports {
		for _, write := range r.Inferred.Writes {
			objects = append(objects, write.Object)
		}
	}
	return objects
}
