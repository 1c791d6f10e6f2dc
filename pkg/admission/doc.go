// Package admission answers: would the API server accept a new object, as far
// as the LimitRanges and ResourceQuotas of its namespace tell, and how many
// like it?
//
// It follows the order of the API server: defaults of the Pod, defaults of the
// LimitRanges, validation, the bounds of the LimitRanges, the quotas. It reads
// nothing: PriorityClasses, RuntimeClasses and webhooks can change a Pod on the
// way or refuse it, and where that would matter, a Verdict has a Doubt. So it has
// where a Pod may not keep to the Pod Security Standard that its namespace enforces.
//
// It also knows which budget the API server has Kruise's webhook ask before a Pod is disrupted.
package admission
