// Package apiserver answers: what would an API server with these objects say?
// Tests run whole commands against it.
package apiserver

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

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
	// Unauthorized answers everything with 401.
	Unauthorized bool
	// Unserved are resources whose API is not installed.
	Unserved []string

	mu       sync.Mutex
	objects  []bundle.Object
	revision int
	watches  map[chan change]*request
	past     []change
}

// New is a server with these objects.
func New(objs []bundle.Object) *Server {
	return &Server{Version: "v1.36.3", objects: objs, revision: 1, watches: map[chan change]*request{}}
}

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case s.Unauthorized:
		status(w, http.StatusUnauthorized, metav1.StatusReasonUnauthorized, "Unauthorized")
	case r.URL.Path == "/version":
		reply(w, map[string]any{"major": "1", "minor": "36", "gitVersion": s.Version})
	case r.Method != http.MethodGet:
		status(w, http.StatusMethodNotAllowed, metav1.StatusReasonMethodNotAllowed, "this server is never written to")
	default:
		s.read(w, r)
	}
}

func (s *Server) read(w http.ResponseWriter, r *http.Request) {
	req, err := parse(r)
	switch {
	case err != nil:
		status(w, http.StatusBadRequest, metav1.StatusReasonBadRequest, err.Error())
	case slices.Contains(s.Forbidden, req.resource), slices.Contains(s.Forbidden, req.resource+"@"+req.namespace):
		status(w, http.StatusForbidden, metav1.StatusReasonForbidden, fmt.Sprintf(`%s is forbidden: User "reader" cannot list resource "%s"`, req.resource, req.resource))
	case slices.Contains(s.Unserved, req.resource):
		status(w, http.StatusNotFound, metav1.StatusReasonNotFound, "the server could not find the requested resource")
	case req.streams:
		status(w, http.StatusUnprocessableEntity, metav1.StatusReasonInvalid, "sendInitialEvents is forbidden")
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
	status(w, http.StatusNotFound, metav1.StatusReasonNotFound, req.name+" not found")
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
