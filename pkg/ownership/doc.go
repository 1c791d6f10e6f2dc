// Package ownership answers: whose is an object, who may adopt it, and who is
// about to let it go?
//
// It mirrors BaseControllerRefManager.ClaimObject of
// pkg/controller/controller_ref_manager.go, which every built-in controller
// with a selector uses.
package ownership
