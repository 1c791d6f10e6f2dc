package live

import (
	"fmt"
	"net/http"
	"net/url"
)

// guarding lets only requests through to next that this tool sends, to server
// and nowhere else: reads of whole collections and objects, discovery,
// the version, and with allowDryRun requests that the server promises not to
// persist. It follows no redirect, and bounds what a response may hold.
func guarding(next http.RoundTripper, server *url.URL, allowDryRun bool) http.RoundTripper {
	return &guard{next: next, server: server, allowDryRun: allowDryRun}
}

type guard struct {
	next        http.RoundTripper
	server      *url.URL
	allowDryRun bool
}

// Refused is the error of a request that the guard did not send.
type Refused struct {
	Method, Path, Reason string
}

func (e *Refused) Error() string {
	return fmt.Sprintf("refused %s %s: %s; this tool never writes", e.Method, e.Path, e.Reason)
}

// RoundTrip sends req, or closes its body and returns Refused. The error is
// Redirected for a response that points elsewhere.
func (g *guard) RoundTrip(req *http.Request) (*http.Response, error) {
	t, reason := g.admit(req)
	if reason != "" {
		if req.Body != nil {
			_ = req.Body.Close() // the RoundTripper contract: also on errors
		}
		return nil, &Refused{method(req), req.URL.Path, reason}
	}
	resp, err := g.next.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	if err := redirected(resp, req); err != nil {
		_ = resp.Body.Close()
		return nil, err
	}
	resp.Body = bounded(resp, t, req)
	return resp, nil
}

// WrappedRoundTripper lets client-go find the transport underneath.
func (g *guard) WrappedRoundTripper() http.RoundTripper { return g.next }

// admit takes apart what req asks for. The reason says why it must not be sent;
// it is empty when req may be sent.
func (g *guard) admit(req *http.Request) (t target, reason string) {
	path, reason := g.below(req)
	if reason != "" {
		return t, reason
	}
	t, ok := targetOf(path)
	switch {
	case !ok:
		return t, "the path names nothing that is read"
	case !onlyKnownHeaders(req):
		return t, "a header is not one of those that are sent"
	}
	switch method(req) {
	case http.MethodGet:
		return t, refusalToRead(req, t)
	case http.MethodPost, http.MethodPatch:
		return t, g.refusalToTry(req, t)
	}
	return t, "only GET is sent"
}

func refusalToRead(req *http.Request, t target) string {
	switch {
	case hasBody(req):
		return "a read has no body"
	case !t.takes(req.URL.RawQuery):
		return "the query holds what is not asked"
	}
	return ""
}

func (g *guard) refusalToTry(req *http.Request, t target) string {
	switch {
	case !g.allowDryRun:
		return "only GET is sent"
	case !isDryRun(req.URL.RawQuery):
		return "it is no server-side dry run (dryRun=All)"
	case !t.canBeTried(method(req)):
		return "the path names nothing that is tried in a dry run"
	}
	return ""
}

func hasBody(req *http.Request) bool {
	return req.Body != nil && req.Body != http.NoBody || req.ContentLength != 0
}

// method is req's method; net/http sends GET for none.
func method(req *http.Request) string {
	if req.Method == "" {
		return http.MethodGet
	}
	return req.Method
}
