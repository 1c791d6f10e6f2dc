package live

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

func TestOneRequestPerNeed(t *testing.T) {
	tests := []struct {
		name string
		need view.Need
		want string
	}{
		{"namespace", view.Need{Kind: view.Pods, Namespace: "shop", Detail: view.Full}, "list /api/v1/namespaces/shop/pods"},
		{"metadata", view.Need{Kind: view.Pods, Namespace: "shop"}, "list /api/v1/namespaces/shop/pods"},
		{"everywhere", view.Need{Kind: view.ReplicaSets, Detail: view.Full}, "list /apis/apps/v1/replicasets"},
		{"name", view.Need{Kind: view.ReplicaSets, Namespace: "shop", Name: "web", Detail: view.Full}, "list /apis/apps/v1/namespaces/shop/replicasets metadata.name=web"},
		{"bare name", view.Need{Kind: view.ReplicaSets, Namespace: "shop", Name: "web"}, "list /apis/apps/v1/namespaces/shop/replicasets metadata.name=web"},
		{"labels", view.Need{Kind: view.Pods, Namespace: "shop", Selector: "app=web", Detail: view.Full}, "list /api/v1/namespaces/shop/pods app=web"},
		{"fields", view.Need{Kind: view.Pods, Namespace: "shop", Fields: "status.phase!=Failed", Detail: view.Full}, "list /api/v1/namespaces/shop/pods status.phase!=Failed"},
		{"name and fields", view.Need{Kind: view.Pods, Namespace: "shop", Name: "a", Fields: "x=y"}, "list /api/v1/namespaces/shop/pods metadata.name=a,x=y"},
		{"cluster-scoped", view.Need{Kind: view.Namespaces, Name: "shop", Detail: view.Full}, "list /api/v1/namespaces metadata.name=shop"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a := serve(t, shop())
			s, _ := open(t, a.config(), Options{UserAgent: "kubectl-ctrl/test"})
			load(t, s, tt.need)
			v := load(t, s, tt.need) // asks for nothing new
			if err := readErr(v, tt.need); err != nil {
				t.Error(err)
			}
			if got := a.reads(); !slices.Equal(got, []string{tt.want}) {
				t.Errorf("requests:\n%s\nwant:\n%s", strings.Join(got, "\n"), tt.want)
			}
			checkHeaders(t, a.received()[0], tt.need.Detail)
		})
	}
}

// TestPredictedObjects: what is only predicted is not asked for, and is not there.
func TestPredictedObjects(t *testing.T) {
	a := serve(t, shop())
	s, _ := open(t, a.config(), Options{})
	needs := []view.Need{
		{Kind: view.ReplicaSets, Namespace: "shop", Name: "web-<hash>", Detail: view.Full},
		{Kind: view.Events, Namespace: "shop", Fields: "involvedObject.kind=ReplicaSet,involvedObject.name=web-<hash>", Detail: view.Full},
		{Kind: view.Pods, Namespace: "shop", Selector: "app=web,pod-template-hash=" + view.PredictedHash, Detail: view.Full},
	}
	v := load(t, s, needs...)
	for _, n := range needs {
		if err := readErr(v, n); err != nil {
			t.Error(err)
		}
	}
	if got := a.reads(); len(got) > 0 {
		t.Errorf("requests: %q", got)
	}
}

func checkHeaders(t *testing.T, r *request, d view.Detail) {
	t.Helper()
	accept := r.Header.Get("Accept")
	if !strings.HasPrefix(accept, protobuf) || !strings.Contains(accept, "application/json") {
		t.Errorf("accepts %q, want protobuf, then json", accept)
	}
	if got := bareAccepted(r); got != (d == view.Metadata) {
		t.Errorf("accepts %q at detail %d", accept, d)
	}
	if got := r.Header.Get("User-Agent"); got != "kubectl-ctrl/test" {
		t.Errorf("user agent %q", got)
	}
}

