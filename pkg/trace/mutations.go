package trace

import (
	"fmt"

	"k8s.io/client-go/tools/cache"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/trace/entry"
)

// detect keeps a copy of what goes into a store, to compare it later, as a shared informer
// does (OnAdd and OnUpdate of tools/cache/shared_informer.go, v0.37.1).
func (c consumer) detect(d Delta) {
	if c.detector != nil && d.Type != cache.Deleted {
		c.detector.AddObject(d.Object)
	}
}

// detects reports whether a detector does anything: client-go makes one that does not where
// KUBE_CACHE_MUTATION_DETECTOR was not true at the start of this process.
func detects(d cache.MutationDetector) string {
	if fmt.Sprintf("%T", d) == "cache.dummyMutationDetector" {
		return "off"
	}
	return "on"
}

// detector is what is known of detectors, in a replay what its record holds.
func (e *Engine) detector() entry.Detector {
	switch {
	case e.detects != "":
		d := e.o.Internals.Detector
		d.Here = e.detects
		if d.Manager == "" && d.Reason == "" {
			d.Reason = "its Pod was not read"
		}
		return d
	case e.spans != nil && e.spans.Detector.Here != "":
		return e.spans.Detector
	}
	return entry.Detector{Here: "not recorded", Manager: "not recorded"}
}
