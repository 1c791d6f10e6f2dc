package main

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

//go:embed complete.sh
var completeSh []byte

//go:embed complete.cmd
var completeCmd []byte

// sums is the file that "sha256sum -c" reads.
const sums = "checksums.txt"

// release makes the archives, their SBOMs and sums, and the manifest of one version.
type release struct {
	version string
	date    time.Time
	out     string
	// license are the plugin's own terms, others those of what it links.
	license, others []byte
	// licences are the SPDX expressions of what it links, by module and version.
	licences map[string]string
	man      []entry
	// list is what is written to sums.
	list bytes.Buffer
}

// all writes the release for the targets.
func (r *release) all(ts []target) error {
	archives := map[string]string{}
	for _, t := range ts {
		sum, err := r.one(t)
		if err != nil {
			return err
		}
		archives[downloads+"/"+r.version+"/"+t.archive(r.version)] = sum
	}
	text, err := manifest(r.version, archives)
	if err != nil {
		return err
	}
	if _, err := r.publish(name+".yaml", text); err != nil {
		return err
	}
	return r.write(sums, r.list.Bytes())
}

// one makes the archive of a target and its SBOM, and returns the archive's SHA-256
// sum in hex.
func (r *release) one(t target) (string, error) {
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
	if err := pack(&b, t, r.date, r.entries(t, program)); err != nil {
		return "", fmt.Errorf("pack %s: %w", t.archive(r.version), err)
	}
	fmt.Printf("%s: %.1f MB, unpacked %.1f MB\n", t.archive(r.version), megabytes(b.Len()), megabytes(len(program)))
	sum, err := r.publish(t.archive(r.version), b.Bytes())
	if err != nil {
		return "", err
	}
	text, err := sbom{t.archive(r.version), sum, r.version, r.date, r.licences}.read(path)
	if err != nil {
		return "", fmt.Errorf("list what %s holds: %w", t.archive(r.version), err)
	}
	_, err = r.publish(t.base(r.version)+".spdx.json", text)
	return sum, err
}

// publish writes a file of the release, notes its sum and returns it.
func (r *release) publish(name string, data []byte) (string, error) {
	sum := fmt.Sprintf("%x", sha256.Sum256(data))
	fmt.Fprintf(&r.list, "%s  %s\n", sum, name)
	return sum, r.write(name, data)
}

// entries are the files of a target's archive. Krew's reviewers ask for the
// licence among what is installed.
func (r *release) entries(t target, program []byte) []entry {
	shim := entry{completer(t), 0o755, completeSh}
	if t.os == windows {
		shim = entry{completer(t), 0o644, completeCmd}
	}
	return append([]entry{
		{"LICENSE", 0o644, r.license},
		{"THIRD-PARTY-LICENSES", 0o644, r.others},
		{binary(t), 0o755, program},
		shim,
	}, r.man...)
}

func (r *release) write(name string, data []byte) error {
	return os.WriteFile(filepath.Join(r.out, name), data, 0o644)
}

func megabytes(n int) float64 { return float64(n) / 1e6 }
