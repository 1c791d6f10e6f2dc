// Package orphans answers: which objects have no settled owner, and what
// becomes of them?
//
// Each object gets one verdict: settled, or a Finding. A claim is decided by
// package ownership, a reference by package lineage; here they are put
// together for all objects of some kinds in a namespace.
package orphans
