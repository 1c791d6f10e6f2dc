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
