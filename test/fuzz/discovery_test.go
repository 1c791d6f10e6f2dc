package fuzz

import (
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
	a := ask(strings.NewReader(""), 0, "owners", "pod/web-1", "--dependents", "--types", "all", "--kubeconfig", namesInKubeconfig(t, server.URL))
	if want := "does not say which types x.example/v1, v1, apps/v1, batch/v1 holds"; !strings.Contains(a.stdout, want) {
		t.Errorf("no %q in\n%s%s", want, a.stdout, a.stderr)
	}
}
