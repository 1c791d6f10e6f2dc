package trace

import (
	"fmt"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins"
)

// Pick says which objects are traced. It is kept in records.
type Pick struct {
	// Namespace is empty for all.
	Namespace string `json:"namespace,omitempty"`
	Selector  string `json:"selector,omitempty"`
	// Names are resource/name, such as replicasets/web; none for all. A
	// Deployment brings its ReplicaSets along.
	Names []string `json:"names,omitempty"`
}

// Picks is the function for Options.
func (p Pick) Picks() (func(view.Kind, metav1.Object) bool, error) {
	sel, err := labels.Parse(p.Selector)
	if err != nil {
		return nil, fmt.Errorf("selector %q: %w", p.Selector, err)
	}
	return func(k view.Kind, obj metav1.Object) bool {
		if p.Namespace != "" && obj.GetNamespace() != p.Namespace {
			return false
		}
		if len(p.Names) == 0 {
			return sel.Matches(labels.Set(obj.GetLabels()))
		}
		return p.named(k.Resource, obj.GetName()) || p.ownerNamed(k, obj)
	}, nil
}

func (p Pick) named(resource, name string) bool {
	return slices.Contains(p.Names, resource+"/"+name)
}

func (p Pick) ownerNamed(k view.Kind, obj metav1.Object) bool {
	ref := metav1.GetControllerOfNoCopy(obj)
	return k.Kind == view.ReplicaSets.Kind && ref != nil && ref.Kind == view.Deployments.Kind && p.named(view.Deployments.Resource, ref.Name)
}

// Running lists the controllers of some kinds, of all when none is named. With
// Deployments come ReplicaSets.
func Running(kinds []view.Kind) []plugins.Controller {
	var out []plugins.Controller
	for _, c := range plugins.Controllers() {
		if len(kinds) == 0 || slices.ContainsFunc(kinds, func(k view.Kind) bool {
			return k.GroupKind() == c.Kind.GroupKind() || k.Kind == view.Deployments.Kind && c.Kind.Kind == view.ReplicaSets.Kind
		}) {
			out = append(out, c)
		}
	}
	return out
}

// Needs lists what a trace of the controllers reads in a namespace, of all when
// it is empty. explicit tells whether the kinds were asked for: those that a
// server does not serve are an error then.
func Needs(controllers []plugins.Controller, namespace string, explicit bool) []view.Need {
	var needs []view.Need
	add := func(n view.Need) {
		n.Detail = view.Full
		if !slices.ContainsFunc(needs, func(m view.Need) bool { return m.ID() == n.ID() }) {
			needs = append(needs, n)
		}
	}
	events := "reason=FailedCreate"
	for _, c := range controllers {
		without := ""
		if c.Install != "" && !explicit {
			without = "they are not traced"
		}
		for _, k := range c.Watches {
			n := view.Need{Kind: k, Namespace: namespace, Without: without}
			if k.GroupKind() == view.Pods.GroupKind() || k.GroupKind() == view.ReplicaSets.GroupKind() {
				n.Without = ""
			}
			add(n)
		}
		lease := c.Lease
		lease.Without = "whether its manager is alive is not known"
		add(lease)
		if strings.HasPrefix(c.Kind.Group, "apps.kruise") {
			events = "type=Warning"
			add(view.Need{Kind: view.ControllerRevisions, Namespace: namespace, Without: without})
			add(view.Need{Kind: view.PodUnavailableBudgets, Namespace: namespace, Without: "whether a budget refuses updates or deletions is not known"})
			if !slices.ContainsFunc(needs, everyDeployment) {
				add(view.Need{Kind: view.Deployments, Namespace: "kruise-system", Name: "kruise-controller-manager", Without: "which release of Kruise runs is assumed"})
			}
		}
	}
	add(view.Need{Kind: view.Events, Namespace: namespace, Fields: events, Without: "why creations failed is not known"})
	add(view.Need{Kind: view.ResourceQuotas, Namespace: namespace, Without: "whether a quota refuses creations is not known"})
	add(view.Need{Kind: view.LimitRanges, Namespace: namespace, Without: "whether a LimitRange refuses creations is not known"})
	add(view.Need{Kind: view.Namespaces, Name: namespace, Without: "whether the namespace is being deleted is not known"})
	return needs
}

func everyDeployment(n view.Need) bool {
	return n.Kind.GroupKind() == view.Deployments.GroupKind() && n.Namespace == "" && n.Name == ""
}

// Kinds lists the kinds of needs, each once, as records name them.
func Kinds(needs []view.Need) []string {
	var out []string
	for _, n := range needs {
		if text := kindText(n.Kind); !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return out
}
