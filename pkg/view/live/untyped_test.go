package live

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

var (
	shopClones = view.Need{Kind: view.CloneSets, Namespace: "shop", Detail: view.Full}
	oneClone   = view.Need{Kind: view.CloneSets, Namespace: "shop", Name: "web", Detail: view.Full}
)

// clone is a CloneSet with a field that no release known here has.
func clone(version string, replicas int64) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "apps.kruise.io/v1alpha1", "kind": "CloneSet",
		"metadata": map[string]any{
			"name": "web", "namespace": "shop", "uid": "u", "resourceVersion": version,
			"managedFields": []any{map[string]any{"manager": "kubectl", "operation": "Apply"}},
		},
		"spec": map[string]any{"replicas": replicas, "addedLater": map[string]any{"kept": true}},
	}}
}

// clones answers for custom resources, which servers have in JSON only.
type clones struct {
	t       *testing.T
	now     *unstructured.Unstructured
	updates chan *unstructured.Unstructured
	// noList refuses lists, which leaves get.
	noList bool
}

func (c clones) answer(w http.ResponseWriter, r *request) bool {
	if r.Resource != "clonesets" {
		return false
	}
	if accept := r.Header.Get("Accept"); strings.Contains(accept, "protobuf") && !strings.Contains(accept, "json") {
		c.t.Errorf("%s accepts %q alone", r, accept)
	}
	switch {
	case c.noList && r.Verb != "get":
		refuse(w, http.StatusForbidden, metav1.StatusReasonForbidden, r)
	case r.Verb == "watch":
		c.watch(w, r)
	case r.Verb == "get":
		c.write(w, c.now.Object)
	default:
		c.write(w, map[string]any{
			"apiVersion": c.now.GetAPIVersion(), "kind": "CloneSetList",
			"metadata": map[string]any{"resourceVersion": "100"}, "items": []any{c.now.Object},
		})
	}
	return true
}

func (c clones) write(w http.ResponseWriter, obj any) {
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(w).Encode(obj); err != nil {
		c.t.Error(err)
	}
}

func (c clones) watch(w http.ResponseWriter, r *request) {
	w.Header().Set("Content-Type", "application/json")
	for {
		_ = http.NewResponseController(w).Flush()
		select {
		case <-r.Context().Done():
			return
		case u := <-c.updates:
			_ = json.NewEncoder(w).Encode(map[string]any{"type": "MODIFIED", "object": u.Object})
		}
	}
}

func TestUntypedObjectsAreKeptWhole(t *testing.T) {
	for name, c := range map[string]struct {
		need   view.Need
		noList bool
	}{
		"list": {shopClones, false}, "one of a list": {oneClone, false}, "get where lists are forbidden": {oneClone, true},
	} {
		t.Run(name, func(t *testing.T) {
			a := serve(t, nil)
			a.intercept = clones{t: t, now: clone("7", 3), noList: c.noList}.answer
			s, _ := open(t, a.config(), Options{})
			u := theClone(t, load(t, s, c.need))
			if kept, _, _ := unstructured.NestedBool(u.Object, "spec", "addedLater", "kept"); !kept {
				t.Errorf("a field is lost: %v", u.Object)
			}
			if n, _, _ := unstructured.NestedInt64(u.Object, "spec", "replicas"); n != 3 {
				t.Errorf("replicas %d, want them as an integer", n)
			}
			if len(u.GetManagedFields()) > 0 {
				t.Error("managed fields are kept")
			}
		})
	}
}

func TestUntypedChanges(t *testing.T) {
	c := clones{t: t, now: clone("7", 3), updates: make(chan *unstructured.Unstructured, 1)}
	a := serve(t, nil)
	a.intercept = c.answer
	s, _ := open(t, a.config(), Options{})
	before := load(t, s, shopClones)
	c.updates <- clone("8", 5)
	change(t, s)
	if n, _, _ := unstructured.NestedInt64(theClone(t, load(t, s)).Object, "spec", "replicas"); n != 5 {
		t.Errorf("replicas %d, want 5", n)
	}
	if n, _, _ := unstructured.NestedInt64(theClone(t, before).Object, "spec", "replicas"); n != 3 {
		t.Errorf("an earlier view changed: replicas %d", n)
	}
}

func TestUntypedNotServed(t *testing.T) {
	a := serve(t, nil)
	a.intercept = func(w http.ResponseWriter, r *request) bool { http.NotFound(w, r.Request); return true }
	s, _ := open(t, a.config(), Options{})
	err := load(t, s, shopClones).Reader().Err(shopClones)
	var unreadable *Unreadable
	if !errors.As(err, &unreadable) || !apierrors.IsNotFound(err) || !strings.Contains(err.Error(), "does not serve apps.kruise.io/v1alpha1 clonesets") {
		t.Errorf("got %v", err)
	}
}

