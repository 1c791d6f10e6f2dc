package fuzz

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"k8s.io/cli-runtime/pkg/genericiooptions"
	"k8s.io/utils/clock"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cli"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins"
)

// runs are names that a shell would run, expand or take for a flag.
var runs = []string{
	"x$(touch owned)", "x`touch owned`", "x;touch${IFS}owned", "x|sh", "x&", "a b", "a*b", "a?b", "a[bc]d", "{a,b}", "~root", "!!", "#x",
	`a"b`, "a'b", `a\b`, "<in", ">out", "--kubeconfig=owned", "-o", "a\tb", "a%2fb", "../../etc", "x$HOME", "x\u00a0y", "x\u202ey", strings.Repeat("x", 2000),
}

// TestNothingThatAShellRunsIsOffered presses the tab key after every command and
// every flag, with words before it that repeat what a shell would run. Every
// name comes from a file, a server and a kubeconfig that hold such names.
func TestNothingThatAShellRunsIsOffered(t *testing.T) {
	t.Setenv("KUBECACHEDIR", t.TempDir())
	server := httptest.NewServer(http.HandlerFunc(serveNames))
	t.Cleanup(server.Close)
	config := namesInKubeconfig(t, server.URL)
	file := filepath.Join(t.TempDir(), "names.json")
	if err := os.WriteFile(file, namesInFile(t), 0o600); err != nil {
		t.Fatal(err)
	}
	offered := map[string][]string{}
	for _, c := range completions() {
		words := complete(t, slices.Insert(slices.Clone(c.words), c.commands, "--kubeconfig", config))
		offered["server"] = append(offered["server"], words...)
		if c.files {
			words := complete(t, slices.Insert(slices.Clone(c.words), c.commands, "--kubeconfig", config, "--from", file))
			offered["file"] = append(offered["file"], words...)
		}
	}
	// What is harmless is still offered, from everywhere.
	for source, want := range map[string][]string{
		"server": {"web-1", "rs/web-1", "pod/web-1", "team@corp/prod:443", "replicasets", "all", "NotReadyFirst", "PodDeletionCost=true"},
		"file":   {"web-1", "rs/web-1", "pod/web-1", "shop", "widgets", "widgets/web-1"},
	} {
		for _, word := range want {
			if !slices.Contains(offered[source], word) {
				t.Errorf("%s: %q is not offered", source, word)
			}
		}
	}
}

// harmless is what may be offered; a description does not follow.
var harmless = regexp.MustCompile(`^[A-Za-z0-9._:/@=][A-Za-z0-9._:/@=+-]*$`)

// complete presses the tab key after words, checks every word that is offered,
// and returns them.
func complete(t *testing.T, words []string) []string {
	t.Helper()
	a := ask(strings.NewReader(""), 0, append([]string{"__completeNoDesc"}, words...)...)
	lines := strings.Split(strings.TrimSuffix(a.stdout, "\n"), "\n")
	if last := lines[len(lines)-1]; !strings.HasPrefix(last, ":") {
		t.Fatalf("%q: the last line is %q", words, last)
	}
	offered := lines[:len(lines)-1]
	for _, word := range offered {
		if flag := strings.HasPrefix(word, "-"); flag && strings.HasPrefix(words[len(words)-1], "-") {
			continue // cobra's own flags
		}
		if !harmless.MatchString(word) || len(word) > 1024 {
			t.Errorf("%q offers %q", words, word)
		}
	}
	return offered
}

// completion is a place to press the tab key: after words, of which the first
// ones name the command.
type completion struct {
	words    []string
	commands int
	files    bool // the command reads files
}

// completions walks the commands. After each come arguments, and every flag's
// value.
func completions() []completion {
	root := cli.New(cli.Env{
		Controllers: plugins.All(),
		IOStreams:   genericiooptions.IOStreams{In: strings.NewReader(""), Out: &bytes.Buffer{}, ErrOut: &bytes.Buffer{}},
		Clock:       clock.RealClock{}, Getenv: func(string) string { return "" }, Width: func() int { return 0 }, Name: "kubectl-ctrl",
	})
	var all []completion
	walk(root, nil, func(cmd *cobra.Command, path []string) {
		files := cmd.Flag("from") != nil
		add := func(words ...string) { all = append(all, completion{slices.Concat(path, words), len(path), files}) }
		if cmd.HasParent() {
			for _, args := range arguments() {
				add(args...)
			}
		}
		visit := func(f *pflag.Flag) {
			add("--"+f.Name, "")
			add("--" + f.Name + "=")
			add("rs/web-1", "--"+f.Name, "x$(touch owned)")
		}
		cmd.NonInheritedFlags().VisitAll(visit)
		if namespace := cmd.InheritedFlags().Lookup("namespace"); namespace != nil {
			visit(namespace) // the only one that reads what the command reads
		}
	})
	return all
}

func walk(cmd *cobra.Command, path []string, visit func(*cobra.Command, []string)) {
	visit(cmd, path)
	for _, sub := range cmd.Commands() {
		walk(sub, append(slices.Clone(path), sub.Name()), visit)
	}
}

