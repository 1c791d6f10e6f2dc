package krew

import (
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// tooBig is what a stripped binary for linux/amd64 may not exceed, built without
// compiler flags that make it smaller; krew/README.md says what takes how much.
const tooBig = 50e6

func TestRelease(t *testing.T) {
	if testing.Short() {
		t.Skip("builds krew, kubectl and a release")
	}
	if runtime.GOOS == "windows" {
		t.Skip("runs shell scripts")
	}
	w := newWorld(t)
	t.Run("Sums", w.sums)
	t.Run("Reproducible", w.reproducible)
	t.Run("Listed", w.listed)
	t.Run("Validated", w.validated)
	t.Run("Installed", w.installed)
	t.Run("Completes", w.completes)
}

// sums compares each archive with what checksums.txt says.
func (w world) sums(t *testing.T) {
	for _, line := range w.sumLines(t) {
		sum, name, _ := strings.Cut(line, "  ")
		if got := fmt.Sprintf("%x", sha256.Sum256(read(t, filepath.Join(w.dist, name)))); got != sum {
			t.Errorf("%s has the sum %s, checksums.txt says %s", name, got, sum)
		}
	}
}

func (w world) sumLines(t *testing.T) []string {
	t.Helper()
	return strings.Split(strings.TrimSpace(string(read(t, filepath.Join(w.dist, "checksums.txt")))), "\n")
}

// reproducible builds the host's archive again, from sources in another folder.
func (w world) reproducible(t *testing.T) {
	again := w.elsewhere(t)
	again.dist = t.TempDir()
	again.must(t, "go", "run", "./krew", "-version", w.manifest(t).Spec.Version, "-date", w.sbom(t).Creation.Created, "-targets", "host", "-out", again.dist)
	for _, line := range again.sumLines(t) {
		if !strings.HasSuffix(line, ".yaml") && !slices.Contains(w.sumLines(t), line) {
			t.Errorf("built again: %s\nreleased:    %s", line, w.sumLines(t))
		}
	}
}

// sbom is what the tests want to know of an archive's bill of materials.
type sbom struct {
	Creation struct{ Created string } `json:"creationInfo"`
	Packages []struct {
		Name      string
		Version   string `json:"versionInfo"`
		Checksums []struct{ ChecksumValue string }
	}
}

func (w world) sbom(t *testing.T) (doc sbom) {
	t.Helper()
	if err := json.Unmarshal(read(t, w.only(t, hostSBOM)), &doc); err != nil {
		t.Fatal(err)
	}
	return doc
}

// listed asks Go which modules the installed program holds: the SBOM has each of
// them, and is that of this archive.
func (w world) listed(t *testing.T) {
	w.home = t.TempDir()
	w.install(t)
	info, err := buildinfo.ReadFile(w.binary(t))
	if err != nil {
		t.Fatal(err)
	}
	doc := w.sbom(t)
	has := map[string]bool{}
	for _, p := range doc.Packages {
		has[p.Name+" "+p.Version] = true
	}
	for _, m := range info.Deps {
		if !has[m.Path+" "+m.Version] {
			t.Errorf("the SBOM lacks %s %s", m.Path, m.Version)
		}
	}
	if want := len(info.Deps) + 2; len(doc.Packages) != want { // Go's library, and the archive
		t.Errorf("%d packages, want %d", len(doc.Packages), want)
	}
	if sum := fmt.Sprintf("%x", sha256.Sum256(read(t, w.only(t, hostArchive)))); doc.Packages[0].Checksums[0].ChecksumValue != sum {
		t.Errorf("the SBOM is not of the archive: %v, want %s", doc.Packages[0].Checksums, sum)
	}
}

// validated asks the checker that krew's index runs on each manifest. It has
// krew install every platform of the manifest, and looks for the licence.
func (w world) validated(t *testing.T) {
	w.run(t, filepath.Join(w.krew, "validate-krew-manifest"), "-manifest", w.manifestFile(t))
}

// installed runs the first command of README.md through kubectl.
func (w world) installed(t *testing.T) {
	w.home = t.TempDir()
	w.install(t)
	w.small(t)
	name := w.manifest(t).Metadata.Name
	args := "explain rs/api -n quota --from docs/examples/trouble.yaml"
	got, _, _ := strings.Cut(w.kubectl(t, append([]string{name}, strings.Fields(args)...)...), "\n")
	if want := w.shown(t, "$ kubectl "+name+" "+args); got != want {
		t.Errorf("kubectl %s %s\ngot:  %s\nwant: %s", name, args, got, want)
	}
	if got := w.kubectl(t, name, "version", "--client"); !strings.Contains(got, w.manifest(t).Spec.Version) {
		t.Errorf("kubectl %s version --client says nothing of %s:\n%s", name, w.manifest(t).Spec.Version, got)
	}
}

// shown is the line that README.md shows below a command.
func (w world) shown(t *testing.T, command string) string {
	t.Helper()
	_, after, found := strings.Cut(string(read(t, filepath.Join(w.root, "README.md"))), command+"\n")
	if !found {
		t.Fatalf("README.md does not show %q", command)
	}
	line, _, _ := strings.Cut(after, "\n")
	return line
}

func (w world) small(t *testing.T) {
	t.Helper()
	if runtime.GOOS+"/"+runtime.GOARCH != "linux/amd64" {
		return
	}
	info, err := os.Stat(w.binary(t))
	if err != nil {
		t.Fatal(err)
	}
	if info.Size() > tooBig {
		t.Errorf("the binary has %.1f MB, want at most %.0f", float64(info.Size())/1e6, tooBig/1e6)
	}
}

// binary is the link that krew puts on PATH.
func (w world) binary(t *testing.T) string {
	t.Helper()
	return filepath.Join(w.home, ".krew", "bin", "kubectl-"+strings.ReplaceAll(w.manifest(t).Metadata.Name, "-", "_"))
}
