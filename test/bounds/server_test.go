package bounds

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view/bundle"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/apiserver"
)

// server starts the row's API server, and returns the environment in which the
// command reads it.
func (r row) server(t *testing.T, dir string, n int) []string {
	t.Helper()
	if r.serve == nil {
		return nil
	}
	s := httptest.NewServer(r.serve(n))
	t.Cleanup(s.Close)
	t.Cleanup(s.CloseClientConnections)
	config := filepath.Join(dir, "kubeconfig")
	if err := os.WriteFile(config, []byte(apiserver.Kubeconfig(s.URL)), 0o600); err != nil {
		t.Fatal(err)
	}
	return []string{"KUBECONFIG=" + config, "KUBECACHEDIR=" + filepath.Join(dir, "cache"), "HOME=" + dir}
}

// TestManyGroups: work grows with the groups that a server serves, whether it
// says what they hold in one answer or in one for each.
func TestManyGroups(t *testing.T) {
	args := []string{"owners", "pod/web-0", "-n", "shop", "--dependents", "--types", "all"}
	bound(t, []row{
		{name: "one answer", args: args, serve: groups(true), n: 400, allocated: 150, want: "web-0"},
		{name: "an answer for each", args: args, serve: groups(false), n: 400, allocated: 150, want: "web-0"},
		// Waiting 200 ms for each would take longer than a row may.
		{name: "one type of many", args: []string{"owners", "pod/web-0", "-n", "shop", "--dependents", "--types", "things.g1.example"}, serve: groups(false), n: 950, growth: -1, allocated: 100, want: "web-0"},
	})
}

// groups is a server of n groups with a resource each, and no objects of them.
func groups(aggregated bool) func(int) http.Handler {
	return func(n int) http.Handler {
		ordinary := instead(nil, func(*http.Request) bool { return false })(1)
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			parts := strings.Split(strings.Trim(r.URL.Path, "/"), "/")
			switch {
			case len(parts) == 1 && parts[0] != "version":
				served(w, parts[0], n, aggregated && strings.Contains(r.Header.Get("Accept"), "g=apidiscovery.k8s.io"))
			case len(parts) == 2 && parts[0] == "api", len(parts) == 3 && parts[0] == "apis":
				send(w, "application/json", answer{"kind": "APIResourceList", "apiVersion": "v1", "groupVersion": strings.Join(parts[1:], "/"), "resources": []any{resourceOf(parts[1])}})
			case strings.HasSuffix(parts[len(parts)-1], "things") && r.URL.Query().Get("watch") == "":
				send(w, "application/json", answer{"kind": "PartialObjectMetadataList", "apiVersion": "meta.k8s.io/v1", "metadata": answer{"resourceVersion": "1"}, "items": []any{}})
			default:
				ordinary.ServeHTTP(w, r)
			}
		})
	}
}

type answer = map[string]any

func resourceOf(group string) answer {
	if group == "v1" {
		return answer{"name": "pods", "singularName": "pod", "kind": "Pod", "namespaced": true, "verbs": []string{"get", "list", "watch"}}
	}
	return answer{"name": "things", "singularName": "thing", "kind": "Thing", "namespaced": true, "verbs": []string{"get", "list", "watch"}}
}

// served is the answer of /api and /apis.
func served(w http.ResponseWriter, root string, n int, aggregated bool) {
	var groups, items []any
	names := []string{""}
	if root == "apis" {
		names = nil
		for i := range n {
			names = append(names, fmt.Sprintf("g%d.example", i))
		}
	}
	for _, name := range names {
		version := answer{"groupVersion": name + "/v1", "version": "v1"}
		groups = append(groups, answer{"name": name, "versions": []any{version}, "preferredVersion": version})
		r := resourceOf(map[bool]string{true: "v1", false: name}[name == ""])
		items = append(items, answer{"metadata": answer{"name": name}, "versions": []any{answer{"version": "v1", "freshness": "Current", "resources": []any{answer{
			"resource": r["name"], "singularResource": r["singularName"], "scope": "Namespaced", "verbs": r["verbs"],
			"responseKind": answer{"group": name, "version": "v1", "kind": r["kind"]},
		}}}}})
	}
	switch {
	case aggregated:
		send(w, "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList", answer{"kind": "APIGroupDiscoveryList", "apiVersion": "apidiscovery.k8s.io/v2", "items": items})
	case root == "api":
		send(w, "application/json", answer{"kind": "APIVersions", "versions": []string{"v1"}})
	default:
		send(w, "application/json", answer{"kind": "APIGroupList", "apiVersion": "v1", "groups": groups})
	}
}