// arguments are what may stand before the tab key.
func arguments() [][]string {
	all := [][]string{{""}}
	for _, kind := range []string{"rs", "pod", "widgets", "widgets.x.example", "clusterroles"} {
		all = append(all, []string{kind + "/"}, []string{kind, ""}, []string{kind + "/a", kind + "/"}, []string{kind, "a", ""})
	}
	for _, evil := range runs[:3] {
		all = append(all, []string{evil}, []string{evil + "/"}, []string{"rs/" + evil}, []string{evil, ""})
	}
	return all
}

// hostileNames are objects of a kind: one with a good name, and those that a shell
// would run. Their namespaces are such names as well.
func hostileNames(apiVersion, kind string) []any {
	items := []any{object{"apiVersion": apiVersion, "kind": kind, "metadata": object{"name": "web-1", "namespace": "shop", "uid": "web-1", "creationTimestamp": "2026-11-01T10:00:00Z"}}}
	for _, evil := range runs {
		items = append(items, object{"apiVersion": apiVersion, "kind": kind, "metadata": object{"name": evil, "namespace": evil, "uid": evil}})
	}
	return items
}

func namesInFile(t *testing.T) []byte {
	w := world{items: slices.Concat(hostileNames("apps/v1", "ReplicaSet"), hostileNames("v1", "Pod"), hostileNames("x.example/v1", "Widget"))}
	for _, evil := range runs {
		if strings.Contains(evil, "/") {
			continue // no apiVersion
		}
		w.add(object{"apiVersion": evil + "/v1", "kind": evil, "metadata": object{"name": "a", "namespace": "shop", "uid": evil}})
	}
	return w.bundle(t)
}

// namesInKubeconfig has a context, a cluster and a user of every name.
func namesInKubeconfig(t *testing.T, url string) string {
	var clusters, users, contexts []any
	for _, name := range append([]string{"team@corp/prod:443"}, runs...) {
		clusters = append(clusters, object{"name": name, "cluster": object{"server": url}})
		users = append(users, object{"name": name, "user": object{"token": "secret"}})
		contexts = append(contexts, object{"name": name, "context": object{"cluster": name, "user": name, "namespace": "shop"}})
	}
	text, err := json.Marshal(object{
		"apiVersion": "v1", "kind": "Config", "clusters": clusters, "users": users, "contexts": contexts, "current-context": "team@corp/prod:443",
	})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "kubeconfig")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// serveNames is an API server of which every list and every discovery holds
// names that a shell would run.
func serveNames(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	var answer object
	switch parts := strings.Split(strings.Trim(r.URL.Path, "/"), "/"); {
	case r.URL.Path == "/version":
		answer = object{"major": "1", "minor": "36", "gitVersion": "v1.36.3"}
	case r.URL.Path == "/api":
		answer = object{"kind": "APIVersions", "versions": []string{"v1"}}
	case r.URL.Path == "/apis":
		version := object{"groupVersion": "x.example/v1", "version": "v1"}
		answer = object{"kind": "APIGroupList", "apiVersion": "v1", "groups": []any{object{"name": "x.example", "versions": []any{version}, "preferredVersion": version}}}
	case len(parts) == 2 && parts[0] == "api", len(parts) == 3 && parts[0] == "apis":
		answer = object{"kind": "APIResourceList", "apiVersion": "v1", "groupVersion": strings.Join(parts[1:], "/"), "resources": hostileResources()}
	case !strings.Contains(r.Header.Get("Accept"), "PartialObjectMetadata"), r.URL.Query().Get("watch") != "":
		w.WriteHeader(http.StatusForbidden)
		answer = object{"kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": "Forbidden", "code": 403}
	default:
		items := hostileNames("meta.k8s.io/v1", "PartialObjectMetadata")
		if name, one := strings.CutPrefix(r.URL.Query().Get("fieldSelector"), "metadata.name="); one {
			items = slices.DeleteFunc(items, func(item any) bool { return item.(object)["metadata"].(object)["name"] != name })
		}
		answer = object{
			"kind": "PartialObjectMetadataList", "apiVersion": "meta.k8s.io/v1", "metadata": object{"resourceVersion": "1"},
			"items": inNamespace(items, parts),
		}
		if at := slices.Index(parts, "namespaces"); at > 0 && len(parts) == at+4 {
			answer = object{"kind": "PartialObjectMetadata", "apiVersion": "meta.k8s.io/v1", "metadata": object{"namespace": parts[at+1], "name": parts[at+3]}}
		}
	}
	if err := json.NewEncoder(w).Encode(answer); err != nil {
		panic(fmt.Sprint("encoding an answer: ", err))
	}
}

// inNamespace puts the items into the namespace that a path asks for, if it does:
// a server that answers with those of others is not believed.
func inNamespace(items []any, parts []string) []any {
	if at := slices.Index(parts, "namespaces"); at > 0 && len(parts) > at+2 {
		for _, item := range items {
			item.(object)["metadata"].(object)["namespace"] = parts[at+1]
		}
	}
	return items
}

func hostileResources() []any {
	verbs := []string{"get", "list", "watch"}
	all := []any{object{"name": "widgets", "singularName": "widget", "namespaced": true, "kind": "Widget", "verbs": verbs}}
	for _, evil := range runs {
		all = append(all, object{"name": evil, "singularName": evil, "namespaced": true, "kind": evil, "shortNames": []string{evil}, "categories": []string{evil}, "verbs": verbs})
	}
	return all
}