func TestReadsWithLessThanEverything(t *testing.T) {
	all := view.Need{Kind: view.Pods, Namespace: "shop", Detail: view.Full}
	one := view.Need{Kind: view.Pods, Namespace: "shop", Name: "web-2", Detail: view.Full}
	bareOne := view.Need{Kind: view.Pods, Namespace: "shop", Name: "web-2"}
	gone := view.Need{Kind: view.Pods, Namespace: "shop", Name: "web-9", Detail: view.Full}
	tests := []struct {
		name      string
		need      view.Need
		setUp     func(*apiServer)
		pods      string
		requested string // verbs, in order, up to the answer
	}{
		{"json only", all, func(a *apiServer) { a.noProtobuf = true }, "web-1 web-2 web-3", "list"},
		{"json metadata", bareOne, func(a *apiServer) { a.noProtobuf = true }, "web-2", "list"},
		{"get and list", all, func(a *apiServer) { a.intercept = forbid("watch") }, "web-1 web-2 web-3", "list"},
		{"get", one, func(a *apiServer) { a.intercept = forbid("watch", "list") }, "web-2", "list get"},
		{"get metadata", bareOne, func(a *apiServer) { a.intercept = forbid("watch", "list") }, "web-2", "list get"},
		{"get cluster-scoped", view.Need{Kind: view.Namespaces, Name: "shop", Detail: view.Full}, func(a *apiServer) { a.intercept = forbid("watch", "list") }, "", "list get"},
		{"get nothing", gone, func(a *apiServer) { a.intercept = forbid("watch", "list") }, "", "list get"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a := serve(t, shop())
			tt.setUp(a)
			s, _ := open(t, a.config(), Options{})
			v := load(t, s, tt.need)
			if err := readErr(v, tt.need); err != nil {
				t.Error(err)
			}
			if got := names(v, view.Pods); got != tt.pods {
				t.Errorf("pods %q, want %q", got, tt.pods)
			}
			if got := verbs(a); !strings.HasPrefix(got, tt.requested) {
				t.Errorf("requested %q, want %q first", got, tt.requested)
			}
			if got := len(v.Notes()); got != 0 {
				t.Errorf("a one-shot answer has %d notes: %v", got, v.Notes())
			}
		})
	}
}

// A list of the server's cache might be older than the change that someone asks
// about.
func TestListsAreOfNow(t *testing.T) {
	a := serve(t, shop())
	a.perPage = 2
	s, _ := open(t, a.config(), Options{})
	v := load(t, s, view.Need{Kind: view.Pods, Namespace: "shop", Detail: view.Full})
	if got := names(v, view.Pods); got != "web-1 web-2 web-3" {
		t.Errorf("pods %q", got)
	}
	var pages []string
	for _, r := range a.received() {
		if q := r.URL.Query(); r.Verb == "list" {
			pages = append(pages, fmt.Sprintf("version %q, at most %s, from %q", q.Get("resourceVersion"), q.Get("limit"), q.Get("continue")))
		}
	}
	want := []string{`version "", at most 5000, from ""`, `version "", at most 5000, from "2"`}
	if !slices.Equal(pages, want) {
		t.Errorf("asked for %q, want %q", pages, want)
	}
}

func verbs(a *apiServer) string {
	var out []string
	for _, r := range a.seen() {
		out = append(out, strings.Fields(r)[0])
	}
	return strings.Join(out, " ")
}

func TestManyNarrowNeedsAreOneRequest(t *testing.T) {
	a := serve(t, shop())
	s, _ := open(t, a.config(), Options{})
	load(t, s, named("shop", 6)...)
	if got := a.reads(); !slices.Equal(got, []string{"list /api/v1/namespaces/shop/pods"}) {
		t.Errorf("requests: %q", got)
	}
	// Narrow ones that are running make way when more of them come.
	load(t, s, named("mall", 4)...)
	v := load(t, s, named("mall", 5)...)
	if got := len(s.informers); got != 2 {
		t.Errorf("%d informers run, want 2", got)
	}
	if err := readErr(v, named("mall", 5)[2]); err != nil {
		t.Error(err)
	}
}

func TestForbiddenWideNeedFallsBackToNarrowOnes(t *testing.T) {
	a := serve(t, shop())
	a.intercept = forbid("watch", "list")
	s, _ := open(t, a.config(), Options{})
	v := load(t, s, named("shop", 6)...)
	if got := names(v, view.Pods); got != "web-1 web-2 web-3" {
		t.Errorf("pods %q", got)
	}
	for _, n := range named("shop", 6) {
		if err := readErr(v, n); err != nil {
			t.Error(err)
		}
	}
	// The wide need was nobody's question: it may yet be asked.
	r := v.Reader()
	_ = r.Err(view.Need{Kind: view.Pods, Namespace: "shop", Detail: view.Full})
	if len(r.Missing()) != 1 {
		t.Error("the wide need counts as asked")
	}
}

func TestForbiddenEverywhereFallsBackToNamespaces(t *testing.T) {
	a := serve(t, shop())
	a.intercept = func(w http.ResponseWriter, r *request) bool {
		return r.Namespace == "" && forbid("list")(w, r)
	}
	s, _ := open(t, a.config(), Options{})
	var needs []view.Need
	for _, ns := range []string{"a", "b", "c", "d", "shop"} {
		needs = append(needs, view.Need{Kind: view.Pods, Namespace: ns})
	}
	v := load(t, s, needs...)
	for _, n := range needs {
		if err := readErr(v, n); err != nil {
			t.Error(err)
		}
	}
	if got := names(v, view.Pods); got != "web-1 web-2 web-3" {
		t.Errorf("pods %q", got)
	}
}

func named(namespace string, n int) []view.Need {
	var out []view.Need
	for i := range n {
		out = append(out, view.Need{Kind: view.Pods, Namespace: namespace, Name: fmt.Sprintf("web-%d", i+1), Detail: view.Full})
	}
	return out
}
