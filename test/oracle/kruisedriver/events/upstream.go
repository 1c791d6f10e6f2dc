package events

import (
	_ "unsafe" // for go:linkname

	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	_ "github.com/openkruise/kruise/pkg/controller/cloneset" // holds add
)

// add makes the controller, and tells it what to watch with which handlers.
//
//go:linkname add github.com/openkruise/kruise/pkg/controller/cloneset.add
func add(manager.Manager, reconcile.Reconciler) error
