package cli

import (
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/cli-runtime/pkg/genericclioptions"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view/live"
)

// kindFinder finds the kinds that users name: those that a View holds, else
// those that the server serves or that the files hold.
type kindFinder struct {
	config *genericclioptions.ConfigFlags
	files  bool
	// others are the kinds that files hold besides.
	others []view.Kind
}

func (k kindFinder) named(arg string) (view.Kind, error) {
	if i := slices.IndexFunc(view.Kinds(), func(k view.Kind) bool { return k.Named(arg) }); i >= 0 {
		return view.Kinds()[i], nil
	}
	if k.files {
		if i := slices.IndexFunc(k.others, func(k view.Kind) bool { return k.Named(arg) }); i >= 0 {
			return k.others[i], nil
		}
		return view.Kind{}, usageError("%q is no type of which the files hold an object%s", arg, nearestKinds(arg, append(view.Kinds(), k.others...)))
	}
	mapper, err := k.mapper()
	if err != nil {
		return view.Kind{}, err
	}
	gvk, err := kindFor(mapper, arg)
	if err != nil {
		return view.Kind{}, err
	}
	mapping, err := mapper.RESTMapping(gvk.GroupKind(), gvk.Version)
	if err != nil {
		return view.Kind{}, err
	}
	return kindOf(mapping), nil
}

// kindFor finds what kubectl would: by plural, singular or short name, with or
// without group and version.
func kindFor(mapper meta.RESTMapper, arg string) (schema.GroupVersionKind, error) {
	full, partial := schema.ParseResourceArg(arg)
	if full != nil {
		if gvk, err := mapper.KindFor(*full); err == nil {
			return gvk, nil
		}
	}
	gvk, err := mapper.KindFor(partial.WithVersion(""))
	if err != nil {
		return gvk, fmt.Errorf("the server serves no type %q%s", arg, nearestOr(arg, err))
	}
	return gvk, nil
}

// nearestOr continues an error with the kinds that may have been meant, or with why
// a kind was not found.
func nearestOr(arg string, err error) string {
	if meant := nearestKinds(arg, view.Kinds()); meta.IsNoMatchError(err) && meant != "" {
		return meant
	}
	return ": " + err.Error()
}

func (k kindFinder) mapper() (meta.RESTMapper, error) {
	discovers(k.config)
	return k.config.ToRESTMapper()
}

// dependents are the types to look for dependents among. undiscovered is why
// some of those that the server serves are not among them, nil when all are.
func (f *ownersFlags) dependents(kinds kindFinder) (types []view.Kind, undiscovered, err error) {
	all := slices.Contains(f.types, "all") || len(f.types) == 0 && f.onDelete != ""
	switch {
	case !f.down && f.onDelete == "":
		return nil, nil, nil
	case all && !kinds.files:
		return kinds.all()
	case all:
		return append(dependentKinds(), kinds.others...), nil, nil
	case len(f.types) == 0:
		return dependentKinds(), nil, nil
	}
	for _, arg := range f.types {
		kind, err := kinds.named(arg)
		if err != nil {
			return nil, nil, err
		}
		types = append(types, kind)
	}
	return types, nil, nil
}

// dependentKinds are the kinds of a View that others own.
func dependentKinds() []view.Kind {
	no := []string{view.Events.Kind, view.Leases.Kind, view.Namespaces.Kind, view.Nodes.Kind, view.ResourceQuotas.Kind, view.LimitRanges.Kind, view.PodUnavailableBudgets.Kind, view.HorizontalPodAutoscalers.Kind}
	return slices.DeleteFunc(slices.Clone(view.Kinds()), func(k view.Kind) bool { return slices.Contains(no, k.Kind) })
}

// mostTypes is how many types are read at once: each takes a request, and what it
// answers with. Clusters with the definitions of several clouds have some 2,000.
const mostTypes = 4000

// all lists every type that the server serves and lists. undiscovered is what
// the server does not say. Types that every server has are listed in any case.
func (k kindFinder) all() (types []view.Kind, undiscovered, err error) {
	cfg, err := k.config.ToRESTConfig()
	if err != nil {
		return nil, nil, err
	}
	lists, unknown, err := live.Served(cfg)
	if err != nil {
		return nil, nil, err
	}
	out := listed(lists)
	if len(out) > mostTypes {
		return nil, nil, usageError("the server serves %d types, and all of them are read where they are at most %d: name those to look at with --types, such as --types pods,replicasets", len(out), mostTypes)
	}
	for _, own := range dependentKinds() {
		if own.Typed() && !slices.ContainsFunc(out, func(k view.Kind) bool { return k.GroupKind() == own.GroupKind() }) {
			out, unknown = append(out, own), append(unknown, own.GroupVersion().String())
		}
	}
	if len(unknown) > 0 {
		undiscovered = fmt.Errorf("the server does not say which types %s holds", join(unique(unknown)))
	}
	return out, undiscovered, nil
}

// listed are the kinds of which objects can be listed. Events belong to nothing.
func listed(lists []*metav1.APIResourceList) []view.Kind {
	var out []view.Kind
	for _, list := range lists {
		gv, err := schema.ParseGroupVersion(list.GroupVersion)
		if err != nil {
			continue
		}
		for _, r := range list.APIResources {
			if slices.Contains(r.Verbs, "list") && slices.Contains(r.Verbs, "watch") && r.Kind != view.Events.Kind {
				out = append(out, view.Kind{GroupVersionKind: gv.WithKind(r.Kind), Resource: r.Name, Namespaced: r.Namespaced})
			}
		}
	}
	return out
}

// namespaceOf is the namespace of one object: the one asked for, or in files
// the only one that holds the name.
func (o *opened) namespaceOf(r *view.Reader, kind view.Kind, name string) (string, error) {
	if o.namespace != "" {
		return o.namespace, nil
	}
	var found []string
	for _, obj := range r.AllMetadata(kind) {
		if obj.GetName() == name {
			found = append(found, obj.GetNamespace())
		}
	}
	switch len(found) {
	case 0:
		return "", nil // what comes next says that it is not there
	case 1:
		return found[0], nil
	}
	return "", fmt.Errorf("%s %q is in the namespaces %s: pick one with --namespace", kind.GroupResource(), name, join(found))
}
