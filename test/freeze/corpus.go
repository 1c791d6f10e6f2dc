package main

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view/bundle"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/clusterdsl"
)

// cluster is one that is asked about: a file, and the types to ask about.
type cluster struct {
	name, file, types string
}

// modelled are the types that the verbs are asked about, those that scale first.
var modelled = []struct {
	kind  view.Kind
	named string
}{
	{view.ReplicaSets, "rs"}, {view.ReplicationControllers, "rc"}, {view.CloneSets, "clonesets"}, {view.Deployments, "deploy"}, {view.StatefulSets, "sts"},
}

// clusters writes the corpus into dir.
func clusters(dir string) ([]cluster, error) {
	all := []cluster{
		{"shop", "docs/examples/shop.yaml", "rs,deploy"}, {"cart", "docs/examples/cart.yaml", "clonesets"},
		{"tied", "docs/examples/tied.yaml", "rs"}, {"trouble", "docs/examples/trouble.yaml", "rs,deploy"},
	}
	texts, err := clusterdsl.Goldens(".")
	if err != nil {
		return nil, err
	}
	for _, text := range slices.Sorted(maps.Keys(texts)) {
		c, err := write(dir, texts[text], text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", texts[text], err)
		}
		all = append(all, c)
	}
	slices.SortFunc(all, func(a, b cluster) int { return cmp.Compare(a.name, b.name) })
	return all, nil
}

// write makes a bundle of a sketch: all that it holds, as if all of it had been
// asked for.
func write(dir, name, text string) (cluster, error) {
	v, err := clusterdsl.Parse(text)
	if err != nil {
		return cluster{}, err
	}
	r := v.Reader()
	for _, k := range view.Kinds() {
		if k.Namespaced {
			view.List[metav1.Object](r, view.Need{Kind: k, Namespace: clusterdsl.Namespace, IfMissing: "it is not written"}, nil)
		} else if len(v.All(k)) > 0 {
			view.List[metav1.Object](r, view.Need{Kind: k, IfMissing: "it is not written"}, nil)
		}
	}
	c := cluster{name: name, file: filepath.Join(dir, name+".yaml"), types: types(v)}
	out, err := os.Create(c.file)
	if err != nil {
		return c, err
	}
	return c, errors.Join(bundle.Write(out, v, r.Asked(), bundle.WriteOptions{Unredacted: true, Server: view.ServerVersion{Version: "v1.37.1"}}), out.Close())
}

func types(v *view.View) string {
	var all []string
	for _, m := range modelled {
		if len(v.AllMetadata(m.kind)) > 0 {
			all = append(all, m.named)
		}
	}
	return strings.Join(all, ",")
}
