package apiserver

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view/bundle"
)

// change is one event of a watch.
type change struct {
	kind     string
	object   bundle.Object
	revision int
}

// watch sends changes since the version that the client has, for as long as the client listens.
func (s *Server) watch(w http.ResponseWriter, r *http.Request, req *request) {
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

// Remove deletes an object, named kind/namespace/name, and tells who watches.
func (s *Server) Remove(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, o := range s.objects {
		if strings.ToLower(o.Kind.Kind)+"/"+o.Obj.GetNamespace()+"/"+o.Obj.GetName() != name {
			continue
		}
		s.objects = slices.Delete(s.objects, i, i+1)
		s.tell("DELETED", o)
		return
	}
}

// Put stores an object, in place of one of its name if there is one, and tells who
// watches.
func (s *Server) Put(o bundle.Object) { s.PutBehind(o, o) }

// PutBehind stores an object as Put does, and tells who watches what it was before: their
// watches lag.
func (s *Server) PutBehind(o, was bundle.Object) {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.IndexFunc(s.objects, func(old bundle.Object) bool {
		return old.Kind.GroupKind() == o.Kind.GroupKind() && old.Obj.GetNamespace() == o.Obj.GetNamespace() && old.Obj.GetName() == o.Obj.GetName()
	})
	if i < 0 {
		s.objects = append(s.objects, o)
		s.tell("ADDED", was)
		return
	}
	s.objects[i] = o
	s.tell("MODIFIED", was)
}

// tell sends a change to who watches its object.
func (s *Server) tell(kind string, o bundle.Object) {
	s.revision++
	c := change{kind, o, s.revision}
	s.past = append(s.past, c)
	for changes, req := range s.watches {
		if req.selects(o) {
			changes <- c
		}
	}
}
