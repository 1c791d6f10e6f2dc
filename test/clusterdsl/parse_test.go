package clusterdsl_test

import (
	"strings"
	"testing"

	"github.com/kubectl-ctrl/kubectl-ctrl/test/clusterdsl"
)

// TestTyposAreRefused: a word that nothing reads would make a sketch show something
// else than it says.
func TestTyposAreRefused(t *testing.T) {
	for line, want := range map[string]string{
		"rs web replica=3":                "line 1: rs web: unknown word replica",
		"\nset web-a app=web minReadys=2": "line 2: set web-a: unknown word minReadys",
		"pod a replicas=3":                "line 1: pod a: a pod has no replicas",
		"deploy web count=3":              "line 1: deploy web: a deploy has no count",
		"cs web maxSurges=1":              "line 1: cs web: unknown word maxSurges",
	} {
		if _, err := clusterdsl.Parse(line); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", line, err, want)
		}
	}
	if _, err := clusterdsl.Parse("pod a app=web example.com/team=x node=n1 ready=1h"); err != nil {
		t.Error(err)
	}
}