// TestNotFoundIsNotUnserved: a list that is answered with a Status of 404 was not
// read. API servers answer so for objects; for what they do not serve, with a page.
func TestNotFoundIsNotUnserved(t *testing.T) {
	a := serve(t, nil)
	a.intercept = answer(http.StatusNotFound, metav1.StatusReasonNotFound)
	s, _ := open(t, a.config(), Options{})
	r := load(t, s, shopClones).Reader()
	if err := r.Err(shopClones); apierrors.IsNotFound(err) || !strings.Contains(err.Error(), "try again") {
		t.Errorf("got %v", err)
	}
	if !r.Partial(shopClones) {
		t.Error("the answer is not partial")
	}
}

// TestUntypedLaterVersion: a server without v1alpha1 is read as it serves
// CloneSets, and what deciders get is of v1alpha1.
func TestUntypedLaterVersion(t *testing.T) {
	for name, c := range map[string]struct {
		need   view.Need
		noList bool
	}{
		"list": {shopClones, false}, "get where lists are forbidden": {oneClone, true},
	} {
		t.Run(name, func(t *testing.T) {
			a := serve(t, nil)
			a.intercept = func(w http.ResponseWriter, r *request) bool {
				if strings.Contains(r.URL.Path, "/v1alpha1/") {
					http.NotFound(w, r.Request)
					return true
				}
				now := clone("7", 3)
				now.SetAPIVersion("apps.kruise.io/v1beta1")
				now.Object["spec"].(map[string]any)["updateStrategy"] = map[string]any{
					"type": "RollingUpdate", "rollingUpdate": map[string]any{"podUpdatePolicy": "InPlaceOnly", "partition": int64(2)},
				}
				return clones{t: t, now: now, noList: c.noList}.answer(w, r)
			}
			s, _ := open(t, a.config(), Options{})
			v := load(t, s, c.need)
			u := theClone(t, v)
			if got := u.GetAPIVersion(); got != "apps.kruise.io/v1alpha1" {
				t.Errorf("of %s", got)
			}
			if got, _, _ := unstructured.NestedString(u.Object, "spec", "updateStrategy", "type"); got != "InPlaceOnly" {
				t.Errorf("its type is %q", got)
			}
			if got, _, _ := unstructured.NestedInt64(u.Object, "spec", "updateStrategy", "partition"); got != 2 {
				t.Errorf("its partition is %d", got)
			}
			if !slices.ContainsFunc(v.Notes(), func(n view.Note) bool { return n.Code == view.ReadAsLater }) {
				t.Errorf("nothing says so: %v", v.Notes())
			}
		})
	}
}

func theClone(t *testing.T, v *view.View) *unstructured.Unstructured {
	t.Helper()
	all := v.All(view.CloneSets)
	if len(all) != 1 {
		t.Fatalf("%d CloneSets, want 1", len(all))
	}
	u, ok := all[0].(*unstructured.Unstructured)
	if !ok {
		t.Fatalf("a %T, want it unstructured", all[0])
	}
	return u
}

// nested is a CloneSet with a label selector below so many levels.
func nested(name string, levels int) *unstructured.Unstructured {
	u := clone("7", 3)
	u.SetName(name)
	var value any = "deep"
	for range levels - 2 {
		value = []any{value}
	}
	u.Object["spec"].(map[string]any)["deep"] = value
	return u
}

// TestTooDeep: an object that is nested too deep is named.
func TestTooDeep(t *testing.T) {
	for levels, want := range map[int]string{
		mostLevels:     "",
		mostLevels + 1: "clonesets.apps.kruise.io in namespace shop: CloneSet shop/web is nested deeper than 200 levels: correct or delete it",
		9000:           "clonesets.apps.kruise.io in namespace shop: CloneSet shop/web is nested deeper than 200 levels: correct or delete it",
	} {
		t.Run(fmt.Sprint(levels), func(t *testing.T) {
			a := serve(t, nil)
			a.intercept = clones{t: t, now: nested("web", levels)}.answer
			s, _ := open(t, a.config(), Options{})
			err := load(t, s, shopClones).Reader().Err(shopClones)
			if got := fmt.Sprint(err); err == nil && want != "" || err != nil && !strings.HasPrefix(got, want) {
				t.Errorf("got %v, want %q", err, want)
			}
		})
	}
}

func TestTooDeepInOneObject(t *testing.T) {
	a := serve(t, nil)
	a.intercept = clones{t: t, now: nested("web", 9000), noList: true}.answer
	s, _ := open(t, a.config(), Options{})
	var deep *TooDeep
	if err := load(t, s, oneClone).Reader().Err(oneClone); !errors.As(err, &deep) || deep.Name != "web" {
		t.Errorf("got %v", err)
	}
}

func TestTooDeepInAWatch(t *testing.T) {
	c := clones{t: t, now: clone("7", 3), updates: make(chan *unstructured.Unstructured, 1)}
	a := serve(t, nil)
	a.intercept = c.answer
	s, _ := open(t, a.config(), Options{})
	load(t, s, shopClones)
	c.updates <- nested("web", 9000)
	eventually(t, "another list", func() bool { return len(a.reads()) > 1 })
	if n, _, _ := unstructured.NestedInt64(theClone(t, load(t, s)).Object, "spec", "replicas"); n != 3 {
		t.Errorf("replicas %d, want the last that could be read", n)
	}
}
