// Package cli answers: what did the user ask, of which cluster, and how should
// the answer be printed?
//
// Each verb has a file: flags become options, options are checked, and Run
// asks the plugins and prints. Streams, clock and environment come in through
// Env, so that a command line can be tested as a whole.
package cli
