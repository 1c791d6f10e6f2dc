package cli

import (
	"errors"
	"fmt"
	"testing"

	"github.com/spf13/cobra"
)

func TestExitStatus(t *testing.T) {
	for name, c := range map[string]struct {
		err    error
		status int
		text   string
	}{
		"fine":       {nil, exitNothing, ""},
		"pending":    {fmt.Errorf("of two: %w", errPending), exitPending, ""},
		"error":      {errors.New("broken"), exitError, "error: broken"},
		"several":    {failures{errors.New("a"), errors.New("b")}, exitError, "error: a\nerror: b"},
		"one of one": {failures{errors.New("a")}, exitError, "error: a"},
		"trailing":   {errors.New("unknown command\n\n"), exitError, "error: unknown command"},
		"hostile":    {errors.New("pod \x1b[2J\u202e"), exitError, `error: pod \u001b[2J\u202e`},
	} {
		status, text := ExitStatus(c.err)
		if status != c.status || text != c.text {
			t.Errorf("%s: got %d %q, want %d %q", name, status, text, c.status, c.text)
		}
	}
}

func TestHintsAtHelpForBadUsageOnly(t *testing.T) {
	root := &cobra.Command{Use: "ctrl"}
	cmd := &cobra.Command{Use: "plan"}
	root.AddCommand(cmd)
	for want, err := range map[string]error{
		"no\nSee 'ctrl plan --help' for usage.": usageError("no"),
		"broken":                                errors.New("broken"),
	} {
		got := hinting(func(*cobra.Command, []string) error { return err })(cmd, nil)
		if got.Error() != want || !errors.Is(got, err) {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestNoFailuresAreNoError(t *testing.T) {
	var none failures
	if err := none.orNil(); err != nil {
		t.Errorf("got %v", err)
	}
}
