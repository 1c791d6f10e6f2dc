package cli

import (
	"io"
	"strings"
	"testing"

	"k8s.io/cli-runtime/pkg/genericiooptions"
	"k8s.io/utils/clock"

	"github.com/kubectl-ctrl/kubectl-ctrl/plugins"
)

// TestFlagsThatNothingCanBeAsked are refused before anything is read.
func TestFlagsThatNothingCanBeAsked(t *testing.T) {
	for line, want := range map[string]string{
		"explain rs/web --from nothing.yaml --at 0001-01-01T00:00:00Z":               "--at \"0001-01-01T00:00:00Z\": want an instant of the years 2000 to 2200",
		"explain rs/web --from nothing.yaml --at 9999-12-31T23:59:59-14:00":          "--at \"9999-12-31T23:59:59-14:00\": want an instant of the years 2000 to 2200",
		"explain rs/web --from nothing.yaml --at 2200-12-31T23:59:59-14:00":          "of the years 2000 to 2200",
		"explain rs/web --server http://127.0.0.1:1 -n ../x":                         "--namespace \"../x\" is no name of a namespace; list all with: kubectl get namespaces",
		"explain rs/web --server http://127.0.0.1:1 -n " + strings.Repeat("x", 64):   "is no name of a namespace",
		"explain rs/web --server http://127.0.0.1:1 -n " + strings.Repeat("x", 9999): strings.Repeat("x", 100) + "\"… is no name of a namespace",
	} {
		root := New(Env{
			Controllers: plugins.All(), Clock: clock.RealClock{},
			IOStreams: genericiooptions.IOStreams{Out: io.Discard, ErrOut: io.Discard},
			Getenv:    func(string) string { return "" }, Width: func() int { return 0 },
		})
		root.SetArgs(strings.Fields(line))
		err := root.ExecuteContext(t.Context())
		if status, text := ExitStatus(err); status != exitError || !strings.Contains(text, want) {
			t.Errorf("%.80s: status %d, %.300s; want %s", line, status, text, want)
		}
	}
}
