package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
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

// leaner keeps the compiler from inlining in generated code: that of the API types,
// which makes 1.6 MB (BenchmarkOpen of a JSON bundle differs by 3% at most), and in
// what no answer runs: the OpenAPI models, which makes 0.4 MB, and the rest of OpenAPI
// and kustomize, which k8s.io/cli-runtime links, 0.1 MB.
var leaner = []string{
	"-gcflags=k8s.io/api/...=-l", "-gcflags=github.com/google/gnostic-models/...=-l",
	"-gcflags=k8s.io/kube-openapi/...=-l", "-gcflags=sigs.k8s.io/kustomize/...=-l",
}

// build compiles the target's stripped binary in dir and returns its path.
func build(dir, version string, t target) (string, error) {
	path := filepath.Join(dir, binary(t))
	args := slices.Concat([]string{"build", "-trimpath", "-buildvcs=false"}, leaner,
		[]string{"-ldflags", "-s -w -X main.version=" + version, "-o", path, command})
	cmd := exec.Command("go", args...)
	cmd.Env = append(os.Environ(), settings...)
	cmd.Env = append(cmd.Env, "GOOS="+t.os, "GOARCH="+t.arch)
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build %s for %s: %w\n%s", command, t, err, out)
	}
	return path, nil
}
