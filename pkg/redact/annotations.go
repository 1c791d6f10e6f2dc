package redact

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// annotations replaces those that may hold a serialized object or a password. Of
// those that decisions read, values within the object are replaced.
func (r *Redactor) annotations(m map[string]any) {
	for _, key := range slices.Sorted(maps.Keys(m)) {
		text, ok := m[key].(string)
		switch {
		case !ok:
			r.walk(m[key])
			continue
		case !suspect(text) && !strings.HasPrefix(text, prefix): // what looks like a stand-in may be equal to one
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
