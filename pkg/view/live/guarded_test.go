package live

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// TestServedOfManyGroups: a server without aggregated discovery is asked for each
// group, without waiting for a limit of the client's, and for a few at a time.
func TestServedOfManyGroups(t *testing.T) {
	const groups = 1500 // client-go's limit would make them last four minutes
	var now, most atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for n := now.Add(1); ; {
			if old := most.Load(); n <= old || most.CompareAndSwap(old, n) {
				break
			}
		}
		defer now.Add(-1)
		answerDiscovery(w, r, groups)
	}))
	t.Cleanup(server.Close)
	done := make(chan error, 1)
	go func() {
		lists, _, err := Served(&rest.Config{Host: server.URL})
		if len(lists) != groups {
			err = errors.Join(err, fmt.Errorf("%d groups", len(lists)))
		}
		done <- err
	}()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	select {
	case err := <-done:
		if err != nil {
			t.Error(err)
		}
	case <-ctx.Done():
		t.Fatal("waits for a limit")
	}
	if most.Load() > discoveries+1 {
		t.Errorf("%d requests at the same time, want at most %d", most.Load(), discoveries)
	}
}

func answerDiscovery(w http.ResponseWriter, r *http.Request, groups int) {
	w.Header().Set("Content-Type", "application/json")
	var answer any
	switch r.URL.Path {
	case "/api":
		answer = metav1.APIVersions{TypeMeta: metav1.TypeMeta{Kind: "APIVersions"}}
	case "/apis":
		list := metav1.APIGroupList{TypeMeta: metav1.TypeMeta{Kind: "APIGroupList", APIVersion: "v1"}}
		for i := range groups {
			name := fmt.Sprintf("g%d.example", i)
			version := metav1.GroupVersionForDiscovery{GroupVersion: name + "/v1", Version: "v1"}
			list.Groups = append(list.Groups, metav1.APIGroup{Name: name, Versions: []metav1.GroupVersionForDiscovery{version}, PreferredVersion: version})
		}
		answer = list
	default:
		answer = metav1.APIResourceList{
			TypeMeta:     metav1.TypeMeta{Kind: "APIResourceList", APIVersion: "v1"},
			GroupVersion: strings.TrimPrefix(r.URL.Path, "/apis/"),
			APIResources: []metav1.APIResource{{Name: "things", Kind: "Thing", Verbs: metav1.Verbs{"list", "watch"}}},
		}
	}
	_ = json.NewEncoder(w).Encode(answer)
}

// TestServedWithoutOneGroup: an extension that is down keeps nothing else from
// being known, and is named.
func TestServedWithoutOneGroup(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/apis/g1.example/v1" {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		answerDiscovery(w, r, 3)
	}))
	t.Cleanup(server.Close)
	lists, unknown, err := Served(&rest.Config{Host: server.URL})
	if err != nil || len(lists) != 2 || !slices.Equal(unknown, []string{"g1.example/v1"}) {
		t.Errorf("%d lists, unknown %q, %v", len(lists), unknown, err)
	}
}

// TestDiscoveryFollowsNoRedirect: clients that ask what a server serves are guarded
// as well.
func TestDiscoveryFollowsNoRedirect(t *testing.T) {
	elsewhere := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		t.Errorf("%s arrived, with %q", r.URL, r.Header.Get("Authorization"))
	}))
	t.Cleanup(elsewhere.Close)
	server := httptest.NewServer(http.RedirectHandler(elsewhere.URL, http.StatusTemporaryRedirect))
	t.Cleanup(server.Close)
	var redirect *Redirected
	if _, _, err := Served(&rest.Config{Host: server.URL, BearerToken: "secret"}); !errors.As(err, &redirect) {
		t.Errorf("got %v", err)
	}
}

// TestListsAtOnce: many kinds are listed some at a time, and all are read.
func TestListsAtOnce(t *testing.T) {
	var now, most atomic.Int64
	a := serve(t, nil)
	a.intercept = func(w http.ResponseWriter, r *request) bool {
		if r.Verb != "list" {
			refuse(w, http.StatusForbidden, metav1.StatusReasonForbidden, r)
			return true
		}
		n := now.Add(1)
		for old := most.Load(); n > old && !most.CompareAndSwap(old, n); old = most.Load() {
		}
		time.Sleep(100 * time.Millisecond) // so that they pile up
		defer now.Add(-1)
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"kind":"PartialObjectMetadataList","apiVersion":"meta.k8s.io/v1","metadata":{"resourceVersion":"1"},"items":[]}`))
		return true
	}
	s, _ := open(t, a.config(), Options{})
	var needs []view.Need
	for i := range 5 * listsAtOnce {
		gvk := schema.GroupVersionKind{Group: fmt.Sprintf("g%d.example", i), Version: "v1", Kind: "Thing"}
		needs = append(needs, view.Need{Kind: view.Kind{GroupVersionKind: gvk, Resource: "things", Namespaced: true}, Namespace: "shop"})
	}
	v := load(t, s, needs...)
	for _, n := range needs {
		if err := readErr(v, n); err != nil {
			t.Error(err)
		}
	}
	if n := most.Load(); n > listsAtOnce || n < 2 {
		t.Errorf("%d lists at the same time, want at most %d", n, listsAtOnce)
	}
}
