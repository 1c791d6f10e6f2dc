package view

import (
	"slices"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// TestRefound: only what is new or another object than before is looked at again,
// wherever objects of its list come and go.
func TestRefound(t *testing.T) {
	known := map[string]*metav1.ObjectMeta{}
	named := func(names ...string) (all []metav1.Object) {
		for _, name := range names {
			if known[name] == nil {
				known[name] = &metav1.ObjectMeta{Namespace: "shop", Name: name}
			}
			all = append(all, known[name])
		}
		return all
	}
	carrying := NewBuilder(time.Time{}).View().Carrying()
	for _, step := range []struct {
		list    []string
		changed string
		looks   []string
	}{
		{list: []string{"a", "b", "c"}, looks: []string{"a", "b", "c"}},
		{list: []string{"a", "b", "c"}},
		{list: []string{"a", "b", "c"}, changed: "b", looks: []string{"b"}},
		{list: []string{"a", "c", "d"}, looks: []string{"d"}},
		{list: []string{"c", "d"}},
		{list: []string{"b", "c", "d", "e"}, looks: []string{"b", "e"}},
		{list: nil},
		{list: []string{"e"}, looks: []string{"e"}},
		{list: []string{"d", "e"}, looks: []string{"d"}},
	} {
		delete(known, step.changed)
		var looks []string
		all := Refound(Carried[[]Finding[string]](carrying.At(carrying.Now()), "names"), named(step.list...), func(obj metav1.Object) string {
			looks = append(looks, obj.GetName())
			return obj.GetName()
		})
		if !slices.Equal(looks, step.looks) {
			t.Errorf("%v: looked at %v, want %v", step.list, looks, step.looks)
		}
		for i, f := range all {
			if f.Found != step.list[i] || f.Of != known[step.list[i]] {
				t.Errorf("%v: found %s of %p at %d", step.list, f.Found, f.Of, i)
			}
		}
		if len(all) != len(step.list) {
			t.Errorf("%v: %d are found", step.list, len(all))
		}
	}
}

// TestCarriedIsForViewsThatCarry: others start anew.
func TestCarriedIsForViewsThatCarry(t *testing.T) {
	plain := NewBuilder(time.Time{}).View()
	*Carried[int](plain, "n") = 1
	if n := *Carried[int](plain, "n"); n != 0 {
		t.Errorf("a View that does not carry has %d", n)
	}
	carries := plain.Carrying()
	*Carried[int](carries, "n") = 1
	if n := *Carried[int](carries.With(Pods), "n"); n != 1 {
		t.Errorf("the View made from one that carries has %d", n)
	}
	if n := *Carried[int](plain.Carrying(), "n"); n != 0 {
		t.Errorf("another one that carries has %d", n)
	}
}
