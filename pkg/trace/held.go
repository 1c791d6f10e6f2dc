package trace

import (
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/tools/cache"
)

// What is held at one time.
const (
	// mostHeld bounds the JSON of what a record holds.
	mostHeld = 1 << 30
	// mostTraced bounds what a live trace holds, and what a list that is streamed to it brings,
	// as sizeOf counts.
	mostTraced int64 = 2 << 30
)

func tooMuch(what string, most int64) error {
	return fmt.Errorf("%s more than %d MiB at one time: trace one --namespace, or one TYPE", what, most>>20)
}

// overfull is the error of objects that take too many bytes.
func overfull(bytes int64) error {
	if bytes <= mostTraced {
		return nil
	}
	return tooMuch("the trace holds objects of", mostTraced)
}

// held is what a record holds at one time: the length of each object's JSON, and of all.
type held struct {
	lengths map[string]int
	bytes   int
}

// take counts an object of a delta as it is now.
func (h *held) take(l line, obj metav1.Object, length int) error {
	if h.lengths == nil {
		h.lengths = map[string]int{}
	}
	key := l.Kind + "/" + cache.MetaObjectToName(obj).String()
	h.bytes -= h.lengths[key]
	if delete(h.lengths, key); l.Type == cache.Deleted || l.Tombstone {
		return nil
	}
	h.lengths[key] = length
	if h.bytes += length; h.bytes > mostHeld {
		return tooMuch("the record holds objects with JSON of", mostHeld)
	}
	return nil
}

// perObject is about what an object takes besides its content.
const perObject = 1 << 10

// sizeOf is about how much memory an object takes: nothing for none.
func sizeOf(obj any) int64 {
	switch o := obj.(type) {
	case *unstructured.Unstructured:
		return perObject + sizeOfValue(o.Object)
	case interface{ Size() int }: // in protobuf
		return perObject + int64(o.Size())
	}
	return 0
}

// perValue is about what a value of an untyped object takes besides its text.
const perValue = 32

func sizeOfValue(v any) (n int64) {
	switch v := v.(type) {
	case map[string]any:
		for key, value := range v {
			n += int64(len(key)) + sizeOfValue(value)
		}
	case []any:
		for _, value := range v {
			n += sizeOfValue(value)
		}
	case string:
		n = int64(len(v))
	}
	return perValue + n
}
