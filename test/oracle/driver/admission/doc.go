// Package admission answers: what do the real defaults, LimitRanger, validation
// and quota evaluators of this Kubernetes version make of a new object?
//
// A request is one object per line, and so is its answer. Nothing is replaced
// but the listers: LimitRanges and ResourceQuotas come with the request, and a
// quota is charged with what was accepted before.
package admission
