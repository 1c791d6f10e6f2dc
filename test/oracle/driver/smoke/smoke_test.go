// Package smoke compares what each built oracle answers to a few hand-written
// states with answers that were checked against upstream's source.
package smoke

import (
	"bytes"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const testdata = "../../testdata"

var update = flag.Bool("update", false, "rewrite the golden answers")

// TestSmoke runs every oracle in the directory ORACLES, which build.sh fills.
func TestSmoke(t *testing.T) {
	dir := os.Getenv("ORACLES")
	if dir == "" {
		t.Skip("ORACLES names no directory of built oracles")
	}
	binaries, err := filepath.Glob(filepath.Join(dir, "oracle-[0-9]*"))
	if err != nil || len(binaries) == 0 {
		t.Fatalf("no oracle in %s (%v)", dir, err)
	}
	for _, binary := range binaries {
		version := strings.TrimPrefix(filepath.Base(binary), "oracle-")
		t.Run(version, func(t *testing.T) { compare(t, version, answers(t, binary)) })
	}
}

func answers(t *testing.T, binary string) []byte {
	states, err := os.Open(filepath.Join(testdata, "smoke.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer states.Close()
	cmd := exec.Command(binary)
	cmd.Stdin, cmd.Stderr = states, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v", binary, err)
	}
	return out
}

func compare(t *testing.T, version string, got []byte) {
	golden := filepath.Join(testdata, "smoke."+version+".golden")
	if *update {
		if err := os.WriteFile(golden, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	gotLines, wantLines := bytes.Split(got, []byte("\n")), bytes.Split(want, []byte("\n"))
	if len(gotLines) != len(wantLines) {
		t.Fatalf("%d lines, want %d", len(gotLines), len(wantLines))
	}
	for i := range wantLines {
		if !bytes.Equal(gotLines[i], wantLines[i]) {
			t.Errorf("line %d\n got %s\nwant %s", i+1, gotLines[i], wantLines[i])
		}
	}
}
