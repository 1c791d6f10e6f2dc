// Package test holds checks of the project as a whole.
package test

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/kubectl-ctrl/kubectl-ctrl/"

// layers says which packages of ours each one may import. A package that is
// not listed here has no place in the house yet.
var layers = map[string][]string{
	"cmd/kubectl-ctrl":              {"pkg/cli", "plugins"},
	"pkg/cli":                       {"pkg/admission", "pkg/controller", "pkg/decision", "pkg/handlers", "pkg/sanitize", "pkg/inference", "pkg/lease", "pkg/lineage", "pkg/manager", "pkg/orphans", "pkg/trace/entry", "pkg/profile", "pkg/render", "pkg/trace", "pkg/view", "pkg/view/bundle", "pkg/view/live", "pkg/whatif", "pkg/format", "pkg/render/html", "pkg/simulate"},
	"pkg/admission":                 {"pkg/format", "pkg/profile", "pkg/view"},
	"pkg/blockyaml":                 {"pkg/sanitize"},
	"pkg/controller":                {"pkg/core", "pkg/lease", "pkg/manager", "pkg/admission", "pkg/cluster", "pkg/decision", "pkg/handlers", "pkg/health", "pkg/inference", "pkg/lineage", "pkg/ownership", "pkg/profile", "pkg/redact", "pkg/simulate", "pkg/view", "pkg/whatif", "pkg/format"},
	"pkg/core":                      {"pkg/decision", "pkg/handlers", "pkg/trace/entry", "pkg/profile", "pkg/view"},
	"pkg/decision":                  {},
	"pkg/events":                    {},
	"pkg/eviction":                  {"pkg/decision", "pkg/format"},
	"pkg/expectations":              {"pkg/decision"},
	"pkg/handlers":                  {"pkg/decision", "pkg/profile", "pkg/view"},
	"pkg/trace/entry":               {"pkg/decision"},
	"pkg/health":                    {"pkg/admission", "pkg/decision", "pkg/eviction", "pkg/events", "pkg/lease", "pkg/lineage", "pkg/ownership", "pkg/places", "pkg/redact", "pkg/view", "pkg/format"},
	"pkg/inference":                 {"pkg/admission", "pkg/decision", "pkg/expectations", "pkg/ownership", "pkg/view", "pkg/format", "pkg/events", "pkg/lease"},
	"pkg/sanitize":                  {},
	"pkg/lease":                     {"pkg/decision", "pkg/events", "pkg/ownership", "pkg/view", "pkg/format"},
	"pkg/lineage":                   {"pkg/decision", "pkg/ownership", "pkg/view", "pkg/format"},
	"pkg/orphans":                   {"pkg/decision", "pkg/lease", "pkg/lineage", "pkg/ownership", "pkg/selectorindex", "pkg/view", "pkg/format"},
	"pkg/ownership":                 {"pkg/decision", "pkg/selectorindex", "pkg/view", "pkg/format"},
	"pkg/cluster":                   {"pkg/admission", "pkg/decision", "pkg/eviction", "pkg/format", "pkg/events", "pkg/expectations", "pkg/places", "pkg/view"},
	"pkg/manager":                   {},
	"pkg/profile":                   {"pkg/manager"},
	"pkg/places":                    {"pkg/admission"},
	"pkg/podorder":                  {"pkg/decision"},
	"pkg/podtemplate":               {},
	"pkg/ranking":                   {},
	"pkg/render":                    {"pkg/blockyaml", "pkg/manager", "pkg/decision", "pkg/sanitize", "pkg/trace/entry", "pkg/inference", "pkg/lineage", "pkg/orphans", "pkg/format"},
	"pkg/render/html":               {"pkg/decision", "pkg/lineage", "pkg/orphans", "pkg/render", "pkg/format"},
	"pkg/redact":                    {"pkg/manager"},
	"pkg/refmanager":                {"pkg/cluster", "pkg/decision", "pkg/ownership", "pkg/view"},
	"pkg/selectorindex":             {},
	"pkg/simulate":                  {"pkg/admission", "pkg/cluster", "pkg/core", "pkg/decision", "pkg/handlers", "pkg/trace/entry", "pkg/profile", "pkg/view", "pkg/format"},
	"pkg/trace":                     {"pkg/admission", "pkg/core", "pkg/decision", "pkg/expectations", "pkg/handlers", "pkg/manager", "pkg/trace/entry", "pkg/ownership", "pkg/profile", "pkg/view", "pkg/view/bundle", "pkg/view/live", "pkg/controller", "pkg/redact"},
	"pkg/view":                      {},
	"pkg/view/bundle":               {"pkg/blockyaml", "pkg/sanitize", "pkg/redact", "pkg/view", "pkg/format"},
	"pkg/view/live":                 {"pkg/view"},
	"pkg/format":                    {},
	"pkg/whatif":                    {"pkg/decision", "pkg/ownership", "pkg/view"},
	"plugins":                       {"pkg/controller", "plugins/cloneset", "plugins/deployment", "plugins/replicaset", "plugins/statefulset"},
	"plugins/deployment":            {"pkg/selectorindex", "pkg/places", "pkg/podtemplate", "pkg/controller", "pkg/cluster", "pkg/simulate", "pkg/admission", "pkg/redact", "pkg/decision", "pkg/events", "pkg/handlers", "pkg/ownership", "pkg/refmanager", "pkg/profile", "pkg/view", "pkg/whatif", "pkg/health", "pkg/lease", "pkg/format"},
	"plugins/cloneset":              {"pkg/admission", "pkg/cluster", "pkg/controller", "pkg/decision", "pkg/ownership", "pkg/profile", "pkg/redact", "pkg/simulate", "pkg/view", "pkg/format", "plugins/cloneset/answer", "plugins/cloneset/api", "plugins/cloneset/assess", "plugins/cloneset/claim", "plugins/cloneset/contest", "plugins/cloneset/core", "plugins/cloneset/eventhandler", "plugins/cloneset/evidence", "plugins/cloneset/memory", "plugins/cloneset/pubcontrol", "plugins/cloneset/reconcile", "plugins/cloneset/revision", "plugins/cloneset/rounds", "plugins/cloneset/rules", "plugins/cloneset/scale", "plugins/cloneset/status", "plugins/cloneset/update", "plugins/cloneset/webhook", "plugins/kruise", "plugins/kruise/inplace"},
	"plugins/cloneset/answer":       {"pkg/decision", "pkg/lease", "pkg/view", "pkg/format", "plugins/cloneset/rules", "plugins/kruise"},
	"plugins/cloneset/api":          {"pkg/decision", "pkg/ownership", "pkg/view", "pkg/whatif", "pkg/format", "plugins/kruise"},
	"plugins/cloneset/assess":       {"pkg/admission", "pkg/decision", "pkg/events", "pkg/health", "pkg/lease", "pkg/ownership", "pkg/profile", "pkg/view", "plugins/cloneset/answer", "plugins/cloneset/api", "plugins/cloneset/core", "plugins/cloneset/rules", "plugins/cloneset/scale", "plugins/cloneset/status", "plugins/kruise", "plugins/kruise/inplace"},
	"plugins/cloneset/core":         {"pkg/decision", "pkg/profile", "plugins/cloneset/api", "plugins/kruise", "plugins/kruise/inplace"},
	"plugins/cloneset/eventhandler": {"pkg/decision", "pkg/handlers", "pkg/profile", "pkg/view", "plugins/cloneset/core", "plugins/kruise"},
	"plugins/cloneset/order":        {"pkg/decision", "pkg/podorder", "pkg/ranking", "pkg/view", "pkg/format", "plugins/cloneset/api", "plugins/cloneset/core", "plugins/cloneset/rules", "plugins/kruise"},
	"plugins/cloneset/pubcontrol":   {"pkg/selectorindex", "pkg/admission", "pkg/cluster", "pkg/decision", "pkg/ownership", "pkg/view", "plugins/cloneset/api", "plugins/cloneset/core", "plugins/cloneset/rules", "plugins/kruise", "plugins/kruise/inplace"},
	"plugins/cloneset/reconcile":    {"pkg/cluster", "pkg/decision", "pkg/ownership", "pkg/profile", "pkg/view", "pkg/format", "plugins/cloneset/api", "plugins/cloneset/core", "plugins/cloneset/order", "plugins/cloneset/pubcontrol", "plugins/cloneset/revision", "plugins/cloneset/rules", "plugins/kruise", "plugins/kruise/inplace"},
	"plugins/cloneset/revision":     {"pkg/cluster", "pkg/decision", "pkg/profile", "pkg/view", "plugins/cloneset/api", "plugins/cloneset/core", "plugins/cloneset/rules", "plugins/kruise", "plugins/kruise/inplace", "plugins/kruise/template"},
	"plugins/cloneset/rules":        {"pkg/decision", "pkg/lease", "pkg/ownership", "pkg/podorder", "pkg/format", "plugins/cloneset/api", "plugins/kruise", "plugins/kruise/inplace"},
	"plugins/cloneset/scale":        {"pkg/admission", "pkg/cluster", "pkg/decision", "pkg/health", "pkg/ownership", "pkg/ranking", "pkg/view", "pkg/format", "plugins/cloneset/api", "plugins/cloneset/core", "plugins/cloneset/order", "plugins/cloneset/pubcontrol", "plugins/cloneset/reconcile", "plugins/cloneset/revision", "plugins/cloneset/rules", "plugins/kruise", "plugins/kruise/inplace", "plugins/kruise/template"},
	"plugins/cloneset/status":       {"pkg/decision", "pkg/view", "plugins/cloneset/api", "plugins/cloneset/core", "plugins/cloneset/reconcile", "plugins/cloneset/rules"},
	"plugins/cloneset/update":       {"pkg/cluster", "pkg/decision", "pkg/profile", "pkg/view", "pkg/format", "plugins/cloneset/api", "plugins/cloneset/core", "plugins/cloneset/order", "plugins/cloneset/pubcontrol", "plugins/cloneset/reconcile", "plugins/cloneset/revision", "plugins/cloneset/rules", "plugins/kruise", "plugins/kruise/inplace"},
	"plugins/cloneset/webhook":      {"pkg/decision", "pkg/profile", "pkg/view", "pkg/whatif", "plugins/cloneset/api", "plugins/kruise", "plugins/kruise/inplace", "plugins/kruise/template"},
	"plugins/cloneset/claim":        {"pkg/cluster", "pkg/decision", "pkg/ownership", "pkg/view", "pkg/format", "plugins/cloneset/api", "plugins/cloneset/reconcile", "plugins/cloneset/rules", "plugins/kruise"},
	"plugins/cloneset/contest":      {"pkg/decision", "pkg/ownership", "plugins/cloneset/answer"},
	"plugins/cloneset/evidence":     {"pkg/admission", "pkg/decision", "pkg/events", "pkg/lease", "pkg/ownership", "pkg/view", "pkg/format", "plugins/cloneset/contest", "plugins/cloneset/reconcile", "plugins/cloneset/rules", "plugins/kruise"},
	"plugins/cloneset/memory":       {"pkg/ownership", "plugins/kruise/inplace", "pkg/core", "pkg/decision", "pkg/expectations", "pkg/handlers", "pkg/inference", "pkg/profile", "pkg/view", "plugins/cloneset/api", "plugins/cloneset/claim", "plugins/cloneset/core", "plugins/cloneset/reconcile", "plugins/kruise"},
	"plugins/cloneset/rounds":       {"pkg/cluster", "pkg/decision", "pkg/simulate", "pkg/view", "plugins/cloneset/answer", "plugins/cloneset/claim", "plugins/cloneset/core", "plugins/cloneset/reconcile", "plugins/cloneset/rules", "plugins/cloneset/status", "plugins/kruise", "plugins/kruise/inplace"},
	"plugins/kruise":                {"pkg/cluster", "pkg/controller", "pkg/lease", "pkg/manager", "pkg/decision", "pkg/profile", "pkg/view"},
	"plugins/kruise/inplace":        {"pkg/cluster", "pkg/decision", "pkg/profile", "pkg/redact", "pkg/view", "pkg/format", "plugins/kruise", "plugins/kruise/template"},
	"plugins/kruise/template":       {"pkg/profile"},
	"plugins/statefulset":           {"pkg/podtemplate", "pkg/admission", "pkg/cluster", "pkg/controller", "pkg/core", "pkg/decision", "pkg/events", "pkg/expectations", "pkg/format", "pkg/handlers", "pkg/health", "pkg/inference", "pkg/lease", "pkg/ownership", "pkg/refmanager", "pkg/places", "pkg/profile", "pkg/simulate", "pkg/view", "pkg/whatif", "plugins/statefulset/revision", "plugins/statefulset/volume"},
	"plugins/statefulset/revision":  {"pkg/podtemplate", "pkg/profile"},
	"plugins/statefulset/volume":    {},
	"plugins/replicaset":            {"pkg/podtemplate", "pkg/controller", "pkg/whatif", "pkg/core", "pkg/admission", "pkg/redact", "pkg/decision", "pkg/expectations", "pkg/handlers", "pkg/inference", "pkg/ownership", "pkg/refmanager", "pkg/podorder", "pkg/profile", "pkg/ranking", "pkg/view", "pkg/cluster", "pkg/simulate", "pkg/health", "pkg/lease", "pkg/format", "pkg/events"},
}

