// Package expectations answers: which of its own writes does a controller
// still wait to see, and may it act meanwhile?
//
// It mirrors ControllerExpectations and UIDTrackingControllerExpectations of
// pkg/controller/controller_utils.go (v1.37.1). The real record lives in the
// controller manager's memory and cannot be read; a Record here is computed.
package expectations
