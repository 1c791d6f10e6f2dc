package view

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// ServerVersion is the version of Kubernetes that an API server reports.
type ServerVersion struct {
	// Version is that of the program, such as v1.36.3.
	Version string
	// Emulated is the version that it behaves as, such as v1.34, if another one
	// (--emulated-version).
	Emulated string
	// Basis is where it was read: "server", "bundle".
	Basis string
}

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
	// Version is what the source reports of the server; zero when it reports
	// nothing.
	Version(ctx context.Context) (ServerVersion, error)
	// Once reads the full objects of a need beside any View: one request, of
	// which nothing is kept.
	Once(ctx context.Context, need Need) ([]metav1.Object, error)
	// Close stops all reading.
	Close()
}