// only says who alone may import a package of others.
var only = map[string][]string{
	"github.com/olekukonko/tablewriter": {"pkg/render"},
	"github.com/spf13/cobra":            {"pkg/cli"},
	// A trace runs client-go's stores, delta queues and work queues, and no client.
	"k8s.io/client-go/": {"pkg/view/live", "pkg/trace", "cmd/kubectl-ctrl"},
}

type listed struct {
	ImportPath string
	Imports    []string
}

func TestLayers(t *testing.T) {
	for _, p := range listPackages(t) {
		name := strings.TrimPrefix(p.ImportPath, module)
		allowed, known := layers[name]
		if !known {
			t.Errorf("%s has no place in the layers", name)
			continue
		}
		for _, imported := range p.Imports {
			if ours, ok := strings.CutPrefix(imported, module); ok && !slices.Contains(allowed, ours) {
				t.Errorf("%s imports %s, which is not below it", name, ours)
			}
			for prefix, who := range only {
				if strings.HasPrefix(imported, prefix) && !slices.Contains(who, name) {
					t.Errorf("%s imports %s, which only %v may", name, imported, who)
				}
			}
		}
	}
}

func listPackages(t *testing.T) []listed {
	t.Helper()
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports", module+"cmd/...", module+"pkg/...", module+"plugins/...").Output()
	if err != nil {
		t.Fatal(err)
	}
	var all []listed
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listed
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
}
