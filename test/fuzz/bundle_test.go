package fuzz

import (
	"os"
	"path/filepath"
	"testing"
)

// FuzzBundle answers about any text that is given as a cluster.
func FuzzBundle(f *testing.F) {
	pages, err := filepath.Glob("../../docs/examples/*.yaml")
	if err != nil || len(pages) == 0 {
		f.Fatalf("%v, %v", pages, err)
	}
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Add([]byte(`{"apiVersion":"v1","kind":"List","items":[
		{"apiVersion":"apps/v1","kind":"ReplicaSet","metadata":{"name":"web","namespace":"shop","uid":"r"},"spec":{"replicas":1,"selector":{"matchLabels":{"app":"web"}}}},
		{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","namespace":"shop","uid":"a","labels":{"app":"web"}},"spec":{"nodeName":"n"},"status":{"phase":"Running"}}]}`))
	f.Fuzz(checkHarmless)
}
