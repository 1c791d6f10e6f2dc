package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"strings"

	"k8s.io/apimachinery/pkg/util/version"
)

func main() {
	log.SetFlags(0)
	stamp := flag.String("version", "", "version of the release, such as v1.2.3")
	out := flag.String("out", "dist", "folder to write to")
	only := flag.String("targets", "", "platforms, such as linux/amd64,darwin/arm64, or host (default all)")
	flag.Parse()
	if err := run(*stamp, *out, *only); err != nil {
		log.Fatalf("error: %v", err)
	}
}

func run(stamp, out, only string) error {
	if err := checkVersion(stamp); err != nil {
		return err
	}
	ts, err := parseTargets(only)
	if err != nil {
		return err
	}
	license, err := os.ReadFile("LICENSE")
	if err != nil {
		return fmt.Errorf("read the licence (run this in the root of the repository): %w", err)
	}
	others, err := os.ReadFile("THIRD-PARTY-LICENSES")
	if err != nil {
		return fmt.Errorf("read the licences of others (make docs writes them): %w", err)
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	return release{stamp, out, license, others}.all(ts)
}

// checkVersion wants what krew takes (krew: internal/installation/semver).
func checkVersion(stamp string) error {
	_, err := version.ParseSemantic(stamp)
	if err == nil && strings.HasPrefix(stamp, "v") {
		return nil
	}
	return fmt.Errorf("version %q: krew takes semantic versions such as v1.2.3: tag the commit, or name one", stamp)
}
