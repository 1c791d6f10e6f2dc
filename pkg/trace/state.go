package trace

import (
	"fmt"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// maxRounds bounds how often a decision may ask for more.
const maxRounds = 20

// notFollowed is the error of a kind that a trace does not read.
type notFollowed struct{ view.Need }

func (e notFollowed) Error() string { return "a trace does not follow " + e.Kind.GroupResource() }

// undo is the state of objects before what is left out; nil for those that
// were not there.
type undo map[string]undone

type undone struct {
	kind view.Kind
	obj  metav1.Object
}

func objectKey(k view.Kind, namespace, name string) string {
	return k.GroupKind().String() + "|" + namespace + "|" + name
}

// decide runs a decision on the state as of now, without what is undone. needs
// are those of the last time, and what it asked for is returned.
func (c *cluster) decide(now time.Time, about subject, needs []view.Need, without undo, decide func(*view.Reader) error) ([]view.Need, error) {
	for range maxRounds {
		r := c.view(now, about, needs, without).Reader()
		err := decide(r)
		if missing := r.Missing(); len(missing) > 0 {
			needs = append(needs, missing...)
			continue
		}
		return asked(r), err
	}
	return needs, asksForEver(about.Object)
}

func asksForEver(about metav1.Object) error {
	return fmt.Errorf("%s/%s: the decision asks for ever more", about.GetNamespace(), about.GetName())
}

func asked(r *view.Reader) []view.Need {
	needs := make([]view.Need, 0, len(r.Asked()))
	for _, read := range r.Asked() {
		if read.Name == "" || read.Kind.GroupKind() != view.Pods.GroupKind() {
			needs = append(needs, read.Need)
		}
	}
	return needs
}

// view holds what needs ask for. Of the pods of a whole namespace it has those
// that a sync of the object looks at: its own and orphans.
func (c *cluster) view(now time.Time, about subject, needs []view.Need, without undo) *view.View {
	b := view.NewBuilder(now)
	for _, need := range needs {
		err := c.readable(need)
		b.Reads(need, err)
		if err != nil {
			continue
		}
		for _, obj := range c.find(need, about) {
			if _, hidden := without[objectKey(need.Kind, obj.GetNamespace(), obj.GetName())]; !hidden {
				b.Add(need.Kind, obj)
			}
		}
		for _, u := range without {
			if u.obj != nil && u.kind.GroupKind() == need.Kind.GroupKind() {
				b.Add(u.kind, u.obj)
			}
		}
	}
	return b.View()
}

func (c *cluster) readable(need view.Need) error {
	gk := need.Kind.GroupKind()
	if err := c.unreadable(need); err != nil {
		return err
	}
	if _, followed := c.stores[gk]; !followed {
		return notFollowed{need}
	}
	return nil
}

func (c *cluster) find(need view.Need, about subject) []metav1.Object {
	switch {
	case need.Name != "":
		if obj, ok := c.Get(need.Kind, need.Namespace, need.Name); ok {
			return []metav1.Object{obj}
		}
		return nil
	case need.Fields != "":
		return c.events(need)
	case need.Selector != "":
		sel, err := labels.Parse(need.Selector)
		if err != nil {
			return nil
		}
		return c.selected(need.Kind, need.Namespace, sel)
	case need.Detail == view.Metadata && need.Kind.GroupKind() == view.Pods.GroupKind():
		return c.owned(need.Kind, need.Namespace, about)
	}
	return c.In(need.Kind, need.Namespace)
}

// events finds those about one object; other field selectors find all.
func (c *cluster) events(need view.Need) []metav1.Object {
	var kind, name string
	for term := range strings.SplitSeq(need.Fields, ",") {
		switch k, v, _ := strings.Cut(term, "="); k {
		case "involvedObject.kind":
			kind = v
		case "involvedObject.name":
			name = v
		}
	}
	if kind == "" || name == "" {
		return c.In(need.Kind, need.Namespace)
	}
	return c.by(need.Kind, byInvolved, need.Namespace+"/"+kind+"/"+name)
}
