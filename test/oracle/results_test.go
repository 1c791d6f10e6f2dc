package oracle

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/replicaset"
)

// summary is one version's share of the report.
type summary struct {
	*Result
	// Comparisons and Claims are the checks of the comparator and of the claim
	// table alone.
	Comparisons int `json:"comparisons"`
	Claims      int `json:"claims"`
	// Deciders are pairs of Pods whose deciding trait was put to the proof.
	Deciders int `json:"deciders"`
}

// report collects what the tests found, for $ORACLE_REPORT.
type report struct {
	mu       sync.Mutex
	versions map[string]*summary
}

var results = report{versions: map[string]*summary{}}

// of is the summary of a version; each of its fields has one writer.
func (r *report) of(version string) *summary {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.versions[version] == nil {
		r.versions[version] = &summary{Result: &Result{Version: version}}
	}
	return r.versions[version]
}

// sorted are the summaries by version, and the rules in catalogue order.
func (r *report) sorted() any {
	all := make([]*summary, 0, len(r.versions))
	for _, s := range r.versions {
		all = append(all, s)
	}
	slices.SortFunc(all, func(a, b *summary) int { return strings.Compare(a.Version, b.Version) })
	rules := make([]string, 0, len(replicaset.Rules))
	for _, rule := range replicaset.Rules {
		rules = append(rules, rule.ID)
	}
	return map[string]any{"versions": all, "rules": rules, "beyond": beyond}
}

func TestMain(m *testing.M) { RunAndSave(m, results.sorted) }
