//go:build linux

package cli

import (
	"strings"
	"testing"

	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cli"
)

// TestWaitBars: on a terminal the progress is shown in place, as wide as it is, and
// the end leaves the last state alone.
func TestWaitBars(t *testing.T) {
	for columns, bar := range map[int]string{100: strings.Repeat("█", 10) + strings.Repeat("░", 10) + " ", 70: "████░░░░ ", 50: ""} {
		term := openTerminal(t, columns, 24)
		r := startWait(t, web{1, 1, 1, "ContainerCreating", 0}, cli.Env{
			IOStreams: genericiooptions.IOStreams{Out: term.tty}, Getenv: vars{"NO_COLOR": "1"}.get,
			Width: func() int { return cli.TerminalWidth(term.tty, none) }, Height: func() int { return cli.TerminalHeight(term.tty) },
		})
		term.screen.await(t, bar+"replicaset/web in shop: progressing, 1 of 2")
		term.screen.await(t, "; Ctrl-C ends\r\n\x1b[2A\r\x1b[J")
		r.put(stable)
		r.ends(0, "")
		term.screen.await(t, "\x1b[2A\r\x1b[Jreplicaset/web in shop: stable, 2 of 2 replicas")
		for line := range strings.SplitSeq(term.screen.String(), "\r\n") {
			if n := len([]rune(strings.TrimPrefix(line, "\x1b[2A\r\x1b[J"))); n >= columns {
				t.Errorf("%d columns are too few for the %d of %q", columns, n, line)
			}
		}
	}
}
