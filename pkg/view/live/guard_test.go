package live

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

func TestGuard(t *testing.T) {
	const pods = "/api/v1/namespaces/shop/pods"
	tests := []struct {
		method, url, body string
		header            http.Header
		reads, dryRuns    bool // sent without and with allowDryRun
	}{
		{method: "GET", url: pods, reads: true, dryRuns: true},
		{method: "", url: pods, reads: true, dryRuns: true},
		{method: "GET", url: pods + "?watch=1", reads: true, dryRuns: true},
		{method: "GET", url: "/version", reads: true, dryRuns: true},
		{method: "GET", url: pods + "/web-1/log", reads: true, dryRuns: true},
		{method: "GET", url: pods + "/proxy", reads: true, dryRuns: true}, // a pod of that name
		{method: "GET", url: "/api/v1/namespaces/exec/pods/attach", reads: true, dryRuns: true},
		{method: "HEAD", url: pods},
		{method: "OPTIONS", url: pods},
		{method: "CONNECT", url: pods},
		{method: "TRACE", url: pods},
		{method: "get", url: pods},

		{method: "GET", url: pods + "/web-1/exec?command=rm"},
		{method: "GET", url: pods + "/web-1/attach"},
		{method: "GET", url: pods + "/web-1/portforward"},
		{method: "GET", url: pods + "/web-1/proxy/shutdown"},
		{method: "GET", url: "/k8s/clusters/c-1" + pods + "/web-1/exec"},
		{method: "GET", url: "/api/v1/nodes/n-1/proxy/run"},
		{method: "GET", url: "/api/v1/proxy/nodes/n-1"},
		{method: "GET", url: "/apis/x.example/v1beta1/namespaces/shop/things/a/exec"},
		{method: "GET", url: pods, header: http.Header{"Upgrade": {"websocket"}}},
		{method: "GET", url: pods, header: http.Header{"Connection": {"keep-alive, Upgrade"}}},

		{method: "POST", url: pods},
		{method: "POST", url: pods + "?dryRun=All", dryRuns: true},
		{method: "PUT", url: pods + "/web-1?dryRun=All", dryRuns: true},
		{method: "PATCH", url: pods + "/web-1?fieldManager=x&dryRun=All", dryRuns: true},
		{method: "DELETE", url: pods + "/web-1?dryRun=All", dryRuns: true},
		{method: "DELETE", url: pods + "/web-1?dryRun=All", body: "{}"},
		{method: "DELETE", url: pods + "/web-1"},
		{method: "POST", url: pods + "?dryRun=None"},
		{method: "POST", url: pods + "?dryRun="},
		{method: "POST", url: pods + "?dryRun=all"},
		{method: "POST", url: pods + "?dryrun=All"},
		{method: "POST", url: pods + "?dryRun=All&dryRun=All"},
		{method: "POST", url: pods + "?dryRun=All&dryRun=None"},
		{method: "POST", url: pods + "?dryRun=All;x=%zz"},
		{method: "POST", url: pods + "/web-1/eviction?dryRun=All", dryRuns: true},
		{method: "POST", url: pods + "/web-1/exec?dryRun=All"},
		{method: "POST", url: "/api/v1/namespaces/shop/serviceaccounts/a/token?dryRun=All"},
		{method: "POST", url: "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews"},
		{method: "POST", url: "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews?dryRun=All"},
	}
	for _, tt := range tests {
		t.Run(tt.method+tt.url+tt.body, func(t *testing.T) {
			for allowDryRun, want := range map[bool]bool{false: tt.reads, true: tt.dryRuns} {
				if got := sends(t, tt.method, tt.url, tt.body, tt.header, allowDryRun); got != want {
					t.Errorf("allowDryRun=%v: sent=%v, want %v", allowDryRun, got, want)
				}
			}
		})
	}
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// sends tells whether the guard sends the request; if not, it must say why and
// close the body.
func sends(t *testing.T, method, url, body string, header http.Header, allowDryRun bool) bool {
	t.Helper()
	sent := false
	g := Guard(roundTrip(func(*http.Request) (*http.Response, error) {
		sent = true
		return &http.Response{StatusCode: http.StatusOK, Body: http.NoBody}, nil
	}), allowDryRun)
	req := httptest.NewRequest(http.MethodGet, url, nil)
	req.Method = method
	closed := &closer{Reader: strings.NewReader(body)}
	if body != "" {
		req.Body = closed
	}
	for k, v := range header {
		req.Header[k] = v
	}
	_, err := g.RoundTrip(req)
	var refused *Refused
	if !sent && (!errors.As(err, &refused) || !strings.Contains(err.Error(), "never writes")) {
		t.Errorf("refused with %v", err)
	}
	if !sent && body != "" && !closed.closed {
		t.Error("the body stays open")
	}
	return sent
}

type closer struct {
	io.Reader
	closed bool
}

func (c *closer) Close() error { c.closed = true; return nil }

func TestNoClientOfASourceWrites(t *testing.T) {
	a := serve(t, shop())
	s, _ := open(t, a.config(), Options{})
	core, err := s.clients.group(view.Pods.GroupVersion())
	if err != nil {
		t.Fatal(err)
	}
	apps, err := s.clients.group(view.ReplicaSets.GroupVersion())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []rest.Interface{core, apps} {
		for _, verb := range []string{"POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"} {
			var refused *Refused
			if err := c.Verb(verb).Namespace("shop").Resource("pods").Name("web-1").Do(t.Context()).Error(); !errors.As(err, &refused) {
				t.Errorf("%s: %v", verb, err)
			}
		}
	}
	var refused *Refused
	err = s.clients.metadata.Resource(view.Pods.GVR()).Namespace("shop").Delete(t.Context(), "web-1", metav1.DeleteOptions{})
	if !errors.As(err, &refused) {
		t.Errorf("metadata delete: %v", err)
	}
	if got := a.seen(); len(got) != 0 {
		t.Errorf("the server saw %q", got)
	}
}
