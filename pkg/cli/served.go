package cli

import (
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/cli-runtime/pkg/genericclioptions"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/lineage"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view/live"
)

// served finds kinds: those that a View holds, else what the server says that
// it serves. Files have no server to ask.
func served(config *genericclioptions.ConfigFlags, files bool, v *view.View) lineage.Kinds {
	if files {
		return lineage.HeldIn(v)
	}
	discovers(config)
	return func(apiVersion, kind string) (view.Kind, error) {
		if k, err := lineage.Held(apiVersion, kind); err == nil {
			return k, nil
		}
		mapper, err := config.ToRESTMapper()
		if err != nil {
			return view.Kind{}, err
		}
		gvk := schema.FromAPIVersionAndKind(apiVersion, kind)
		mapping, err := mapper.RESTMapping(gvk.GroupKind(), gvk.Version)
		switch {
		case meta.IsNoMatchError(err):
			return view.Kind{}, lineage.ErrNotServed
		case err != nil:
			return view.Kind{}, err
		}
		return kindOf(mapping), nil
	}
}

// discovers guards the clients that ask what a server serves. They may ask for each
// of many groups: client-go would wait 200 ms before each after the first 300. The
// guard bounds how many ask at the same time, and the server has its own limits.
func discovers(config *genericclioptions.ConfigFlags) {
	config.WithWrapConfigFn(live.Guarded).WithDiscoveryQPS(-1)
}

// installed reports whether the server serves a kind; if it can't say, yes. All
// users may ask what is served, but of what is not, RBAC says that it is
// forbidden.
func installed(config *genericclioptions.ConfigFlags, files bool) func(view.Kind) bool {
	if files {
		return nil
	}
	discovers(config)
	return func(k view.Kind) bool {
		mapper, err := config.ToRESTMapper()
		if err != nil {
			return true
		}
		_, err = mapper.RESTMapping(k.GroupKind())
		return !meta.IsNoMatchError(err)
	}
}

func kindOf(m *meta.RESTMapping) view.Kind {
	return view.Kind{GroupVersionKind: m.GroupVersionKind, Resource: m.Resource.Resource, Namespaced: m.Scope.Name() == meta.RESTScopeNameNamespace}
}
