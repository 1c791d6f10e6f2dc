// Package statefulset answers: does the plugin say what the real StatefulSet
// controller does?
//
// It starts oracle programs (see README.md), which run upstream's controller, and
// compares every request of one sync with what plugins/statefulset says.
package statefulset
