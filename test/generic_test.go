package test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// knowers are the files of generic code that may name a modelled controller's kind,
// program or rule, with the reason.
var knowers = map[string]string{
	"pkg/admission/budget.go":          "the API server asks Kruise's webhook before a Pod is evicted or deleted",
	"pkg/cli/manifests.go":             "manifests and triages say which kinds of workloads are not modelled",
	"pkg/cluster/launch.go":            "the kubelet starts containers late that wait for Kruise's barrier",
	"pkg/cluster/pods.go":              "a gate that Kruise's controllers open is not the kubelet's to open",
	"pkg/cluster/rules.go":             "that is a rule of the model cluster",
	"pkg/handlers/rules.go":            "it explains the branches of all handlers that are modelled",
	"pkg/health/creations.go":          "NamespaceTerminating is a cause of the API server, and a rule of ReplicaSets",
	"pkg/health/grace.go":              "it lists that cause",
	"pkg/inference/rules.go":           "controllers whose expectations never expire are Kruise's",
	"pkg/inference/rules_evidence.go":  "so is what ends with a restart",
	"pkg/orphans/find.go":              "it lists the kinds that orphans are looked for among",
	"pkg/orphans/history.go":           "it reads how many revisions their owners keep",
	"pkg/orphans/known.go":             "what owners of several kinds do to Pods is known without a plugin",
	"pkg/orphans/known_kruise.go":      "so it is of Kruise's",
	"pkg/orphans/leftbehind.go":        "volume claims that a CloneSet uses again are no orphans",
	"pkg/orphans/orphan.go":            "ReplicaSets without an owner are told apart by revision",
	"pkg/orphans/ordinals.go":          "nor are those beyond the replicas of a StatefulSet",
	"pkg/orphans/overlap.go":           "Pods and ReplicaSets are adopted by selector",
	"pkg/orphans/owned.go":             "Pods and ReplicaSets are released by selector",
	"pkg/orphans/rules.go":             "it explains which kinds use revisions and claims",
	"pkg/ownership/adopters.go":        "it lists which kinds adopt which",
	"pkg/ownership/adopters_kruise.go": "it lists which of Kruise's kinds adopt Pods",
	"pkg/ownership/claimers.go":        "it lists which kinds own which, for all kinds that Kubernetes and Kruise have",
	"pkg/ownership/claimers_kruise.go": "it lists which of Kruise's kinds own which",
	"pkg/ownership/rules_kinds.go":     "it explains how kinds differ in what they claim",
	"pkg/trace/act.go":                 "of what is owned, ReplicaSets alone are scaled",
	"pkg/trace/rules.go":               "it explains the evidence of all controllers that are traced",
	"pkg/view/bundle/latest.go":        "the newest instant of an object stands in fields of its Go type",
	"pkg/view/bundle/reference.go":     "many of a kind are held weakly where they are of its Go type",
	"pkg/view/kind.go":                 "the kinds are defined there",
	"pkg/view/later.go":                "CloneSets of Kruise after 1.9 are brought into the form of their own version",
	"pkg/view/managed.go":              "it lists the Go types whose status a modelled controller writes",
}

// TestGenericCodeKnowsNoController: what a controller differs by, it says of itself.
// Comments, and citations of upstream, may name what they like.
func TestGenericCodeKnowsNoController(t *testing.T) {
	found, rules := map[string]bool{}, pluginRules(t)
	err := filepath.WalkDir("../pkg", func(path string, e fs.DirEntry, err error) error {
		name := filepath.ToSlash(strings.TrimPrefix(path, "../"))
		if err != nil || e.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return err
		}
		for _, known := range knownTo(t, path, rules) {
			found[name] = true
			if knowers[name] == "" {
				t.Errorf("%s knows %s", name, known)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for name := range knowers {
		if !found[name] {
			t.Errorf("%s knows no controller any more: take it off the list", name)
		}
	}
}

// The names of modelled controllers: of their kinds in Go, of the types of these, of what is theirs alone
// wherever it stands, and of their kinds and labels as a text of their own.
var (
	kindNames  = regexp.MustCompile(`^(ReplicaSets|ReplicationControllers|Deployments|StatefulSets|CloneSets)$`)
	goTypes    = regexp.MustCompile(`^(ReplicaSet|Deployment|StatefulSet)(Spec|Status|List)?$`)
	theirs     = regexp.MustCompile(`(?i)kruise|cloneset`)
	wholeNames = regexp.MustCompile(`^(InPlaceUpdateReady|ReplicaSet|ReplicationController|Deployment|StatefulSet|pod-template-hash|controller-revision-hash|deployment\.kubernetes\.io/.*|statefulset\.kubernetes\.io/.*)$`)
	citation   = regexp.MustCompile(`\.go\b|\(Kruise v|^(openkruise/)?kruise `)
)

// knownTo lists what a file knows of modelled controllers.
func knownTo(t *testing.T, path string, rules map[string]bool) (known []string) {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, path, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	add := func(n ast.Node, what string) { known = append(known, fset.Position(n.Pos()).String()+": "+what) }
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			pkg, ok := n.X.(*ast.Ident)
			if ok && pkg.Name == "view" && kindNames.MatchString(n.Sel.Name) || ok && pkg.Name == "appsv1" && goTypes.MatchString(n.Sel.Name) {
				add(n, pkg.Name+"."+n.Sel.Name)
			}
		case *ast.Ident:
			if theirs.MatchString(n.Name) && !kindNames.MatchString(n.Name) || f.Name.Name == "view" && kindNames.MatchString(n.Name) {
				add(n, n.Name)
			}
		case *ast.BasicLit:
			text, err := strconv.Unquote(n.Value)
			switch {
			case err != nil, n.Kind != token.STRING, citation.MatchString(text), strings.Contains(text, "%[1]s"): // examples of help
			case theirs.MatchString(text), wholeNames.MatchString(text), strings.Contains(text, "kubectl-ctrl/plugins"), rules[text]:
				add(n, n.Value)
			}
		}
		return true
	})
	return known
}

// pluginRules are the IDs of rules that plugins have for themselves: those that generic
// code has as well are shared.
func pluginRules(t *testing.T) map[string]bool {
	t.Helper()
	named := regexp.MustCompile(`\b(?:ID: +|(?:step|uidStep|podRule|passes)\()([A-Z]\w+),`)
	ids := func(root string) (all []string) {
		err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			text, err := os.ReadFile(path)
			for _, m := range named.FindAllStringSubmatch(string(text), -1) {
				all = append(all, m[1])
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	rules, shared := map[string]bool{}, ids("../pkg")
	for _, id := range ids("../plugins") {
		rules[id] = !slices.Contains(shared, id)
	}
	if len(rules) < 100 {
		t.Fatalf("%d rules of plugins were found", len(rules))
	}
	return rules
}
