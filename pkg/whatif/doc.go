// Package whatif answers: which objects would the cluster hold after a change
// that nobody makes?
package whatif
