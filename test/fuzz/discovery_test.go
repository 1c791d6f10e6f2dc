package fuzz

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestUnknownTypesAreNamed: what a server fails to describe is not passed over,
// nor are types of Kubernetes that it leaves out.
func TestUnknownTypesAreNamed(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/apis/x.example/v1" {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		serveNames(w, r)
	}))
	t.Cleanup(server.Close)
	a := ask(strings.NewReader(""), unfolded, "owners", "pod/web-1", "--dependents", "--types", "all", "--kubeconfig", namesInKubeconfig(t, server.URL))
	if want := "does not say which types x.example/v1, v1, apps/v1, batch/v1 holds"; !strings.Contains(a.stdout, want) {
		t.Errorf("no %q in\n%s%s", want, a.stdout, a.stderr)
	}
}

// TestTooManyTypes: more types than are read at once are an error that says how to ask
// for some, before any of them is read.
func TestTooManyTypes(t *testing.T) {
	for n, want := range map[int]string{900: "", 4001: "error: the server serves 4028 types, and all of them are read where they are at most 4000: name those to look at with --types"} {
		var types strings.Builder
		for i := range n {
			fmt.Fprintf(&types, `{"name":"k%d","kind":"K%d","namespaced":true,"verbs":["list","watch"]},`, i, i)
		}
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/apis/x.example/v1" {
				w.Header().Set("Content-Type", "application/json")
				fmt.Fprintf(w, `{"kind":"APIResourceList","apiVersion":"v1","groupVersion":"x.example/v1","resources":[%s]}`, strings.TrimSuffix(types.String(), ","))
				return
			}
			serveNames(w, r)
		}))
		a := ask(strings.NewReader(""), unfolded, "owners", "pod/web-1", "--dependents", "--types", "all", "--kubeconfig", namesInKubeconfig(t, server.URL), "--request-timeout", "5s")
		server.Close()
		if want == "" && strings.Contains(a.stderr, "--types") || want != "" && (a.status != 2 || !strings.HasPrefix(a.stderr, want)) {
			t.Errorf("%d types: exit status %d, want %q\n%.300s\n%.300s", n, a.status, want, a.stdout, a.stderr)
		}
	}
}
