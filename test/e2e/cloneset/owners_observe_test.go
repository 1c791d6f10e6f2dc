package cloneset

import (
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/test/controlplane"
)

// controllers holds the controller of each pod, revision and CloneSet, as
// kind/name, by namespace and object. It is empty for those without one.
type controllers map[[2]string]string

// controllersIn reads those of a namespace.
func (w *world) controllersIn() controllers {
	w.Helper()
	known := controllers{}
	for _, p := range w.pods() {
		known[[2]string{w.namespace, "pod/" + p.Name}] = controllerOf(p)
	}
	revisions, err := env.client.AppsV1().ControllerRevisions(w.namespace).List(w.Context(), metav1.ListOptions{})
	w.check(err)
	for i := range revisions.Items {
		known[[2]string{w.namespace, "controllerrevision/" + revisions.Items[i].Name}] = controllerOf(&revisions.Items[i])
	}
	sets, err := w.sets().List(w.Context(), metav1.ListOptions{})
	w.check(err)
	for i := range sets.Items {
		known[[2]string{w.namespace, "cloneset/" + sets.Items[i].GetName()}] = controllerOf(&sets.Items[i])
	}
	return known
}

func controllerOf(obj metav1.Object) string {
	if ref := metav1.GetControllerOf(obj); ref != nil {
		return strings.ToLower(ref.Kind) + "/" + ref.Name
	}
	return ""
}

// isManagers reports whether the manager wrote something, and it was stored. What
// fails is reported by events again and again: they do not count.
func isManagers(e controlplane.AuditEvent) bool {
	return e.Stage == "ResponseComplete" && e.User.Username == controlplane.KruiseUser &&
		verbs[e.Verb] != "" && e.ObjectRef.Resource != "events" && e.ResponseStatus.Code < http.StatusMultipleChoices
}

// deed reads what a write did to the controller of an object that was there, or
// to a volume claim; it is empty for anything else.
func (c controllers) deed(e controlplane.AuditEvent) string {
	if e.ObjectRef.Resource == "persistentvolumeclaims" && e.Verb == "delete" {
		return "persistentvolumeclaim/" + e.ObjectRef.Name + " deleted"
	}
	object := strings.ToLower(kinds[e.ObjectRef.Resource]) + "/" + e.ObjectRef.Name
	key := [2]string{e.ObjectRef.Namespace, object}
	was, known := c[key]
	if !known || e.Verb == "delete" {
		return ""
	}
	var now metav1.PartialObjectMetadata
	if json.Unmarshal(e.ResponseObject, &now) != nil {
		return ""
	}
	c[key] = controllerOf(&now)
	switch was {
	case c[key]:
		return ""
	case "":
		return object + " adopted by " + c[key]
	}
	return object + " released by " + was
}

// observeDeeds reads what the manager did to owners and claims of each namespace, until
// it has been silent for a while with all that was predicted done.
func (w *world) observeDeeds(since controlplane.AuditMark, known controllers, all []*told) map[string][]string {
	w.Helper()
	seen := map[string]map[string]bool{}
	last := time.Now()
	ctx, cancel := context.WithTimeout(w.Context(), patience)
	defer cancel()
	err := env.WaitFor(ctx, "the manager to act", func(context.Context) (bool, error) {
		events, next, err := env.AuditEvents(since)
		since = next
		for _, e := range events {
			if !isManagers(e) {
				continue
			}
			last = time.Now()
			if d := known.deed(e); d != "" {
				if seen[e.ObjectRef.Namespace] == nil {
					seen[e.ObjectRef.Namespace] = map[string]bool{}
				}
				seen[e.ObjectRef.Namespace][d] = true
			}
		}
		return time.Since(last) > quiet && isAllDone(all, seen), err
	})
	if err != nil {
		w.Log(err) // the comparison says what is missing
	}
	done := map[string][]string{}
	for ns, deeds := range seen {
		done[ns] = slices.Sorted(maps.Keys(deeds))
	}
	return done
}

func isAllDone(all []*told, seen map[string]map[string]bool) bool {
	for _, s := range all {
		for _, d := range s.predicted() {
			if !seen[s.namespace][d] {
				return false
			}
		}
	}
	return true
}
