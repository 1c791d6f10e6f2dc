// Command krew makes a release: an archive for every platform, their sums, and
// the manifest that krew installs the plugin by. It answers one question: what
// does somebody download?
//
//	go run ./krew -version v1.2.3 [-out dist] [-targets linux/amd64,…|host]
//
// The same source, version and Go release give the same bytes, wherever and
// whenever they are built. README.md tells how a release is published.
package main
