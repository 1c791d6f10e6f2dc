package live

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// Guard keeps everything that could change the cluster from reaching next. GET
// passes, except for those that open a channel into a pod, a node or a service.
// With allowDryRun, requests that the server promises not to persist pass too.
func Guard(next http.RoundTripper, allowDryRun bool) http.RoundTripper {
	return &guard{next: next, allowDryRun: allowDryRun}
}

type guard struct {
	next        http.RoundTripper
	allowDryRun bool
}

// Refused is the error of a request that the Guard did not send.
type Refused struct {
	Method, Path, Reason string
}

func (e *Refused) Error() string {
	return fmt.Sprintf("refused %s %s: %s; this tool never writes", e.Method, e.Path, e.Reason)
}

// RoundTrip sends req, or closes its body and returns Refused.
func (g *guard) RoundTrip(req *http.Request) (*http.Response, error) {
	if reason := g.refusal(req); reason != "" {
		if req.Body != nil {
			_ = req.Body.Close() // the RoundTripper contract: also on errors
		}
		return nil, &Refused{method(req), req.URL.Path, reason}
	}
	return g.next.RoundTrip(req)
}

// WrappedRoundTripper lets client-go find the transport underneath.
func (g *guard) WrappedRoundTripper() http.RoundTripper { return g.next }

// refusal is why req must not be sent, or empty.
func (g *guard) refusal(req *http.Request) string {
	if req.Header.Get("Upgrade") != "" || headerHas(req.Header, "Connection", "upgrade") {
		return "it asks for a two-way connection"
	}
	if sub := subresource(req.URL.Path); opensChannel(sub) {
		return fmt.Sprintf("%s reaches into a running process", sub)
	}
	switch method(req) {
	case http.MethodGet:
		return ""
	case http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete:
		return g.refusalToWrite(req)
	default:
		return "only GET is sent"
	}
}

func (g *guard) refusalToWrite(req *http.Request) string {
	switch {
	case !g.allowDryRun:
		return "only GET is sent"
	case !isDryRun(req.URL.RawQuery):
		return "it is no server-side dry run (dryRun=All)"
	case subresource(req.URL.Path) == "token":
		return "a token is handed out even in a dry run"
	case strings.Contains(req.URL.Path, "/authorization.k8s.io/"):
		return "access reviews are not asked for"
	case method(req) == http.MethodDelete && hasBody(req):
		// The API server reads DeleteOptions from the body when there is one,
		// and then ignores the query: apiserver/pkg/endpoints/handlers/delete.go.
		return "a delete with a body ignores dryRun=All in the query"
	}
	return ""
}

// isDryRun tells whether the query says dryRun=All, once, and nothing else
// about dryRun. A query that cannot be parsed whole says nothing.
func isDryRun(rawQuery string) bool {
	q, err := url.ParseQuery(rawQuery)
	return err == nil && slices.Equal(q["dryRun"], []string{"All"})
}

func hasBody(req *http.Request) bool {
	return req.Body != nil && req.Body != http.NoBody
}

// method is req's method; net/http sends GET for none.
func method(req *http.Request) string {
	if req.Method == "" {
		return http.MethodGet
	}
	return req.Method
}

func headerHas(h http.Header, key, token string) bool {
	for _, line := range h.Values(key) {
		for _, part := range strings.Split(line, ",") {
			if strings.EqualFold(strings.TrimSpace(part), token) {
				return true
			}
		}
	}
	return false
}
