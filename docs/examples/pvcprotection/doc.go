// Package pvcprotection answers: does the volume claim that is being deleted go
// now, and if not, which pod keeps it?
//
// It is the example of docs/adding-a-controller.md: as small as a plugin can be,
// and complete. It mirrors the PVC protection controller of Kubernetes 1.37
// (pkg/controller/volume/pvcprotection), without the claims of ephemeral
// volumes.
package pvcprotection
