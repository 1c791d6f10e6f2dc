package redact

import (
	"encoding/base64"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"
)

// annotations replaces those that may hold a serialized object. Of those that
// decisions read, values within the object are replaced.
func (r *Redactor) annotations(m map[string]any) {
	for _, key := range slices.Sorted(maps.Keys(m)) {
		text, ok := m[key].(string)
		switch {
		case !ok:
			r.walk(m[key])
			continue
		case !serialized(text) && !strings.HasPrefix(text, prefix): // what looks like a stand-in may be equal to one
			continue
		case slices.Contains(r.keep.Annotations, key):
			if kept, ok := r.within(text); ok {
				m[key] = kept
				continue
			}
		}
		m[key] = r.standIn("annotation "+key, text)
	}
}

// within is JSON of an object or a list, in which values are replaced; text
// without such values stays as it is.
func (r *Redactor) within(text string) (string, bool) {
	var before, after any
	if json.Unmarshal([]byte(text), &before) != nil || json.Unmarshal([]byte(text), &after) != nil {
		return "", false
	}
	if _, isText := before.(string); isText {
		return "", false
	}
	r.walk(after)
	if reflect.DeepEqual(before, after) {
		return text, true
	}
	is, err := json.Marshal(after)
	return string(is), err == nil
}

// Bounds of packed data, in bytes: shorter text is a word, longer data that is
// no text is no checksum.
const (
	minPacked   = 8
	maxChecksum = 64
)

// serialized reports whether text may be an object: JSON and YAML in flow style
// have brackets, other YAML has several lines, and both may be packed.
func serialized(text string) bool {
	return strings.ContainsAny(text, "{[\n\r") || packed(text)
}

// standard turns base64 for URLs into the standard one.
var standard = strings.NewReplacer("-", "+", "_", "/")

// packed reports whether text is base64 of an object, or of compressed data.
func packed(text string) bool {
	if len(text) < minPacked {
		return false
	}
	data, err := base64.RawStdEncoding.DecodeString(standard.Replace(strings.TrimRight(text, "=")))
	switch {
	case err != nil:
		return false
	case utf8.Valid(data):
		return serialized(string(data))
	}
	return len(data) > maxChecksum || compressed(data)
}

// compressed reports whether data starts as gzip, zlib, zstd or bzip2 do.
func compressed(data []byte) bool {
	for _, magic := range []string{"\x1f\x8b", "\x78\x01", "\x78\x5e", "\x78\x9c", "\x78\xda", "\x28\xb5\x2f\xfd", "BZh"} {
		if strings.HasPrefix(string(data), magic) {
			return true
		}
	}
	return false
}
