package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
)

// targets are the platforms of a release (krew/target.go).
var targets = []string{"linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64", "windows/amd64", "windows/arm64"}

// module is a module that is linked, or Go's own library.
type module struct {
	path, version, dir string
	// packages are the folders of its linked packages.
	packages map[string]bool
	licences []licence
}

// listed is what go list tells of a package.
type listed struct {
	Dir      string
	Standard bool
	Module   *struct {
		Path, Version, Dir string
		Main               bool
	}
}

// linked lists the modules of all packages that command links on any target.
func linked(command string) ([]module, error) {
	all := map[string]*module{}
	for _, t := range targets {
		packages, err := list(command, t)
		if err != nil {
			return nil, err
		}
		for _, p := range packages {
			note(all, p)
		}
	}
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, err
	}
	root := string(bytes.TrimSpace(goroot))
	out := []module{{path: "Go standard library", dir: root, packages: map[string]bool{root: true}}}
	for _, path := range slices.Sorted(maps.Keys(all)) {
		out = append(out, *all[path])
	}
	return out, nil
}

func note(all map[string]*module, p listed) {
	if p.Standard || p.Module == nil || p.Module.Main {
		return
	}
	m := all[p.Module.Path]
	if m == nil {
		m = &module{path: p.Module.Path, version: p.Module.Version, dir: p.Module.Dir, packages: map[string]bool{}}
		all[p.Module.Path] = m
	}
	m.packages[p.Dir] = true
}

func list(command, target string) ([]listed, error) {
	goos, goarch, _ := strings.Cut(target, "/")
	cmd := exec.Command("go", "list", "-deps", "-json=Dir,Standard,Module", command)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+goos, "GOARCH="+goarch)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("list what %s links for %s: %w", command, target, err)
	}
	var all []listed
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
}
