package oracle

import (
	"slices"
	"strings"
	"sync"
	"testing"
)

// Compared is what one test compared with one version of upstream.
type Compared struct {
	// Version is that of Kubernetes, or kruise-1.9.
	Version string `json:"version"`
	// Count is how many steps or events, Differences how many sequences of them
	// came out otherwise.
	Count       int `json:"count"`
	Differences int `json:"differences"`
}

// Tally collects what the tests of a package compared.
type Tally struct {
	mu  sync.Mutex
	all []Compared
}

// Add may be called from parallel tests.
func (t *Tally) Add(c Compared) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.all = append(t.all, c)
}

// Run is a TestMain that saves the tally.
func (t *Tally) Run(m *testing.M) { RunAndSave(m, t.sorted) }

func (t *Tally) sorted() any {
	slices.SortFunc(t.all, func(a, b Compared) int { return strings.Compare(a.Version, b.Version) })
	return t.all
}
