package golden

import (
	"bytes"
	"encoding/json"
	"slices"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/redact"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view/bundle"
)

// kept are the names whose values snapshots keep, and those of them that a sync
// decides otherwise without.
type kept struct {
	keep   redact.Keep
	needed map[string]bool
}

// try decides a sync once more without each name that is not known to be needed
// yet.
func (k kept) try(t *testing.T, v *view.View, decide func(*view.View) *decision.Decision, prose func(*decision.Decision) string) {
	t.Helper()
	shared := func(keep redact.Keep) string {
		share := bundle.Sharing(keep)
		return prose(decide(copied(t, v, func(obj metav1.Object) metav1.Object {
			shared, err := share(obj)
			if err != nil {
				t.Fatal(err)
			}
			return shared
		})))
	}
	want := ""
	for _, name := range slices.Concat(k.keep.Annotations, k.keep.Env) {
		if k.needed[name] || !mentions(v, name) {
			continue
		}
		if want == "" {
			want = shared(k.keep)
		}
		k.needed[name] = shared(k.without(name)) != want
	}
}

// without is what is kept but for one name.
func (k kept) without(name string) redact.Keep {
	other := func(n string) bool { return n == name }
	return redact.Keep{
		Flag:        k.keep.Flag,
		Annotations: slices.DeleteFunc(slices.Clone(k.keep.Annotations), other),
		Env:         slices.DeleteFunc(slices.Clone(k.keep.Env), other),
	}
}

// mentions reports whether an object may hold a value of the name.
func mentions(v *view.View, name string) bool {
	for _, k := range view.Kinds() {
		for _, obj := range v.All(k) {
			if text, err := json.Marshal(obj); err != nil || bytes.Contains(text, []byte(`"`+name+`"`)) {
				return true
			}
		}
	}
	return false
}

// unneeded are the names that no sync was decided otherwise without. Each is a
// place where a secret stays.
func (k kept) unneeded() []string {
	return slices.DeleteFunc(slices.Concat(k.keep.Annotations, k.keep.Env), func(name string) bool { return k.needed[name] })
}
