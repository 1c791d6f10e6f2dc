package cli

import (
	"io"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/inference"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/render"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// allExpectations answers on one View about all targets, those first that may wait.
func (s *session) allExpectations(v *view.View) (reply, []*view.Reader, error) {
	lister := v.Reader()
	readers := []*view.Reader{lister}
	aims, err := s.aims(lister)
	if err == nil && len(aims) == 0 && !s.pick.allNamespaces {
		_, err = s.noNamespace(lister, s.namespace)
	}
	if err != nil {
		return nil, readers, err
	}
	all := expectationsTable{namespaces: s.pick.allNamespaces || s.files && s.namespace == ""}
	for _, a := range aims {
		report, used, err := s.expected(v, lister, a)
		readers = append(readers, used...)
		if err != nil {
			all.failed = append(all.failed, err)
			continue
		}
		all.reports = append(all.reports, report)
	}
	if len(all.reports) == 0 && len(all.failed) > 0 {
		return nil, readers, all.failed
	}
	slices.SortStableFunc(all.reports, func(a, b *inference.Report) int { return waits(b) - waits(a) })
	return all, readers, nil
}

// waits is 1 for a report of something that may be waited for.
func waits(r *inference.Report) int {
	if (expectationsReply{r}).pending() {
		return 1
	}
	return 0
}

// expectationsTable prints several Reports.
type expectationsTable struct {
	reports    []*inference.Report
	failed     failures
	namespaces bool
}

func (a expectationsTable) human(w io.Writer, o render.Options) error {
	if len(a.reports) == 0 {
		_, err := io.WriteString(w, "Nothing found whose controller keeps expectations.\n")
		return err
	}
	return render.ExpectationsTable(w, a.reports, a.namespaces, o)
}

func (a expectationsTable) names(w io.Writer) error {
	return objectNames(w, render.Expected(a.reports...))
}

func (a expectationsTable) document() runtime.Object {
	var failed []string
	for _, err := range a.failed {
		failed = append(failed, err.Error())
	}
	return render.NewExpectationsList(a.reports, failed)
}

func (a expectationsTable) caveats() (all []decision.Caveat) {
	for _, err := range a.failed {
		all = append(all, decision.Caveat{Code: "NotDecided", Message: err.Error(), Partial: true})
	}
	for _, r := range a.reports {
		all = append(all, r.Caveats...)
	}
	return all
}

func (a expectationsTable) pending() bool {
	return slices.ContainsFunc(a.reports, func(r *inference.Report) bool { return waits(r) > 0 })
}

// turns is when the first of them changes.
func (a expectationsTable) turns() (first *time.Time) {
	for _, r := range a.reports {
		if at := r.Inferred.Turns; at != nil && (first == nil || at.Before(*first)) {
			first = at
		}
	}
	return first
}

func (a expectationsTable) gist() string {
	var all []string
	for _, r := range a.reports {
		all = append(all, r.Target.Namespace+"/"+r.Target.String()+" "+expectationsReply{r}.gist())
	}
	for _, err := range a.failed {
		all = append(all, err.Error())
	}
	return strings.Join(all, "\n")
}
