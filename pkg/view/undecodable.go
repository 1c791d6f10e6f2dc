package view

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
)

// Undecodable is what a decoder of JSON says, in words of YAML: of a value of the wrong type,
// the field and what is expected there.
func Undecodable(err error) error {
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return fmt.Errorf("%sexpected %s, found %s", strings.TrimPrefix(wrong.Field+": ", ": "), kindOfType(wrong.Type), kindOfValue(wrong.Value))
	}
	if text, ok := strings.CutPrefix(err.Error(), "json: "); ok {
		return errors.New(text)
	}
	return err
}

// kindOfType names what a Go type is decoded from.
func kindOfType(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Pointer:
		return kindOfType(t.Elem())
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "a boolean"
	case reflect.Slice, reflect.Array:
		return "a list"
	case reflect.Map, reflect.Struct, reflect.Interface:
		return "an object"
	case reflect.Float32, reflect.Float64:
		return "a number"
	}
	return "a whole number"
}

// kindOfValue names a value as a decoder does: "string", "bool", "array", "number 1.5".
func kindOfValue(value string) string {
	switch value {
	case "array":
		return "a list"
	case "bool":
		return "a boolean"
	case "object":
		return "an object"
	case "string", "number":
		return "a " + value
	}
	return value
}
