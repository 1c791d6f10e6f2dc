package bundle

import (
	"fmt"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// Object is one object of a file, with the place it was found at.
type Object struct {
	Kind view.Kind
	Obj  metav1.Object
	File string
	Line int
	// Raw is the JSON of the document or list item, with the file's values.
	Raw []byte
	// Written is the version that a manifest is written in, which Kind may not have.
	Written string
}

// kindOf finds the View's kind of an object. known is false for kinds that no
// decision reads; a known kind in another API version is an error, because
// leaving it out would change answers without a word.
func kindOf(t typeMeta) (kind view.Kind, known bool, err error) {
	if err := t.check(); err != nil {
		return view.Kind{}, false, err
	}
	gv, err := schema.ParseGroupVersion(t.APIVersion)
	if err != nil {
		return view.Kind{}, false, fmt.Errorf("apiVersion %q is not of the form group/version", t.APIVersion)
	}
	kinds := view.Kinds()
	i := slices.IndexFunc(kinds, func(k view.Kind) bool { return k.Kind == t.Kind && k.Group == gv.Group })
	if i < 0 {
		i = slices.IndexFunc(kinds, func(k view.Kind) bool { return k.Kind == t.Kind })
	}
	if i < 0 {
		return view.Kind{}, false, nil
	}
	kind = kinds[i]
	switch {
	case gv == kind.GroupVersion(), gv.Group == kind.Group && !kind.Typed():
		kind.Version = gv.Version
		return kind, true, nil
	case gv.Group == kind.Group || gv.Group == "extensions":
		return kind, false, fmt.Errorf("%s is of %s, which cannot be read: get it as %s with kubectl get %s.%s, or write its manifest as %[3]s",
			strings.ToLower(t.Kind), t.APIVersion, kind.GroupVersion(), kind.Resource, strings.TrimSuffix(kind.Version+"."+kind.Group, "."))
	}
	return view.Kind{}, false, nil // another group's kind of the same name
}

// known is the piece in the kind's own version, and reports whether it was of a
// later one.
func (p piece) known(kind view.Kind, f view.Form) (piece, view.Kind, bool) {
	own, another := view.OwnVersion(&kind)
	if !another {
		return p, kind, false
	}
	raw, later, err := view.FromLaterJSON(p.raw, f)
	if err != nil || !later {
		return p, kind, false // decoding says what is wrong, and where
	}
	p.raw = raw
	return p, own, true
}

// decode makes the piece's typed object.
func (p piece) decode(kind view.Kind) (Object, error) {
	if !kind.Typed() {
		return p.decodeUntyped(kind)
	}
	obj, err := view.Scheme.New(kind.GroupVersionKind)
	if err != nil {
		return Object{}, p.wrap(err)
	}
	return p.decodeInto(kind, obj)
}

// decodeInto makes the piece's typed object of obj, which is empty.
func (p piece) decodeInto(kind view.Kind, obj runtime.Object) (Object, error) {
	if err := utiljson.Unmarshal(p.raw, obj); err != nil {
		return Object{}, p.wrap(fmt.Errorf("%s: %w", p.name(kind.Kind), view.Undecodable(err)))
	}
	obj.GetObjectKind().SetGroupVersionKind(kind.GroupVersionKind)
	return p.object(kind, view.Meta(obj))
}

// decodeUntyped keeps the piece's object as it stands, with fields that nobody
// here knows.
func (p piece) decodeUntyped(kind view.Kind) (Object, error) {
	obj := &unstructured.Unstructured{}
	if err := utiljson.Unmarshal(p.raw, &obj.Object); err != nil {
		return Object{}, p.wrap(fmt.Errorf("%s: %w", p.name(kind.Kind), view.Undecodable(err)))
	}
	return p.object(kind, obj)
}

// decodeMetadata makes the piece's bare metadata.
func (p piece) decodeMetadata(kind view.Kind) (Object, error) {
	obj := &metav1.PartialObjectMetadata{}
	if err := utiljson.Unmarshal(p.raw, obj); err != nil {
		return Object{}, p.wrap(fmt.Errorf("%s: %w", p.name(kind.Kind), view.Undecodable(err)))
	}
	obj.SetGroupVersionKind(kind.GroupVersionKind)
	return p.object(kind, obj)
}

func (p piece) object(kind view.Kind, obj metav1.Object) (Object, error) {
	if obj.GetName() == "" {
		return Object{}, p.wrap(fmt.Errorf("%s: metadata.name is missing", strings.ToLower(kind.Kind)))
	}
	if !kind.Namespaced {
		obj.SetNamespace("")
	}
	return Object{Kind: kind, Obj: obj, File: p.file, Line: p.line, Raw: p.raw}, nil
}

// name names an object that does not decode, as far as its metadata can be
// read.
func (p piece) name(kind string) string {
	var o struct {
		Metadata struct {
			Namespace any `json:"namespace"`
			Name      any `json:"name"`
		} `json:"metadata"`
	}
	_ = utiljson.Unmarshal(p.raw, &o) // a wrong type elsewhere leaves this readable
	namespace, _ := o.Metadata.Namespace.(string)
	name, _ := o.Metadata.Name.(string)
	return ref(kind, namespace, name)
}

func (p piece) ref() string { return p.name(p.Kind) }

// ref is kind/namespace/name, without what is empty.
func ref(kind, namespace, name string) string {
	var parts []string
	for _, part := range []string{strings.ToLower(kind), namespace, name} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, "/")
}

func (o Object) ref() string { return ref(o.Kind.Kind, o.Obj.GetNamespace(), o.Obj.GetName()) }

func (o Object) place() string { return fmt.Sprintf("%s:%d", o.File, o.Line) }
