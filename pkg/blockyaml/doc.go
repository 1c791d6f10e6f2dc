// Package blockyaml answers: how does an object look as YAML?
//
// It lays out JSON values as sigs.k8s.io/yaml does, in block style with sorted
// keys, and many times faster: that library converts an object to JSON, parses
// the JSON as YAML, and lays it out then. Only the layout is written here. A
// scalar whose style is not obvious is written by the YAML library.
//
// What could drive a terminal, or is invisible, is an escape in double quotes.
// The data is the same.
package blockyaml
