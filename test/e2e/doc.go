// Package e2e answers: does the controller do what the tool predicted?
//
// Its tests run a real control plane (see package controlplane). A scenario
// holds the controller manager back, changes a cluster, asks `kubectl ctrl plan
// -o json`, lets the controller manager go on, and reads from the API server's
// audit log what its first sync of the target sent. After the last test, the
// same log shows that the tool itself sent nothing but get, list and watch.
//
// How the controller manager is held back matters. One that was stopped with
// SIGSTOP sees the changes one at a time when it goes on, and may act in
// between; one that was killed and started again lists the final state before
// it acts, and remembers nothing. Scenarios that change several objects do the
// latter.
//
// With E2E_REPORT=<file> the run writes what was predicted and observed, as
// JSON.
package e2e
