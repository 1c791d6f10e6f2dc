package live

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/json"
	"k8s.io/client-go/rest"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// Unexpected is the error of an answer that holds something else than what was
// asked for. client-go decodes such answers, and takes what it misses for empty.
type Unexpected struct{ Reason string }

func (e *Unexpected) Error() string { return e.Reason }

func unexpected(format string, args ...any) error { return &Unexpected{fmt.Sprintf(format, args...)} }

// typed is the apiVersion and kind that a JSON value says it has.
type typed struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
}

func typedAs(gvk schema.GroupVersionKind) typed {
	return typed{gvk.GroupVersion().String(), gvk.Kind}
}

func (t typed) list() typed { return typed{t.APIVersion, t.Kind + "List"} }

func (t typed) String() string {
	if t.Kind == "" {
		return "an object without a kind"
	}
	return t.APIVersion + " " + t.Kind
}

// items is the field of a list. Servers written in Go send null for none.
type items struct {
	sent  bool
	kinds []typed
}

func (i *items) UnmarshalJSON(text []byte) error {
	i.sent = true
	return json.Unmarshal(text, &i.kinds)
}

// checkObject checks that r is one object of one of the kinds, as far as its
// encoding says. Protobuf says it with the type that is decoded.
func checkObject(r rest.Result, kinds ...typed) error {
	var got typed
	if err := envelope(r, &got, &got); err != nil || !isJSON(r) {
		return err
	}
	return among(got, kinds)
}

// checkList checks that r is a list of objects of one of the kinds. Items may
// leave out what the list says of them.
func checkList(r rest.Result, kinds ...typed) error {
	var list struct {
		typed
		Items items `json:"items"`
	}
	if err := envelope(r, &list, &list.typed); err != nil || !isJSON(r) {
		return err
	}
	i := slices.IndexFunc(kinds, func(k typed) bool { return k.list() == list.typed })
	switch {
	case i < 0:
		return among(list.typed, []typed{kinds[0].list()})
	case !list.Items.sent:
		return unexpected("the server sent a %s without items", list.Kind)
	}
	for n, item := range list.Items.kinds {
		if item != (typed{}) && item != kinds[i] {
			return unexpected("the server sent a %s whose items[%d] is %s", list.Kind, n, item)
		}
	}
	return nil
}

func among(got typed, kinds []typed) error {
	if slices.Contains(kinds, got) {
		return nil
	}
	return unexpected("the server sent %s instead of %s", got, kinds[0])
}

// envelope decodes into what the JSON of r says of itself, its type among that.
// A failure that the server sends with a status of success is that failure.
func envelope(r rest.Result, into any, of *typed) error {
	if err := r.Error(); err != nil || !isJSON(r) {
		return err
	}
	text, _ := r.Raw() // its error is the one above
	if err := json.Unmarshal(text, into); err != nil {
		return err
	}
	if of.Kind == "Status" {
		if _, err := r.Get(); err != nil {
			return err
		}
	}
	return nil
}

func isJSON(r rest.Result) bool {
	var contentType string
	r.ContentType(&contentType)
	return !strings.HasPrefix(contentType, protobuf)
}

// ofType checks the type that an answer was decoded as.
func ofType(obj runtime.Object, want schema.GroupVersionKind) error {
	kinds, _, err := view.Scheme.ObjectKinds(obj)
	if err != nil || slices.Contains(kinds, want) {
		return err
	}
	return unexpected("the server sent %s instead of %s", typedAs(kinds[0]), typedAs(want))
}

// belongs checks that obj, or each object of a list, is one that need asks for.
func belongs(need view.Need, obj runtime.Object) error {
	if meta.IsListType(obj) {
		return meta.EachListItem(obj, func(item runtime.Object) error { return belongs(need, item) })
	}
	m, err := meta.Accessor(obj)
	switch {
	case err != nil:
		return err
	case m.GetName() == "":
		return unexpected("the server sent a %s without a name", need.Kind.Kind)
	case need.Name != "" && m.GetName() != need.Name, need.Namespace != "" && m.GetNamespace() != need.Namespace:
		return unexpected("the server sent %s %s, which was not asked for", need.Kind.Kind, fullName(m))
	case m.GetUID() == "" && stored(need.Kind):
		return unexpected("the server sent %s %s without a uid, by which owners are known", need.Kind.Kind, fullName(m))
	}
	return nil
}

// stored reports whether an API server stores objects of a kind, so that each has a UID.
// Extensions may serve others, such as measurements.
func stored(k view.Kind) bool {
	return slices.ContainsFunc(view.Kinds(), func(known view.Kind) bool { return known.GroupKind() == k.GroupKind() })
}

func fullName(m metav1.Object) string {
	return strings.TrimPrefix(m.GetNamespace()+"/"+m.GetName(), "/")
}
