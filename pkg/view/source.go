package view

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Source fills Views. Implementations: live (informers) and bundle (files).
type Source interface {
	// Load makes sure that needs are read, besides all needs of earlier
	// calls, and returns a View of the latest state. A need that cannot be
	// read, because it is forbidden or not served, is in the View as a failed
	// Read; an error means that there is no View at all.
	Load(ctx context.Context, needs []Need) (*View, error)
	// Changes receives a value when the next Load would return another View.
	// It is nil for sources that never change.
	Changes() <-chan struct{}
	// Version is the version of Kubernetes that the source reports and where
	// it was read ("server", "bundle"); both empty when it reports none.
	Version(ctx context.Context) (version, basis string, err error)
	// Once reads the full objects of a need beside any View: one request, of
	// which nothing is kept.
	Once(ctx context.Context, need Need) ([]metav1.Object, error)
	// Close stops all reading.
	Close()
}

// Settle lets decide read through fresh Readers until nothing it asks for is
// missing, loading what was missing in between, and returns the last View.
// decide may ask through several Readers, one for each target.
func Settle(ctx context.Context, src Source, decide func(*View) ([]*Reader, error)) (*View, error) {
	var needs []Need
	for {
		v, err := src.Load(ctx, needs)
		if err != nil {
			return nil, err
		}
		readers, err := decide(v)
		if needs = missing(readers); len(needs) == 0 {
			return v, err
		}
	}
}

func missing(readers []*Reader) []Need {
	var all []Need
	seen := map[string]bool{}
	for _, r := range readers {
		for _, n := range r.Missing() {
			if !seen[n.ID()] {
				seen[n.ID()] = true
				all = append(all, n)
			}
		}
	}
	return all
}
