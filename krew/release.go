package main

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
)

//go:embed complete.sh
var completeSh []byte

//go:embed complete.cmd
var completeCmd []byte

// sums is the file that "sha256sum -c" reads.
const sums = "checksums.txt"

// release makes the archives, their sums and the manifest of one version.
type release struct {
	version string
	out     string
	// license are the plugin's own terms, others those of what it links.
	license, others []byte
}

// all writes the release for the targets.
func (r release) all(ts []target) error {
	var list bytes.Buffer
	var platforms []platform
	for _, t := range ts {
		sum, err := r.one(t)
		if err != nil {
			return err
		}
		fmt.Fprintf(&list, "%s  %s\n", sum, t.archive(r.version))
		platforms = append(platforms, platform{
			OS: t.os, Arch: t.arch, SHA256: sum, Bin: binary(t),
			URI: downloads + "/" + r.version + "/" + t.archive(r.version),
		})
	}
	text, err := manifest(r.version, platforms)
	if err != nil {
		return err
	}
	if err := r.write(name+".yaml", text); err != nil {
		return err
	}
	return r.write(sums, list.Bytes())
}

// one makes the archive of a target and returns its SHA-256 sum in hex.
func (r release) one(t target) (string, error) {
	dir, err := os.MkdirTemp("", "kubectl-"+name+"-")
	if err != nil {
		return "", err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	path, err := build(dir, r.version, t)
	if err != nil {
		return "", err
	}
	program, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	var b bytes.Buffer
	if err := pack(&b, t, r.entries(t, program)); err != nil {
		return "", fmt.Errorf("pack %s: %w", t.archive(r.version), err)
	}
	sum := sha256.Sum256(b.Bytes())
	fmt.Printf("%s: %.1f MB, unpacked %.1f MB\n", t.archive(r.version), megabytes(b.Len()), megabytes(len(program)))
	return hex.EncodeToString(sum[:]), r.write(t.archive(r.version), b.Bytes())
}

// entries are the files of a target's archive. Krew's reviewers ask for the
// licence among what is installed.
func (r release) entries(t target, program []byte) []entry {
	shim := entry{completer(t), 0o755, completeSh}
	if t.os == windows {
		shim = entry{completer(t), 0o644, completeCmd}
	}
	return []entry{
		{"LICENSE", 0o644, r.license},
		{"THIRD-PARTY-LICENSES", 0o644, r.others},
		{binary(t), 0o755, program},
		shim,
	}
}

func (r release) write(name string, data []byte) error {
	return os.WriteFile(filepath.Join(r.out, name), data, 0o644)
}

func megabytes(n int) float64 { return float64(n) / 1e6 }
