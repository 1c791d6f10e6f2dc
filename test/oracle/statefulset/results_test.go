package statefulset

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/statefulset"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle"
)

// result is one version's share of the report. Rules, Traits and Requests count the
// states with each.
type result struct {
	Version    string         `json:"version"`
	States     int            `json:"states"`
	Syncs      int            `json:"syncs"`
	Mismatches int            `json:"mismatches"`
	Rules      map[string]int `json:"rules"`
	Traits     map[string]int `json:"traits"`
	Requests   map[string]int `json:"requests"`
}

// report collects what the tests found, for $ORACLE_REPORT.
type report struct {
	mu  sync.Mutex
	all []result
}

var results report

func (r *report) add(one result) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.all = append(r.all, one)
}

// sorted are the results by version, and the rules in catalogue order.
func (r *report) sorted() any {
	slices.SortFunc(r.all, func(a, b result) int { return strings.Compare(a.Version, b.Version) })
	return map[string]any{"versions": r.all, "rules": statefulset.Rules.IDs(), "beyond": beyond("")}
}

func TestMain(m *testing.M) { oracle.RunAndSave(m, results.sorted) }