func send(w http.ResponseWriter, contentType string, text answer) {
	w.Header().Set("Content-Type", contentType)
	_ = json.NewEncoder(w).Encode(text)
}

// TestServers: what a hostile server sends costs no more than an ordinary answer.
func TestServers(t *testing.T) {
	bomb, explain := bombed(), []string{"explain", "rs/web", "-n", "shop"}
	bound(t, []row{
		{name: "a list of 4 GB", args: explain, serve: at("/pods", bomb), allocated: 1100, growth: -1, status: 2, want: "holds more than 24 MiB"},
		{name: "a version of 4 GB", args: explain, serve: at("/version", bomb), allocated: 100, growth: -1, status: 2, want: "holds more than 16 MiB"},
		{name: "an error of 4 GB", args: explain, serve: at("/replicasets", status(500, bomb)), allocated: 20, growth: -1, status: 2, want: "holds more than 64 KiB"},
		{name: "discovery of 4 GB", args: []string{"owners", "rs/web", "--dependents", "--types", "all"}, serve: at("/api", bomb), allocated: 300, growth: -1, status: 2, want: "holds more than 16 MiB"},
		{name: "the same page for ever", args: explain, serve: at("/pods", samePage), allocated: 100, growth: -1, status: 2, want: "a page of the list begins where an earlier one did"},
		{name: "empty pages for ever", args: explain, serve: at("/pods", emptyPages), allocated: 100, growth: -1, status: 2, want: "nearly empty"},
		{name: "new objects for ever", args: explain, serve: at("/pods", newPages(nil)), allocated: 1800, resident: 600, growth: -1, status: 2, want: "pods in namespace shop with app=web: the list holds more than 160000 objects, and does not say how many remain, after 33 pages with 165000 objects: ask for one --namespace or one object"},
		{name: "as many remain for ever", args: explain, serve: at("/pods", newPages(new(int64(7)))), allocated: 250, growth: -1, status: 2, want: "the list continues after the 5007 objects that it announced"},
		{name: "more remain than any cluster has", args: explain, serve: at("/pods", newPages(new(int64(1<<40)))), allocated: 100, growth: -1, status: 2, want: "the list holds more than 500000 objects, after 1 pages"},
		{name: "Services instead of Pods", args: explain, serve: at("/pods", sent(`{"apiVersion":"v1","kind":"ServiceList","metadata":{},"items":[]}`)), allocated: 100, growth: -1, status: 2, want: "the server sent v1 ServiceList instead of"},
		{name: "a list without items", args: explain, serve: at("/pods", sent(`{"apiVersion":"v1","kind":"PodList","metadata":{}}`)), allocated: 100, growth: -1, status: 2, want: "the server sent a PodList without items"},
		{name: "a CloneSet of 9,000 levels", args: []string{"snapshot", "cloneset/web", "-n", "shop"}, serve: at("/clonesets", deepClone), allocated: 100, growth: -1, status: 2, want: "CloneSet shop/web is nested deeper than 200 levels"},
		{name: "an event of any length", args: []string{"trace", "rs", "-n", "shop", "--duration", "2s"}, serve: watched(endlessEvent), allocated: 500, growth: -1, want: "summary"},
	})
}

// at answers one path of an ordinary server in another way.
func at(suffix string, answer http.HandlerFunc) func(int) http.Handler {
	return instead(answer, func(r *http.Request) bool {
		return strings.HasSuffix(r.URL.Path, suffix) && r.URL.Query().Get("watch") == ""
	})
}

