package live

import (
	"net/http"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// TestServerThatTellsNoVersion: the error says why, in the words of the server.
func TestServerThatTellsNoVersion(t *testing.T) {
	for name, c := range map[string]struct {
		answer func(http.ResponseWriter, *request) bool
		want   string
	}{
		"forbidden": {answer(http.StatusForbidden, metav1.StatusReasonForbidden), "orbidden"},
		"no JSON":   {text("<html>"), "is the server of the kubeconfig a Kubernetes API server?"},
		"nothing":   {text("{}"), "is the server of the kubeconfig a Kubernetes API server?"},
		"a book":    {text(`{"gitVersion":"v1.` + strings.Repeat("9", 1000) + `"}`), "is the server of the kubeconfig a Kubernetes API server?"},
	} {
		t.Run(name, func(t *testing.T) {
			a := serve(t, shop())
			a.intercept = c.answer
			s, _ := open(t, a.config(), Options{})
			_, err := s.Version(t.Context())
			if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "unknown") || len(err.Error()) > 300 {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
}

// text answers with it.
func text(body string) func(http.ResponseWriter, *request) bool {
	return func(w http.ResponseWriter, _ *request) bool {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(body))
		return true
	}
}
