package render

import (
	"cmp"
	"fmt"
	"io"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/inference"
)

// ExpectationsList is the JSON form of Reports on several objects.
type ExpectationsList struct {
	metav1.TypeMeta `json:",inline"`
	// Items are the answers, one for each object.
	Items []ExpectationsDocument `json:"items"`
	// Failures are the objects about which nothing can be said.
	Failures []string `json:"failures,omitempty"`
}

// DeepCopyObject makes ExpectationsList a runtime.Object.
func (l *ExpectationsList) DeepCopyObject() runtime.Object { c := *l; return &c }

// NewExpectationsList wraps several Reports.
func NewExpectationsList(all []*inference.Report, failures []string) runtime.Object {
	l := &ExpectationsList{TypeMeta: typeOf("ExpectationsList"), Items: []ExpectationsDocument{}, Failures: failures}
	for _, r := range all {
		item := *r
		item.Caveats = decision.List(r.Caveats)
		l.Items = append(l.Items, ExpectationsDocument{typeOf("Expectations"), &item})
	}
	return l
}

// ExpectationsTable writes a row for each Report: what may be outstanding, and what the
// simulated controller would wait for.
func ExpectationsTable(w io.Writer, all []*inference.Report, namespaces bool, o Options) error {
	p := newPage(nil, o)
	header := []string{"NAME", "INFERRED", "CREATIONS", "DELETIONS", "UPDATES", "EXPIRES", "WOULD EXPECT", "BECAUSE"}
	if namespaces {
		header = append([]string{"NAMESPACE"}, header...)
	}
	var rows [][]string
	for _, r := range all {
		i := r.Inferred
		row := []string{
			clean(r.Target.String()), i.Verdict.Words(), ranged(i.Creations), ranged(i.Deletions), ranged(i.Updates),
			expires(i, r.AsOf), wouldExpect(r), clean(i.Message),
		}
		if namespaces {
			row = append([]string{clean(r.Target.Namespace)}, row...)
		}
		rows = append(rows, row)
	}
	g := grid{header: header, rows: rows, name: len(header) - 8, text: len(header) - 1}
	if o.NoHeaders {
		g.header = nil
	}
	if err := p.grid(g); err != nil {
		return err
	}
	if !o.NoHeaders {
		p.WriteByte('\n')
		p.note("INFERRED", "of the real controllers' memory, which can't be read; WOULD EXPECT is computed by the simulated ones")
		var ds []*decision.Decision
		for _, r := range all {
			ds = append(ds, &decision.Decision{Caveats: r.Caveats})
		}
		p.sharedCaveats(ds)
	}
	_, err := io.WriteString(w, p.String())
	return err
}

// ranged is how many writes may be outstanding.
func ranged(r inference.Range) string {
	if r.Min == r.Max {
		return fmt.Sprint(r.Max)
	}
	return fmt.Sprintf("%d to %d", r.Min, r.Max)
}

// expires is how long what is outstanding counts.
func expires(i *inference.Inferred, now time.Time) string {
	switch {
	case i.Verdict != inference.PossiblyPending:
		return "-"
	case i.Expires == nil:
		return cmp.Or(i.Timeout(), "never")
	}
	return "in " + decision.Span(i.Expires.Sub(now)).Brief()
}

// wouldExpect is what the next sync would wait for.
func wouldExpect(r *inference.Report) string {
	after := r.Computed.Expectations.After
	if !r.Computed.Pending || after == nil || after.Adds <= 0 && after.Dels <= 0 && after.NewVersions == 0 {
		return "-"
	}
	var parts []string
	for _, c := range []struct {
		n    int
		what string
	}{{int(after.Adds), "creation"}, {int(after.Dels), "deletion"}, {int(after.NewVersions), "new version"}} {
		if c.n > 0 {
			parts = append(parts, format.Plural(c.n, c.what))
		}
	}
	return format.List(parts)
}
