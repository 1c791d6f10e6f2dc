package cli

import (
	"encoding/json"
	"errors"
	"flag"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"

	"github.com/rogpeppe/go-internal/testscript"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view/bundle"
)

// server speaks as much of the Kubernetes API as answers take: version, get,
// list, and watches, in JSON.
type server struct {
	version string
	// forbidden are resources that this user may not read, everywhere or, as
	// pods@kube-system, in a namespace; all refuses everything, with 401.
	forbidden []string
	all       bool
	// unserved are resources whose API is not installed.
	unserved []string

	mu       sync.Mutex
	objects  []bundle.Object
	revision int
	watches  map[chan change]*request
	past     []change
}

func newServer(objs []bundle.Object) *server {
	return &server{version: "v1.36.3", objects: objs, revision: 1, watches: map[chan change]*request{}}
}

// apiserver starts a server with the objects of files for the script, and a
// kubeconfig for it:
//
//	apiserver [-forbid RESOURCE,...] [-unserved RESOURCE,...] [-unauthorized] [-down] FILE...
func apiserver(ts *testscript.TestScript, _ bool, args []string) {
	flags := flag.NewFlagSet("apiserver", flag.ContinueOnError)
	forbid := flags.String("forbid", "", "resources that can't be read")
	unserved := flags.String("unserved", "", "resources that no API serves")
	unauthorized := flags.Bool("unauthorized", false, "accept no credentials")
	down := flags.Bool("down", false, "refuse connections")
	name := flags.String("context", "", "add a context of this name")
	ts.Check(flags.Parse(args))
	files := flags.Args()
	for i, name := range files {
		files[i] = ts.MkAbs(name)
	}
	objs, err := bundle.ReadObjects(files, nil)
	ts.Check(err)
	s := newServer(objs)
	s.forbidden, s.all = strings.Split(*forbid, ","), *unauthorized
	s.unserved = strings.Split(*unserved, ",")
	web := httptest.NewServer(s)
	ts.Defer(web.Close)
	ts.Defer(web.CloseClientConnections)
	if *down {
		web.Close()
	}
	if *name != "" {
		ts.Check(addContext(ts.Getenv("KUBECONFIG"), *name, web.URL))
		return
	}
	ts.Check(os.WriteFile(ts.Getenv("KUBECONFIG"), []byte(kubeconfig(web.URL)), 0o600))
}

// addContext adds a context to a kubeconfig that may not exist yet.
func addContext(path, name, url string) error {
	config, err := clientcmd.LoadFromFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		config, err = clientcmdapi.NewConfig(), nil
	}
	if err != nil {
		return err
	}
	config.Clusters[name] = &clientcmdapi.Cluster{Server: url}
	config.AuthInfos[name] = &clientcmdapi.AuthInfo{Token: "secret"}
	config.Contexts[name] = &clientcmdapi.Context{Cluster: name, AuthInfo: name, Namespace: "shop"}
	return clientcmd.WriteToFile(*config, path)
}

// kubeconfig has two contexts of one server.
func kubeconfig(url string) string {
	return `apiVersion: v1
kind: Config
clusters: [{name: test, cluster: {server: "` + url + `"}}]
users: [{name: reader, user: {token: secret}}]
contexts:
- {name: shop, context: {cluster: test, user: reader, namespace: shop}}
- {name: blog, context: {cluster: test, user: reader, namespace: blog}}
current-context: shop
`
}

// request is what a path and a query ask for.
type request struct {
	namespace, resource, name string
	watch, streams, bare      bool
	labels                    labels.Selector
	fields                    fields.Selector
}

func parse(r *http.Request) (*request, error) {
	parts := strings.Split(strings.Trim(r.URL.Path, "/"), "/")
	parts = parts[min(len(parts), map[string]int{"api": 2, "apis": 3}[parts[0]]):]
	req := &request{
		watch:   r.URL.Query().Get("watch") != "",
		streams: r.URL.Query().Get("sendInitialEvents") != "",
		bare:    strings.Contains(r.Header.Get("Accept"), "as=PartialObjectMetadata"),
	}
	if len(parts) > 2 && parts[0] == "namespaces" {
		req.namespace, parts = parts[1], parts[2:]
	}
	req.resource, parts = parts[0], parts[1:]
	if len(parts) > 0 {
		req.name = parts[0]
	}
	var err error
	if req.labels, err = labels.Parse(r.URL.Query().Get("labelSelector")); err != nil {
		return nil, err
	}
	req.fields, err = fields.ParseSelector(r.URL.Query().Get("fieldSelector"))
	return req, err
}

// selects tells whether the request asks for an object.
func (r *request) selects(o bundle.Object) bool {
	text := untyped(o)
	return o.Kind.Resource == r.resource &&
		(r.namespace == "" || r.namespace == o.Obj.GetNamespace()) &&
		(r.name == "" || r.name == o.Obj.GetName()) &&
		r.labels.Matches(labels.Set(o.Obj.GetLabels())) &&
		r.fields.Matches(fieldsOf(text))
}

// fieldsOf reads fields by their path.
type fieldsOf map[string]any

func (f fieldsOf) Has(path string) bool { return f.Get(path) != "" }

func (f fieldsOf) Get(path string) string {
	text, _, _ := unstructured.NestedString(f, strings.Split(path, ".")...)
	return text
}

func untyped(o bundle.Object) map[string]any {
	var text map[string]any
	if err := json.Unmarshal(o.Raw, &text); err != nil {
		panic(err) // it was decoded before
	}
	return text
}

// shape is the object as the request wants it.
func (r *request) shape(o bundle.Object) map[string]any {
	text := untyped(o)
	text["apiVersion"], text["kind"] = o.Kind.GroupVersion().String(), o.Kind.Kind
	if r.bare {
		return map[string]any{"apiVersion": metav1.SchemeGroupVersion.String(), "kind": "PartialObjectMetadata", "metadata": text["metadata"]}
	}
	return text
}

// listKind is the kind of a list that may be empty.
func (r *request) listKind() schema.GroupVersionKind {
	if r.bare {
		return metav1.SchemeGroupVersion.WithKind("PartialObjectMetadataList")
	}
	for _, k := range view.Kinds() {
		if k.Resource == r.resource {
			return k.GroupVersion().WithKind(k.Kind + "List")
		}
	}
	return schema.GroupVersionKind{Version: "v1", Kind: "List"}
}

func status(w http.ResponseWriter, code int, reason metav1.StatusReason, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(metav1.Status{
		TypeMeta: metav1.TypeMeta{Kind: "Status", APIVersion: "v1"},
		Status:   metav1.StatusFailure, Code: int32(code), Reason: reason, Message: message,
	})
}
