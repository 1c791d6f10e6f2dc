// Package apiserver answers: what would an API server with these objects say?
// Tests run whole commands against it.
package apiserver

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view/bundle"
)

// Server speaks as much of the Kubernetes API as answers take: version, get,
// list, and watches, in JSON.
type Server struct {
	// Version is what /version says.
	Version string
	// Forbidden are resources that this user may not read, everywhere or, as
	// pods@kube-system, in a namespace.
	Forbidden []string
	// NoWatches answers watches with 403.
	NoWatches bool
	// Unauthorized answers everything with 401.
	Unauthorized bool
	// DryRuns lets dry runs pass: patches change nothing, creations are complete.
	DryRuns bool
	// Unserved are resources whose API is not installed.
	Unserved []string
	// NotFound are resources that answer 404, though the server says that it
	// serves them.
	NotFound []string

	fails, hangs atomic.Bool

	mu       sync.Mutex
	objects  []bundle.Object
	revision int
	watches  map[chan change]*request
	past     []change
}

// New is a server with these objects, and with the namespaces that they are in.
func New(objs []bundle.Object) *Server {
	return &Server{Version: "v1.36.3", objects: withNamespaces(objs), revision: 1, watches: map[chan change]*request{}}
}

// withNamespaces adds those that objects are in: no server has one without the other.
func withNamespaces(objs []bundle.Object) []bundle.Object {
	there := map[string]bool{"": true}
	for _, o := range objs {
		if o.Kind.GroupKind() == view.Namespaces.GroupKind() {
			there[o.Obj.GetName()] = true
		}
	}
	for _, o := range slices.Clone(objs) {
		if ns := o.Obj.GetNamespace(); !there[ns] {
			there[ns] = true
			objs = append(objs, namespace(ns))
		}
	}
	return objs
}

func namespace(name string) bundle.Object {
	return bundle.Object{
		Kind: view.Namespaces, Obj: &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}},
		Raw: fmt.Appendf(nil, `{"metadata": {"name": %q}, "status": {"phase": "Active"}}`, name),
	}
}

// Fails makes requests from now on fail, or not any more.
func (s *Server) Fails(fails bool) { s.fails.Store(fails) }

// Hangs lets requests from now on wait for ever, and says nothing in watches.
func (s *Server) Hangs() { s.hangs.Store(true) }

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case s.hangs.Load():
		<-r.Context().Done()
	case s.fails.Load():
		Fail(w, http.StatusInternalServerError, metav1.StatusReasonInternalError, "the server fails")
	case s.Unauthorized:
		Fail(w, http.StatusUnauthorized, metav1.StatusReasonUnauthorized, "Unauthorized")
	case r.URL.Path == "/version":
		reply(w, map[string]any{"major": "1", "minor": "36", "gitVersion": s.Version})
	case r.URL.Path == "/api", r.URL.Path == "/apis":
		s.discover(w, r.URL.Path == "/api")
	case s.DryRuns && r.URL.Query().Get("dryRun") == "All":
		s.dryRun(w, r)
	case r.Method != http.MethodGet:
		Fail(w, http.StatusMethodNotAllowed, metav1.StatusReasonMethodNotAllowed, "this server is never written to")
	default:
		s.read(w, r)
	}
}

// dryRun answers with the object as it is, or as it was sent.
func (s *Server) dryRun(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodPatch {
		s.read(w, r)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = io.Copy(w, r.Body)
}

func (s *Server) read(w http.ResponseWriter, r *http.Request) {
	req, err := parse(r)
	switch {
	case err != nil:
		Fail(w, http.StatusBadRequest, metav1.StatusReasonBadRequest, err.Error())
	case slices.Contains(s.Forbidden, req.resource), slices.Contains(s.Forbidden, req.resource+"@"+req.namespace):
		Fail(w, http.StatusForbidden, metav1.StatusReasonForbidden, fmt.Sprintf(`%s is forbidden: User "reader" cannot list resource "%s"`, req.resource, req.resource))
	case slices.Contains(s.Unserved, req.resource), slices.Contains(s.NotFound, req.resource), !req.served():
		http.Error(w, "404 page not found", http.StatusNotFound) // as API servers do
	case req.streams:
		Fail(w, http.StatusUnprocessableEntity, metav1.StatusReasonInvalid, "sendInitialEvents is forbidden")
	case req.watch && s.NoWatches:
		Fail(w, http.StatusForbidden, metav1.StatusReasonForbidden, fmt.Sprintf(`%s is forbidden: User "reader" cannot watch resource "%s"`, req.resource, req.resource))
	case req.watch:
		s.watch(w, r, req)
	case req.name != "":
		s.get(w, req)
	default:
		s.list(w, req)
	}
}

func reply(w http.ResponseWriter, answer any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(answer)
}

func (s *Server) get(w http.ResponseWriter, req *request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, o := range s.objects {
		if req.selects(o) {
			reply(w, req.shape(o))
			return
		}
	}
	Fail(w, http.StatusNotFound, metav1.StatusReasonNotFound, req.name+" not found")
}

func (s *Server) list(w http.ResponseWriter, req *request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	items := []any{}
	for _, o := range s.objects {
		if req.selects(o) {
			items = append(items, req.shape(o))
		}
	}
	kind := req.listKind()
	reply(w, map[string]any{
		"apiVersion": kind.GroupVersion().String(), "kind": kind.Kind, "items": items,
		"metadata": map[string]any{"resourceVersion": fmt.Sprint(s.revision)},
	})
}
