package fuzz

import (
	"bytes"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// rich is a cluster with every kind that an answer reads, in the namespace shop
// and again in the namespace calm, where nothing is ever changed.
type rich struct{ shop, calm, shared []object }

func richCluster(t testing.TB) rich {
	t.Helper()
	shop := read(t, "testdata/rich.yaml")
	return rich{objectsOf(t, shop), objectsOf(t, bytes.ReplaceAll(shop, []byte("shop"), []byte("calm"))), objectsOf(t, read(t, "testdata/shared.yaml"))}
}

func read(t testing.TB, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func objectsOf(t testing.TB, text []byte) []object {
	t.Helper()
	var out []object
	for doc := range strings.SplitSeq(string(text), "\n---\n") {
		var o object
		if err := yaml.Unmarshal([]byte(doc), &o); err != nil {
			t.Fatal(err)
		}
		out = append(out, o)
	}
	return out
}

// text is the cluster as a List.
func (r rich) text(t testing.TB) []byte {
	t.Helper()
	text, err := json.Marshal(object{"apiVersion": "v1", "kind": "List", "items": slices.Concat(r.shop, r.calm, r.shared)})
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// changeable are the objects that may be changed: those of calm may not.
func (r rich) changeable() []object { return slices.Concat(r.shop, r.shared) }
