package statefulset

import (
	"errors"
	"strings"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// stopBehind ends a sync that finds a cache older than what the controller wrote last
// (sync of stateful_set.go, v1.37.1): before anything else, and with an error.
func (s *reconcile) stopBehind() error {
	var resources, errs []string
	for _, stale := range s.given.Behind {
		resources, errs = append(resources, stale.Resource.String()), append(errs, stale.Error())
	}
	s.way(WritesNotRead, decision.F(keyResources, strings.Join(resources, " and ")))
	return errors.New(strings.Join(errs, " or "))
}

// readsBack are the kinds whose writes a controller waits to read (the consistency store
// of NewStatefulSetController, stateful_set.go, v1.37.1). Deletions are not among them.
var readsBack = []view.Kind{view.Pods, view.PersistentVolumeClaims, view.StatefulSets}

// readBack are the writes that the caches must hold before the next sync. What the API
// server numbers them is not known before.
func (s *reconcile) readBack() (all []decision.Ruling) {
	if !s.behaviour.readsBack {
		return nil
	}
	for _, k := range readsBack {
		n := 0
		for i := range s.server.writes {
			w := &s.server.writes[i]
			if w.Err == nil && w.Verb != cluster.Delete && w.Kind.GroupKind() == k.GroupKind() {
				n++
			}
		}
		if n > 0 {
			all = append(all, decision.Ruled(ReadsOwnWrites, decision.F(keyResource, k.GroupResource()), decision.F(keyWrite, format.Plural(n, "write"))))
		}
	}
	return all
}
