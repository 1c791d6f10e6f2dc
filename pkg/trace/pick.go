package trace

import (
	"cmp"
	"fmt"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/admission"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/controller"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
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
		return p.named(k.Resource, obj.GetName()) || p.ownerNamed(obj)
	}, nil
}

func (p Pick) named(resource, name string) bool {
	return slices.Contains(p.Names, resource+"/"+name)
}

func (p Pick) ownerNamed(obj metav1.Object) bool {
	ref := metav1.GetControllerOfNoCopy(obj)
	return ref != nil && slices.ContainsFunc(view.Kinds(), func(owner view.Kind) bool {
		return owner.Kind == ref.Kind && owner.GroupVersion().String() == ref.APIVersion && p.named(owner.Resource, ref.Name)
	})
}

// Running lists those of the controllers that decide some kinds, all when none is
// named. With one that scales others come those that decide them.
func Running(all controller.Registry, kinds []view.Kind) []controller.Running {
	var out []controller.Running
	every := len(kinds) == 0
	for _, c := range all.Running() {
		if every || slices.ContainsFunc(kinds, c.Kind.Same) {
			out = append(out, c)
			kinds = append(slices.Clone(kinds), c.Scales...)
		}
	}
	return out
}

// Needs lists what a trace of the controllers reads in a namespace, of all when
// it is empty. explicit reports whether the kinds were asked for: those that a
// server does not serve are an error then.
func Needs(controllers []controller.Running, namespace string, explicit bool) []view.Need {
	var all []view.Need
	events := ""
	for _, c := range controllers {
		without := ""
		if c.Install != "" && !explicit {
			without = "they are not traced"
		}
		for _, k := range c.Watches {
			all = append(all, view.Need{Kind: k, Namespace: namespace, IfMissing: without})
		}
		all = append(all, c.Agent.Lease)
		all[len(all)-1].IfMissing = "whether its manager is alive is not known"
		events = cmp.Or(c.Agent.Events, events)
		for _, n := range reads(c, namespace) {
			n.IfMissing = cmp.Or(n.IfMissing, without)
			all = append(all, n)
		}
	}
	all = append(all,
		view.Need{Kind: view.Events, Namespace: namespace, Fields: cmp.Or(events, "reason=FailedCreate"), IfMissing: "why creations failed is not known"},
		admission.Quotas(namespace), admission.LimitRanges(namespace), admission.Itself(namespace))
	return inFull(all)
}

// inFull are needs without those that earlier ones cover.
func inFull(all []view.Need) (needs []view.Need) {
	for i := range all {
		n := &all[i]
		n.Detail = view.Full
		if !slices.ContainsFunc(needs, func(m view.Need) bool { return m.Covers(*n) }) {
			needs = append(needs, *n)
		}
	}
	return needs
}

// reads lists what a controller reads besides what it watches.
func reads(c controller.Running, namespace string) []view.Need {
	if c.Agent.Reads == nil {
		return nil
	}
	return c.Agent.Reads(namespace)
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
