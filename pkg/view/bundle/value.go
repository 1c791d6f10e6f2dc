package bundle

import (
	"errors"
	"strings"
)

// typeMeta is what tells an object's type. It is decoded leniently: a wrong
// type becomes an error message of its own.
type typeMeta struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
}

// value is one top-level value of a document: an object, or a list that has
// been split into its items.
type value struct {
	typeMeta
	line   int
	raw    []byte
	isList bool
	items  []value
}

// inherit fills in the type that a typed list gives its items.
func (v *value) inherit(element typeMeta) {
	if v.Kind == "" {
		v.Kind = element.Kind
	}
	if v.APIVersion == "" && v.Kind == element.Kind {
		v.APIVersion = element.APIVersion
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

// plain drops the decoder's prefix, which would read as if JSON were expected.
func plain(err error) error {
	if text, ok := strings.CutPrefix(err.Error(), "json: "); ok {
		return errors.New(text)
	}
	return err
}
