package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// settings are what the bytes of a binary depend on besides source, version and
// Go release; whatever the caller's environment says of them is overruled. Cgo
// would link some 12 MB of dynamic symbols in, and only on the native platform.
var settings = []string{
	"CGO_ENABLED=0",
	"GOAMD64=v1",
	"GOARM64=v8.0",
	"GOEXPERIMENT=",
	"GOFIPS140=off",
	"GOFLAGS=-mod=readonly",
	"GOWORK=off",
}

// build compiles the target's stripped binary in dir and returns its path.
func build(dir, version string, t target) (string, error) {
	path := filepath.Join(dir, binary(t))
	cmd := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-ldflags", "-s -w -X main.version="+version, "-o", path, command)
	cmd.Env = append(os.Environ(), settings...)
	cmd.Env = append(cmd.Env, "GOOS="+t.os, "GOARCH="+t.arch)
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build %s for %s: %w\n%s", command, t, err, out)
	}
	return path, nil
}