// watched answers every watch in another way.
func watched(answer http.HandlerFunc) func(int) http.Handler {
	return instead(answer, func(r *http.Request) bool { return r.URL.Query().Get("watch") != "" })
}

func instead(answer http.HandlerFunc, when func(*http.Request) bool) func(int) http.Handler {
	return func(n int) http.Handler {
		var text bytes.Buffer
		if err := oneSet(&text, n); err != nil {
			panic(err)
		}
		objs, err := bundle.ReadObjects([]string{"-"}, &text)
		if err != nil {
			panic(err)
		}
		ordinary := apiserver.New(objs)
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if when(r) {
				answer(w, r)
				return
			}
			ordinary.ServeHTTP(w, r)
		})
	}
}

func status(code int, answer http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(code)
		answer(w, r)
	}
}

// bombed sends a JSON text of 4 GB in 4 MB.
func bombed() http.HandlerFunc {
	part := squeezed(strings.Repeat(" ", 16<<20))
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		w.Header().Set("Content-Type", "application/json")
		_, err := w.Write(squeezed(`{"apiVersion":"v1","kind":"PodList","items":[`))
		for i := 0; i < 256 && err == nil && r.Context().Err() == nil; i++ {
			_, err = w.Write(part)
		}
	}
}

func squeezed(text string) []byte {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	_, _ = io.WriteString(z, text)
	_ = z.Close()
	return out.Bytes()
}

func sent(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, text)
	}
}

func samePage(w http.ResponseWriter, r *http.Request) {
	page(w, r, "web-1")
}

func emptyPages(w http.ResponseWriter, r *http.Request) {
	page(w, r)
}

// newPages sends full pages of objects that no page had before.
func newPages(remain *int64) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		limit, _ := strconv.Atoi(r.URL.Query().Get("limit"))
		names := make([]string, limit)
		for i := range names {
			names[i] = fmt.Sprintf("web-%d-%d", len(r.URL.Query().Get("continue")), i)
		}
		pageOf(w, r, remain, names...)
	}
}

func page(w http.ResponseWriter, r *http.Request, names ...string) { pageOf(w, r, nil, names...) }

// pageOf says that another page follows, and how many objects remain, if it says so.
func pageOf(w http.ResponseWriter, r *http.Request, remain *int64, names ...string) {
	items := []any{}
	for _, name := range names {
		items = append(items, map[string]any{"metadata": map[string]any{"name": name, "namespace": "shop", "uid": name}})
	}
	w.Header().Set("Content-Type", "application/json")
	list := map[string]any{"apiVersion": "v1", "kind": "PodList", "items": items}
	if strings.Contains(r.Header.Get("Accept"), "PartialObjectMetadata") {
		list["apiVersion"], list["kind"] = "meta.k8s.io/v1", "PartialObjectMetadataList"
	}
	list["metadata"] = map[string]any{"continue": r.URL.Query().Get("continue") + "1", "resourceVersion": "1", "remainingItemCount": remain}
	_ = json.NewEncoder(w).Encode(list)
}

// deepClone sends a CloneSet with a field of 9,000 levels.
func deepClone(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(w, `{"apiVersion":"apps.kruise.io/v1alpha1","kind":"CloneSetList","metadata":{"resourceVersion":"1"},"items":[
		{"apiVersion":"apps.kruise.io/v1alpha1","kind":"CloneSet","metadata":{"name":"web","namespace":"shop","uid":"web"},"spec":{"template":%s1%s}}]}`,
		strings.Repeat(`{"a":`, 9000), strings.Repeat("}", 9000))
}

// endlessEvent sends one event for as long as anybody listens.
func endlessEvent(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	_, err := fmt.Fprint(w, `{"type":"ADDED","object":{"kind":"Pod","apiVersion":"v1","metadata":{"annotations":{"a":"`)
	for chunk := bytes.Repeat([]byte("x"), 1<<20); err == nil; {
		_, err = w.Write(chunk)
	}
}
