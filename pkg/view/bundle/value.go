package bundle

import (
	"encoding/json"
	"errors"
	"strings"

	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// typeMeta is what tells an object's type. It is decoded leniently: a wrong
// type becomes an error message of its own.
type typeMeta struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
}

// typeOf is the type of an object as far as it can be read.
func typeOf(raw []byte) typeMeta {
	var t typeMeta
	_ = utiljson.Unmarshal(raw, &t) // what is no object has none
	return t
}

// inherit fills in the type that a typed list gives its items.
func (t *typeMeta) inherit(element typeMeta) {
	if t.Kind == "" {
		t.Kind = element.Kind
	}
	if t.APIVersion == "" && t.Kind == element.Kind {
		t.APIVersion = element.APIVersion
	}
}

// element is the type of the items of a list of one kind.
func (t typeMeta) element() (typeMeta, bool) {
	kind, ok := strings.CutSuffix(t.Kind, "List")
	return typeMeta{t.APIVersion, kind}, ok && kind != ""
}

func (t typeMeta) listKind() bool { return strings.HasSuffix(t.Kind, "List") }

// check tells what a type lacks.
func (t typeMeta) check() error {
	switch {
	case t.Kind == "" && t.APIVersion == "":
		return errors.New("this is no Kubernetes object: kind and apiVersion are missing")
	case t.Kind == "":
		return errors.New("kind is missing")
	case t.APIVersion == "":
		return errors.New("apiVersion is missing")
	}
	return nil
}

// opening is how the JSON of a token starts.
func opening(token json.Token) []byte {
	switch t := token.(type) {
	case json.Delim:
		return []byte(t.String())
	case string:
		return []byte(`"`)
	case bool:
		return []byte("t")
	}
	return []byte("0")
}

// describe names a JSON value for messages.
func describe(raw []byte) string {
	switch {
	case len(raw) == 0 || raw[0] == 'n':
		return "null"
	case raw[0] == '{':
		return "an object"
	case raw[0] == '[':
		return "a list without kind; give the whole output of kubectl get, not its items alone"
	case raw[0] == '"':
		return "a string"
	case raw[0] == 't' || raw[0] == 'f':
		return "a boolean"
	}
	return "a number"
}
