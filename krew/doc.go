// Command krew makes a release: an archive and an SBOM for every platform, their
// sums, and the manifest that krew installs the plugin by. It answers one question:
// what does somebody download?
//
//	go run ./krew -version v1.2.3 [-date 2026-12-01T00:00:00Z] [-out dist] [-targets linux/amd64,…|host]
//
// The same source, version, date and Go release give the same bytes, wherever and
// whenever they are built. README.md tells how a release is published.
package main
