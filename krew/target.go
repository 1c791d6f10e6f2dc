package main

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
)

const windows = "windows"

// target is a platform that there is an archive for.
type target struct{ os, arch string }

// targets are the platforms of a release, in the manifest's order.
var targets = []target{
	{"linux", "amd64"},
	{"linux", "arm64"},
	{"darwin", "amd64"},
	{"darwin", "arm64"},
	{windows, "amd64"},
	{windows, "arm64"},
}

func (t target) String() string { return t.os + "/" + t.arch }

func (t target) exe() string {
	if t.os == windows {
		return ".exe"
	}
	return ""
}

// archive is the file name of the target's archive.
func (t target) archive(version string) string {
	suffix := ".tar.gz"
	if t.os == windows {
		suffix = ".zip"
	}
	return t.base(version) + suffix
}

// base is the part of their names that the files of a target share.
func (t target) base(version string) string {
	return fmt.Sprintf("kubectl-%s_%s_%s_%s", file(), version, t.os, t.arch)
}

// parseTargets reads a list such as linux/amd64,darwin/arm64. Nothing stands
// for all targets, "host" for the machine that this runs on.
func parseTargets(list string) ([]target, error) {
	if list == "" {
		return targets, nil
	}
	var picked []target
	for text := range strings.SplitSeq(list, ",") {
		if text == "host" {
			text = runtime.GOOS + "/" + runtime.GOARCH
		}
		i := slices.IndexFunc(targets, func(t target) bool { return t.String() == text })
		if i < 0 {
			return nil, fmt.Errorf("target %q: want some of %v", text, targets)
		}
		picked = append(picked, targets[i])
	}
	return picked, nil
}
