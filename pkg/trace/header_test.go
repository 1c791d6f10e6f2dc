package trace_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/render"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/trace"
)

// TestHeader: the first line of a record has names as JSON of Kubernetes has them, and is of the
// version of all that is printed.
func TestHeader(t *testing.T) {
	gates := map[string]bool{"aGate": true}
	text, err := json.Marshal(trace.Header{Confirmed: true, Profile: profile.Profile{
		Kubernetes: profile.V1(36, 3), Gates: gates, Caveat: "not exactly", Partial: true, Unelected: true,
		Programs: map[string]profile.ProgramOptions{"kruise": {Version: "1.8", Gates: gates}},
	}})
	if name := regexp.MustCompile(`"[A-Z]\w*":`).Find(text); err != nil || name != nil {
		t.Errorf("%v, the name %s in %s", err, name, text)
	}
	file, err := os.Open(filepath.Join("..", "..", "docs", "examples", "trace.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	rec, err := trace.OpenRecord(file)
	if err != nil {
		t.Fatal(err)
	}
	if want := render.GroupVersion.String(); rec.APIVersion != want {
		t.Errorf("a record is of %s, answers of %s", rec.APIVersion, want)
	}
}
