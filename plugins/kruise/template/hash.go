package template

import (
	"encoding/json"
	"hash/fnv"
	"strconv"
)

// Hash mirrors DeepHashObject of JSON (k8s.io/kubernetes/pkg/util/hash,
// v1.24 to v1.32): the FNV-1a sum of the bytes as spew prints them, in decimal.
func Hash(text []byte) uint64 {
	h := fnv.New32a()
	out := append(make([]byte, 0, 4*len(text)+16), "([]uint8)["...)
	for i, b := range text {
		if i > 0 {
			out = append(out, ' ')
		}
		out = strconv.AppendUint(out, uint64(b), 10)
	}
	h.Write(append(out, ']'))
	return uint64(h.Sum32())
}

// JSON returns the JSON of API types and maps of text. It panics for what can't be encoded.
//
//go:noinline // it is called at many places
func JSON(v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // API types and maps of text
	}
	return text
}
