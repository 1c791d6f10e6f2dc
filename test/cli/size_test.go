package cli

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"k8s.io/cli-runtime/pkg/genericiooptions"
	"k8s.io/utils/clock"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cli"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins"
)

// TestTenThousandPods asks about a set of 10,000 pods: an answer takes well
// under a second, and the bound leaves room for slow machines.
func TestTenThousandPods(t *testing.T) {
	const pods, bound = 10_000, 20 * time.Second
	path := filepath.Join(t.TempDir(), "large.yaml")
	if err := os.WriteFile(path, largeSet(pods), 0o600); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	root := cli.New(cli.Env{
		Controllers: plugins.All(),
		IOStreams:   genericiooptions.IOStreams{In: strings.NewReader(""), Out: &out, ErrOut: &errs},
		Clock:       clock.RealClock{}, Getenv: func(string) string { return "" },
		Width: func() int { return 0 }, Name: "kubectl ctrl", Version: "v0.0.0-test",
	})
	root.SetArgs([]string{"plan", "rs/web", "--replicas", "100", "--from", path})
	start := time.Now()
	if err := root.Execute(); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(start); took > bound {
		t.Errorf("took %s, want less than %s", took, bound)
	}
	if !strings.Contains(out.String(), "Plan: 0 to create, 500 to delete") {
		t.Errorf("a sync deletes at most 500 Pods at once:\n%.2000s", out.String())
	}
}

// largeSet is a ReplicaSet with n pods, half of which are not ready.
func largeSet(n int) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, `{"apiVersion":"apps/v1","kind":"ReplicaSet","metadata":{"name":"web","namespace":"shop","uid":"r","creationTimestamp":"2026-01-01T00:00:00Z"},"spec":{"replicas":%d,"selector":{"matchLabels":{"app":"web"}}},"status":{"replicas":%[1]d}}`+"\n", n)
	for i := range n {
		ready := map[bool]string{true: "True", false: "False"}[i%2 == 0]
		fmt.Fprintf(&b, `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web-%d","namespace":"shop","uid":"p%[1]d","creationTimestamp":"2026-01-02T00:%02d:%02dZ","labels":{"app":"web"},"ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"web","uid":"r","controller":true}]},"spec":{"nodeName":"node-%d"},"status":{"phase":"Running","conditions":[{"type":"Ready","status":%q,"lastTransitionTime":"2026-01-02T01:00:00Z"}]}}`+"\n",
			i, i/60%60, i%60, i%50, ready)
	}
	return b.Bytes()
}
