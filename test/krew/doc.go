// Package krew installs a release with a real krew and runs it through a real
// kubectl. It answers one question: does what we publish work where it lands?
//
// The tests build the release for the machine that they run on. With DIST, an
// absolute path, they take the release of that folder, for all its platforms.
package krew
