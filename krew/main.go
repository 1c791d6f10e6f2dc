package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/util/version"
)

func main() {
	log.SetFlags(0)
	stamp := flag.String("version", "", "version of the release, such as v1.2.3")
	date := flag.String("date", earliest.Format(time.RFC3339), "date of the release, that of its commit")
	out := flag.String("out", "dist", "folder to write to")
	only := flag.String("targets", "", "platforms, such as linux/amd64,darwin/arm64, or host (default all)")
	flag.Parse()
	if err := run(*stamp, *date, *out, *only); err != nil {
		log.Fatalf("error: %v", err)
	}
}

// earliest is the earliest date that a zip file can tell.
var earliest = time.Date(1980, time.January, 1, 0, 0, 0, 0, time.UTC)

func run(stamp, date, out, only string) error {
	if err := checkVersion(stamp); err != nil {
		return err
	}
	at, err := time.Parse(time.RFC3339, date)
	if err != nil || at.Before(earliest) {
		return fmt.Errorf("date %q: want one since %s", date, earliest.Format(time.RFC3339))
	}
	ts, err := parseTargets(only)
	if err != nil {
		return err
	}
	r := &release{version: stamp, date: at.UTC(), out: out}
	if err := r.read(); err != nil {
		return err
	}
	if r.man, err = manPages(stamp, r.date); err != nil {
		return fmt.Errorf("write the manual: %w", err)
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	return r.all(ts)
}

// read reads what goes into each archive.
func (r *release) read() (err error) {
	if r.license, err = os.ReadFile("LICENSE"); err != nil {
		return fmt.Errorf("read the licence (run this in the root of the repository): %w", err)
	}
	if r.others, err = os.ReadFile("THIRD-PARTY-LICENSES"); err != nil {
		return fmt.Errorf("read the licences of others (make docs writes them): %w", err)
	}
	page, err := os.ReadFile(filepath.Join("docs", "licences.md"))
	if err != nil {
		return fmt.Errorf("read which licences modules have (make docs writes them): %w", err)
	}
	r.licences = licencesOf(string(page))
	return nil
}

// checkVersion wants what krew takes (krew: internal/installation/semver).
func checkVersion(stamp string) error {
	_, err := version.ParseSemantic(stamp)
	if err == nil && strings.HasPrefix(stamp, "v") {
		return nil
	}
	return fmt.Errorf("version %q: krew takes semantic versions such as v1.2.3: tag the commit, or name one", stamp)
}
