package kruisedriver

import (
	"fmt"

	"k8s.io/component-base/featuregate"

	"github.com/openkruise/kruise/pkg/features"
	"github.com/openkruise/kruise/pkg/util/feature"
)

// gates sets kruise's feature gates for one request at a time.
type gates struct {
	defaults map[string]bool
	set      map[string]bool
}

// newGates must be called before any gate is changed.
func newGates() *gates {
	g := &gates{defaults: map[string]bool{}}
	for name, spec := range feature.DefaultMutableFeatureGate.GetAll() {
		g.defaults[string(name)] = spec.Default
	}
	return g
}

// apply gives every gate its default except those wanted, and then does what
// kruise-manager does with them at start.
func (g *gates) apply(wanted map[string]bool) error {
	for name := range wanted {
		if _, ok := g.defaults[name]; !ok {
			return fmt.Errorf("this version has no feature gate %q", name)
		}
	}
	if same(g.set, wanted) {
		return nil
	}
	g.set = nil
	if err := feature.DefaultMutableFeatureGate.SetFromMap(g.defaults); err != nil {
		return err
	}
	if err := feature.DefaultMutableFeatureGate.SetFromMap(wanted); err != nil {
		return err
	}
	features.SetDefaultFeatureGates()
	isPreDownloadDisabled = !enabled(features.KruiseDaemon) || !enabled(features.PreDownloadImageForInPlaceUpdate)
	g.set = map[string]bool{}
	for name, on := range wanted {
		g.set[name] = on
	}
	return nil
}

func enabled(name featuregate.Feature) bool { return feature.DefaultFeatureGate.Enabled(name) }

// same says whether the gates in force, nil at first, are those wanted.
func same(inForce, wanted map[string]bool) bool {
	if inForce == nil || len(inForce) != len(wanted) {
		return false
	}
	for name, on := range wanted {
		if now, ok := inForce[name]; !ok || now != on {
			return false
		}
	}
	return true
}
