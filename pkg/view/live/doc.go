// Package live answers: what does the cluster look like right now, read with as
// few and as narrow requests as the question allows, and without ever writing?
//
// A Source turns each view.Need into one informer, so that a one-shot answer
// and a watch run the same code: Load waits for the first sync, builds a View,
// and Changes tells when another Load would say something else. A guard sits
// under every client and lets nothing through that could change the cluster.
package live
