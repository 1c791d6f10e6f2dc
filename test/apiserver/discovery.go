package apiserver

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	discoveryv2 "k8s.io/api/apidiscovery/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// aggregated is how servers since Kubernetes 1.30 say what they serve.
const aggregated = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"

// discover says which kinds are served: of the core group, or of all others.
func (s *Server) discover(w http.ResponseWriter, core bool) {
	all := discoveryv2.APIGroupDiscoveryList{TypeMeta: metav1.TypeMeta{APIVersion: discoveryv2.SchemeGroupVersion.String(), Kind: "APIGroupDiscoveryList"}}
	for _, k := range view.Kinds() {
		if (k.Group == "") == core && !slices.Contains(s.Unserved, k.Resource) {
			all.Items = withKind(all.Items, k)
		}
	}
	w.Header().Set("Content-Type", aggregated)
	_ = json.NewEncoder(w).Encode(all)
}

// withKind adds a kind to its group and version.
func withKind(groups []discoveryv2.APIGroupDiscovery, k view.Kind) []discoveryv2.APIGroupDiscovery {
	g := slices.IndexFunc(groups, func(g discoveryv2.APIGroupDiscovery) bool { return g.Name == k.Group })
	if g < 0 {
		g = len(groups)
		groups = append(groups, discoveryv2.APIGroupDiscovery{ObjectMeta: metav1.ObjectMeta{Name: k.Group}})
	}
	group := &groups[g]
	v := slices.IndexFunc(group.Versions, func(v discoveryv2.APIVersionDiscovery) bool { return v.Version == k.Version })
	if v < 0 {
		v = len(group.Versions)
		group.Versions = append(group.Versions, discoveryv2.APIVersionDiscovery{Version: k.Version, Freshness: discoveryv2.DiscoveryFreshnessCurrent})
	}
	group.Versions[v].Resources = append(group.Versions[v].Resources, served(k))
	return groups
}

func served(k view.Kind) discoveryv2.APIResourceDiscovery {
	scope := discoveryv2.ScopeCluster
	if k.Namespaced {
		scope = discoveryv2.ScopeNamespace
	}
	return discoveryv2.APIResourceDiscovery{
		Resource: k.Resource, SingularResource: strings.ToLower(k.Kind), ShortNames: k.Short, Scope: scope,
		ResponseKind: &metav1.GroupVersionKind{Group: k.Group, Version: k.Version, Kind: k.Kind},
		Verbs:        []string{"get", "list", "watch"},
	}
}
