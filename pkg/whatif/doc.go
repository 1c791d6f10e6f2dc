// Package whatif answers: which objects would the cluster hold after a change
// that nobody makes?
//
// A manifest is laid over the object of its name as the API server would do
// it, and what the API server would refuse is refused.
package whatif
