package live

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	metainternalversionscheme "k8s.io/apimachinery/pkg/apis/meta/internalversion/scheme"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/rest"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// apiServer speaks as much of the Kubernetes API as reading takes.
type apiServer struct {
	*httptest.Server
	noProtobuf bool
	perPage    int // the most objects of one list; 0 is all
	date       time.Time
	// intercept may answer a request itself, and says whether it did.
	intercept func(w http.ResponseWriter, r *request) bool

	mu       sync.Mutex
	objects  map[string][]runtime.Object // by resource
	requests []*request
	watchers map[chan watch.Event]string // resource
}

// request is a request, taken apart.
type request struct {
	*http.Request
	// Verb is get, list or watch.
	Verb, Namespace, Resource, Name string
}

// String is verb, path and the selectors, for comparisons.
func (r *request) String() string {
	s := r.Verb + " " + r.URL.Path
	q := r.URL.Query()
	for _, key := range []string{"labelSelector", "fieldSelector"} {
		if v := q.Get(key); v != "" {
			s += " " + v
		}
	}
	return s
}

func serve(t testing.TB, objects map[string][]runtime.Object) *apiServer {
	t.Helper()
	a := &apiServer{objects: objects, date: start, watchers: map[chan watch.Event]string{}}
	a.Server = httptest.NewServer(a)
	t.Cleanup(func() {
		a.CloseClientConnections()
		a.Close()
	})
	return a
}

func (a *apiServer) config() *rest.Config { return &rest.Config{Host: a.URL} }

// received are the requests so far.
func (a *apiServer) received() []*request {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Clone(a.requests)
}

// seen lists the requests so far.
func (a *apiServer) seen() []string {
	var out []string
	for _, r := range a.received() {
		out = append(out, r.String())
	}
	return out
}

// reads lists the requests so far without the watches, which follow when they
// get to it.
func (a *apiServer) reads() []string {
	return slices.DeleteFunc(a.seen(), func(r string) bool { return strings.HasPrefix(r, "watch ") })
}

func (a *apiServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	req := parse(r)
	a.mu.Lock()
	a.requests = append(a.requests, req)
	a.mu.Unlock()
	w.Header().Set("Date", a.date.UTC().Format(http.TimeFormat))
	if a.intercept != nil && a.intercept(w, req) {
		return
	}
	switch req.Verb {
	case "watch":
		a.watch(w, req)
	case "get":
		a.get(w, req)
	default:
		a.list(w, req)
	}
}

func parse(r *http.Request) *request {
	req := &request{Request: r, Verb: strings.ToLower(r.Method)}
	parts := strings.Split(strings.Trim(r.URL.Path, "/"), "/")
	before, known := map[string]int{"api": 2, "apis": 3}[parts[0]]
	if !known {
		return req
	}
	parts = parts[min(len(parts), before):]
	if len(parts) > 2 && parts[0] == "namespaces" {
		req.Namespace, parts = parts[1], parts[2:]
	}
	if len(parts) > 0 {
		req.Resource, req.Verb = parts[0], "list"
	}
	if len(parts) > 1 {
		req.Name, req.Verb = parts[1], "get"
	}
	if r.URL.Query().Get("watch") != "" {
		req.Verb = "watch"
	}
	return req
}

// matching lists the objects that the request asks for; of selectors it knows
// metadata.name only.
func (a *apiServer) matching(r *request) []runtime.Object {
	a.mu.Lock()
	defer a.mu.Unlock()
	name := r.Name
	if n, ok := strings.CutPrefix(r.URL.Query().Get("fieldSelector"), "metadata.name="); ok {
		name = n
	}
	var out []runtime.Object
	for _, obj := range a.objects[r.Resource] {
		m := view.Meta(obj)
		if (r.Namespace == "" || m.GetNamespace() == r.Namespace) && (name == "" || m.GetName() == name) {
			out = append(out, obj)
		}
	}
	return out
}

func (a *apiServer) get(w http.ResponseWriter, r *request) {
	found := a.matching(r)
	if len(found) == 0 {
		refuse(w, http.StatusNotFound, metav1.StatusReasonNotFound, r)
		return
	}
	a.write(w, r, found[0])
}

func (a *apiServer) list(w http.ResponseWriter, r *request) {
	objects, next := a.page(r)
	if bareAccepted(r) {
		list := &metav1.PartialObjectMetadataList{ListMeta: metav1.ListMeta{ResourceVersion: "100", Continue: next}}
		for _, obj := range objects {
			list.Items = append(list.Items, *stripped(obj))
		}
		a.write(w, r, list)
		return
	}
	a.write(w, r, typedList(r.Resource, objects, next))
}

// page is the part of a list that the request is after, and how to ask for the
// next one.
func (a *apiServer) page(r *request) ([]runtime.Object, string) {
	all := a.matching(r)
	first, _ := strconv.Atoi(r.URL.Query().Get("continue"))
	if a.perPage == 0 || len(all)-first <= a.perPage {
		return all[first:], ""
	}
	next := first + a.perPage
	return all[first:next], strconv.Itoa(next)
}

// write sends obj as the request accepts it.
func (a *apiServer) write(w http.ResponseWriter, r *request, obj runtime.Object) {
	codecs, info, gv := a.negotiate(r)
	if _, isList := obj.(*metav1.PartialObjectMetadataList); bareAccepted(r) && !isList {
		obj = stripped(obj)
	}
	w.Header().Set("Content-Type", info.MediaType)
	_ = codecs.EncoderForVersion(info.Serializer, gv).Encode(obj, w)
}

func (a *apiServer) negotiate(r *request) (serializer.CodecFactory, runtime.SerializerInfo, runtime.GroupVersioner) {
	mediaType := runtime.ContentTypeJSON
	if strings.HasPrefix(r.Header.Get("Accept"), protobuf) && !a.noProtobuf {
		mediaType = runtime.ContentTypeProtobuf
	}
	if bareAccepted(r) {
		info, _ := runtime.SerializerInfoForMediaType(metainternalversionscheme.Codecs.SupportedMediaTypes(), mediaType)
		return metainternalversionscheme.Codecs, info, metav1.SchemeGroupVersion
	}
	info, _ := runtime.SerializerInfoForMediaType(view.Codecs.SupportedMediaTypes(), mediaType)
	return view.Codecs, info, kindOf(r.Resource).GroupVersion()
}

func bareAccepted(r *request) bool {
	return strings.Contains(r.Header.Get("Accept"), "as=PartialObjectMetadata")
}

func refuse(w http.ResponseWriter, code int, reason metav1.StatusReason, r *request) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(metav1.Status{
		TypeMeta: metav1.TypeMeta{Kind: "Status", APIVersion: "v1"},
		Status:   metav1.StatusFailure, Code: int32(code), Reason: reason,
		Message: fmt.Sprintf("%s: cannot %s %s", reason, r.Verb, r.Resource),
	})
}

// forbid refuses verbs ("list pods", or "list" for all resources) with 403.
func forbid(what ...string) func(http.ResponseWriter, *request) bool {
	return func(w http.ResponseWriter, r *request) bool {
		for _, x := range what {
			if verb, resource, _ := strings.Cut(x, " "); verb == r.Verb && (resource == "" || resource == r.Resource) {
				refuse(w, http.StatusForbidden, metav1.StatusReasonForbidden, r)
				return true
			}
		}
		return false
	}
}

// answer refuses everything with one status.
func answer(code int, reason metav1.StatusReason) func(http.ResponseWriter, *request) bool {
	return func(w http.ResponseWriter, r *request) bool {
		refuse(w, code, reason, r)
		return true
	}
}
