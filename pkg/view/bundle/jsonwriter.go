package bundle

import (
	"encoding/json"
	"errors"
	"fmt"
	"sort"
)

// maxNesting bounds the recursion here: objects are bounded by maxDepth.
const maxNesting = 10_000

// jsonWriter writes what goyaml decodes as JSON.
type jsonWriter struct {
	buf    []byte
	budget int
}

func (w *jsonWriter) value(v any, depth int) error {
	if depth > maxNesting {
		return fmt.Errorf("values are nested deeper than %d", maxNesting)
	}
	if len(w.buf) > w.budget {
		return errors.New("aliases make this document too large")
	}
	switch v := v.(type) {
	case map[any]any:
		return w.object(v, depth)
	case []any:
		return w.array(v, depth)
	}
	return w.scalar(v)
}

func (w *jsonWriter) object(m map[any]any, depth int) error {
	members, err := sorted(m)
	if err != nil {
		return err
	}
	w.buf = append(w.buf, '{')
	for i, member := range members {
		if i > 0 {
			w.buf = append(w.buf, ',')
		}
		if err := w.scalar(member.key); err != nil {
			return err
		}
		w.buf = append(w.buf, ':')
		if err := w.value(member.value, depth+1); err != nil {
			return err
		}
	}
	w.buf = append(w.buf, '}')
	return nil
}

type member struct {
	key   string
	value any
}

// sorted orders members by key, so that equal documents give equal JSON.
func sorted(m map[any]any) ([]member, error) {
	members := make([]member, 0, len(m))
	for k, v := range m {
		key, err := keyText(k)
		if err != nil {
			return nil, err
		}
		members = append(members, member{key, v})
	}
	sort.Slice(members, func(i, j int) bool { return members[i].key < members[j].key })
	return members, nil
}

func (w *jsonWriter) array(items []any, depth int) error {
	w.buf = append(w.buf, '[')
	for i, v := range items {
		if i > 0 {
			w.buf = append(w.buf, ',')
		}
		if err := w.value(v, depth+1); err != nil {
			return err
		}
	}
	w.buf = append(w.buf, ']')
	return nil
}

func (w *jsonWriter) scalar(v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("%v cannot be a value of a Kubernetes object", v)
	}
	w.buf = append(w.buf, text...)
	return nil
}

// keyText is a key as JSON has it: YAML 1.1 reads 1 and on as other types.
func keyText(k any) (string, error) {
	switch k := k.(type) {
	case string:
		return k, nil
	case int, int64, uint64, bool, float64:
		return fmt.Sprint(k), nil
	}
	return "", fmt.Errorf("%v cannot be a key of a Kubernetes object", k)
}
