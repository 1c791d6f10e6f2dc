// Command records makes the records below docs/examples that a tour is made of, on a real
// control plane:
//
//	go run ./test/records handlers docs/examples/handlers.jsonl
//
// Names, times and resource versions differ from run to run. The first start compiles
// Kubernetes, which takes some minutes.
package main
