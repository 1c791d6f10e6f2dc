// Package deployment answers: does the plugin say what the real Deployment
// controller does?
//
// It starts oracle programs (see README.md), which run upstream's controller,
// and compares every write of one sync with what plugins/deployment says.
package deployment
