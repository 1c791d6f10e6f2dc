package main

import "runtime/debug"

// version is stamped by the release build.
var version string

// toolVersion is the stamped version; else the module's, which go install
// writes into the binary; else one that says that there is none.
func toolVersion(stamp string, info *debug.BuildInfo) string {
	switch {
	case stamp != "":
		return stamp
	case info != nil && info.Main.Version != "" && info.Main.Version != "(devel)":
		return info.Main.Version
	}
	return "v0.0.0-dev"
}
