package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func packed(t *testing.T, on target) []byte {
	t.Helper()
	var b bytes.Buffer
	r := release{version: "v1.2.3", license: []byte("terms"), others: []byte("others' terms"), man: []entry{{"man/man1/a.1", 0o644, []byte("page")}}}
	if err := pack(&b, on, time.Date(2026, time.November, 1, 0, 0, 0, 0, time.UTC), r.entries(on, []byte("program"))); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestTarHoldsWhatIsInstalled(t *testing.T) {
	on := target{"linux", "amd64"}
	gz, err := gzip.NewReader(bytes.NewReader(packed(t, on)))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for r := tar.NewReader(gz); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		got = append(got, fmt.Sprintf("%s %s %d:%d %q %s", h.FileInfo().Mode(), h.Name, h.Uid, h.Gid, h.Uname, h.ModTime.UTC().Format("2006")))
	}
	want := []string{
		`-rw-r--r-- LICENSE 0:0 "" 2026`,
		`-rw-r--r-- THIRD-PARTY-LICENSES 0:0 "" 2026`,
		"-rwxr-xr-x " + binary(on) + ` 0:0 "" 2026`,
		"-rwxr-xr-x " + completer(on) + ` 0:0 "" 2026`,
		`-rw-r--r-- man/man1/a.1 0:0 "" 2026`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("entries (-want +got)\n%s", diff)
	}
}

func TestZipHoldsWhatIsInstalled(t *testing.T) {
	on := target{windows, "amd64"}
	data := packed(t, on)
	r, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range r.File {
		got = append(got, fmt.Sprintf("%s %s %s", f.Mode(), f.Name, f.Modified.UTC().Format("2006")))
	}
	want := []string{
		"-rw-r--r-- LICENSE 2026",
		"-rw-r--r-- THIRD-PARTY-LICENSES 2026",
		"-rwxr-xr-x " + binary(on) + " 2026",
		"-rw-r--r-- " + completer(on) + " 2026",
		"-rw-r--r-- man/man1/a.1 2026",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("entries (-want +got)\n%s", diff)
	}
}

func TestArchivesAreReproducible(t *testing.T) {
	for _, on := range targets {
		if !bytes.Equal(packed(t, on), packed(t, on)) {
			t.Errorf("%s: two archives of the same files differ", on)
		}
	}
}
