package cli

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view/bundle"
)

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case s.all:
		status(w, http.StatusUnauthorized, metav1.StatusReasonUnauthorized, "Unauthorized")
	case r.URL.Path == "/version":
		reply(w, map[string]any{"major": "1", "minor": "36", "gitVersion": s.version})
	case r.Method != http.MethodGet:
		status(w, http.StatusMethodNotAllowed, metav1.StatusReasonMethodNotAllowed, "this server is never written to")
	default:
		s.read(w, r)
	}
}

func (s *server) read(w http.ResponseWriter, r *http.Request) {
	req, err := parse(r)
	switch {
	case err != nil:
		status(w, http.StatusBadRequest, metav1.StatusReasonBadRequest, err.Error())
	case slices.Contains(s.forbidden, req.resource), slices.Contains(s.forbidden, req.resource+"@"+req.namespace):
		status(w, http.StatusForbidden, metav1.StatusReasonForbidden, fmt.Sprintf(`%s is forbidden: User "reader" cannot list resource "%s"`, req.resource, req.resource))
	case slices.Contains(s.unserved, req.resource):
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

func (s *server) get(w http.ResponseWriter, req *request) {
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

func (s *server) list(w http.ResponseWriter, req *request) {
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

// change is one event of a watch.
type change struct {
	kind     string
	object   bundle.Object
	revision int
}

// watch sends changes since the version that the client has, for as long as the client listens.
func (s *server) watch(w http.ResponseWriter, r *http.Request, req *request) {
	changes := make(chan change, 16)
	since, _ := strconv.Atoi(r.URL.Query().Get("resourceVersion"))
	s.mu.Lock()
	for _, c := range s.past {
		if c.revision > since && req.selects(c.object) {
			changes <- c
		}
	}
	s.watches[changes] = req
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.watches, changes)
	}()
	w.Header().Set("Content-Type", "application/json")
	flush := http.NewResponseController(w)
	for {
		if err := flush.Flush(); err != nil {
			return
		}
		select {
		case <-r.Context().Done():
			return
		case c := <-changes:
			_ = json.NewEncoder(w).Encode(map[string]any{"type": c.kind, "object": req.shape(c.object)})
		}
	}
}

// remove deletes an object, named kind/namespace/name, and tells who watches.
func (s *server) remove(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, o := range s.objects {
		if strings.ToLower(o.Kind.Kind)+"/"+o.Obj.GetNamespace()+"/"+o.Obj.GetName() != name {
			continue
		}
		s.objects = slices.Delete(s.objects, i, i+1)
		s.revision++
		gone := change{"DELETED", o, s.revision}
		s.past = append(s.past, gone)
		for changes, req := range s.watches {
			if req.selects(o) {
				changes <- gone
			}
		}
		return
	}
}
