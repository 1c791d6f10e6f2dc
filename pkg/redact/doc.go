// Package redact answers: which values of an object may be secrets, and what
// stands in for them?
//
// It works on objects as JSON data, so that it finds pod templates wherever
// they are: in workloads, in revisions, and in kinds that it does not know.
// These values are replaced:
//
//   - the value of each environment variable,
//   - each argument, and each word of a command, of hooks and probes as well,
//   - the value of each HTTP header of hooks and probes,
//   - the attributes of CSI volumes,
//   - each annotation that may hold a serialized object: JSON, YAML, base64 of
//     either, or compressed data.
//
// A value becomes redacted-1, redacted-2 and so on: equal values of one variable
// or annotation stay equal, different ones different. A Deployment finds its new
// ReplicaSet by comparing pod templates, and has to find the same one among
// redacted objects. Keep names the few values that decisions read.
package redact
