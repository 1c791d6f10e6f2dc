package test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"k8s.io/cli-runtime/pkg/genericiooptions"
	"k8s.io/utils/clock"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cli"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/trace/entry"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view/bundle"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins"
	kubeapi "github.com/kubectl-ctrl/kubectl-ctrl/test/apiserver"
)

// received counts lists and watches of a namespace by resource, and the bytes of lists.
type received struct {
	mu             sync.Mutex
	lists, watches map[string]int
	bytes          map[string]int64
}

func (r *received) serve(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		parts := strings.Split(q.URL.Path, "/")
		resource := parts[len(parts)-1]
		if !strings.Contains(q.URL.Path, "/namespaces/shop/") { // it is read to find the version
			next.ServeHTTP(w, q)
			return
		}
		r.mu.Lock()
		if q.URL.Query().Get("watch") != "" {
			r.watches[resource]++
		} else {
			r.lists[resource]++
			w = counting{w, func(n int) {
				r.mu.Lock()
				defer r.mu.Unlock()
				r.bytes[resource] += int64(n)
			}}
		}
		r.mu.Unlock()
		next.ServeHTTP(w, q)
	})
}

// paged hands out the Pods in two pages.
func paged(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		if !strings.HasSuffix(q.URL.Path, "/namespaces/shop/pods") || q.URL.Query().Get("watch") != "" {
			next.ServeHTTP(w, q)
			return
		}
		var list struct {
			Kind       string            `json:"kind"`
			APIVersion string            `json:"apiVersion"`
			Metadata   map[string]any    `json:"metadata"`
			Items      []json.RawMessage `json:"items"`
		}
		whole := httptest.NewRecorder()
		next.ServeHTTP(whole, q)
		if err := json.Unmarshal(whole.Body.Bytes(), &list); err != nil || len(list.Items) < 2 {
			http.Error(w, whole.Body.String(), http.StatusInternalServerError)
			return
		}
		if q.URL.Query().Get("continue") != "" {
			list.Items = list.Items[1:]
		} else {
			list.Metadata["continue"], list.Metadata["remainingItemCount"] = "more", len(list.Items)-1
			list.Items = list.Items[:1]
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(list)
	})
}

type counting struct {
	http.ResponseWriter
	wrote func(int)
}

func (c counting) Write(p []byte) (int, error) {
	n, err := c.ResponseWriter.Write(p)
	c.wrote(n)
	return n, err
}

// internalsOfWeb is what the last line of a trace of rs/web says, from a server that holds
// it, its Pods and other objects.
func internalsOfWeb(t *testing.T, others string, before func(http.Handler) http.Handler) *entry.Internals {
	t.Helper()
	file := filepath.Join(t.TempDir(), "shop.yaml")
	if err := os.WriteFile(file, []byte(web+"---\n"+webPods+"---\n"+others), 0o600); err != nil {
		t.Fatal(err)
	}
	objects, err := bundle.ReadObjects([]string{file}, nil)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(before(kubeapi.New(objects)))
	t.Cleanup(server.Close)
	t.Cleanup(server.CloseClientConnections)
	var out bytes.Buffer
	root := cli.New(cli.Env{
		Controllers: plugins.All(), IOStreams: genericiooptions.IOStreams{In: strings.NewReader(""), Out: &out, ErrOut: &out},
		Clock: clock.RealClock{}, Getenv: func(string) string { return "" }, Width: func() int { return 0 }, Name: "kubectl ctrl", Version: "test",
	})
	root.SetArgs([]string{"trace", "rs/web", "-n", "shop", "--internals", "--duration", "1s", "-o", "json", "--server", server.URL, "--cache-dir", t.TempDir()})
	if err := root.Execute(); err != nil {
		t.Fatal(err, &out)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	var last entry.Entry
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &last); err != nil || last.Internals == nil {
		t.Fatalf("%v: it ends with %s", err, lines[len(lines)-1])
	}
	return last.Internals
}

// TestTraceCountsRequests: what a trace says of its reflectors is what the server got and
// sent, also where lists have several pages.
func TestTraceCountsRequests(t *testing.T) {
	r := &received{lists: map[string]int{}, watches: map[string]int{}, bytes: map[string]int64{}}
	informers := internalsOfWeb(t, "", func(next http.Handler) http.Handler { return r.serve(paged(next)) }).Informers
	if len(informers) < 5 {
		t.Fatalf("informers: %+v", informers)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, i := range informers {
		if strings.Contains(i.Resource, "/") || i.Resource == "namespaces" {
			continue // one object, which may be read in another way before
		}
		if i.Pages != r.lists[i.Resource] || i.Watches != r.watches[i.Resource] || i.Bytes == nil || *i.Bytes != r.bytes[i.Resource] {
			t.Errorf("%+v, the server got %d lists and %d watches and sent %d bytes", i, r.lists[i.Resource], r.watches[i.Resource], r.bytes[i.Resource])
		}
		if *i.Bytes < 50 || i.Watches == 0 || i.Resource == "pods" && i.Pages != 2*i.Lists {
			t.Errorf("%+v", i)
		}
	}
}
