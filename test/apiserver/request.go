package apiserver

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view/bundle"
)

// request is what a path and a query ask for.
type request struct {
	group, version, namespace, resource, name string
	watch, streams, bare                      bool
	labels                                    labels.Selector
	fields                                    fields.Selector
}

func parse(r *http.Request) (*request, error) {
	parts := strings.Split(strings.Trim(r.URL.Path, "/"), "/")
	group, version := "", ""
	switch {
	case parts[0] == "apis" && len(parts) > 2:
		group, version = parts[1], parts[2]
	case len(parts) > 1:
		version = parts[1]
	}
	parts = parts[min(len(parts), map[string]int{"api": 2, "apis": 3}[parts[0]]):]
	if len(parts) == 0 {
		return nil, fmt.Errorf("%s names no resource", r.URL.Path)
	}
	req := &request{
		group:   group,
		version: version,
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

// served reports whether the kind is served in the version that is asked for:
// those that are known here in theirs alone, all others in any.
func (r *request) served() bool {
	known := false
	for _, k := range view.Kinds() {
		if k.Resource == r.resource && k.Group == r.group {
			if k.Version == r.version {
				return true
			}
			known = true
		}
	}
	return !known
}

// selects reports whether the request asks for an object.
func (r *request) selects(o bundle.Object) bool {
	text := untyped(o)
	return o.Kind.Resource == r.resource && o.Kind.Group == r.group &&
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

// untyped is an object as the server stores it: with a UID.
func untyped(o bundle.Object) map[string]any {
	var text map[string]any
	if err := json.Unmarshal(o.Raw, &text); err != nil {
		panic(err) // it was decoded before
	}
	if meta, ok := text["metadata"].(map[string]any); ok && meta["uid"] == nil {
		meta["uid"] = strings.ToLower(o.Kind.Kind) + "-" + o.Obj.GetNamespace() + "-" + o.Obj.GetName()
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
		if k.Resource == r.resource && k.Group == r.group {
			return k.GroupVersion().WithKind(k.Kind + "List")
		}
	}
	return schema.GroupVersionKind{Version: "v1", Kind: "List"}
}

// Fail answers with a failure.
func Fail(w http.ResponseWriter, code int, reason metav1.StatusReason, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(metav1.Status{
		TypeMeta: metav1.TypeMeta{Kind: "Status", APIVersion: "v1"},
		Status:   metav1.StatusFailure, Code: int32(code), Reason: reason, Message: message,
	})
}
