// Package redact answers: which values of an object may be secrets, and what
// stands in for them?
//
// It works on objects as JSON data, so that it finds pod templates wherever
// they are: in workloads, in revisions, and in kinds that it does not know.
// These values are replaced:
//
//   - the value of each environment variable,
//   - each argument, and each word of a command, of hooks and probes as well,
//   - the HTTP headers, paths and gRPC services of hooks and probes,
//   - the attributes of CSI volumes, the options of Flex volumes, and addresses of
//     volumes that may be URLs with a password,
//   - what a container wrote before it ended,
//   - each annotation that may hold a serialized object: JSON, XML, YAML, any of
//     them as base64, hexadecimal digits or part of a URL, or compressed data,
//   - each annotation with a URL that names a user.
//
// testdata/kept.txt lists each text of the API's types that stays, with the reason.
//
// A value becomes redacted-1, redacted-2 and so on: equal values of one variable
// or annotation stay equal, different ones different. A Deployment finds its new
// ReplicaSet by comparing pod templates, and has to find the same one among
// redacted objects. Keep names the few values that decisions read.
package redact
