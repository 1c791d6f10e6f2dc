package cli_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cli"
)

// A name from a file or a cluster can't make up a line of its own.
func TestErrorsKeepTheirLines(t *testing.T) {
	hostile := errors.New("pod/a\nerror: all is well\tor\rnot found")
	const line = `error: pod/a\u000aerror: all is well\u0009or\u000dnot found`
	for want, err := range map[string]error{
		line:                          hostile,
		line + "\nerror: second":      errors.Join(hostile, errors.New("second")),
		"error: first\n" + line:       errors.Join(errors.New("first"), errors.Join(hostile)),
		`error: x: first\u000asecond`: fmt.Errorf("x: %w", errors.Join(errors.New("first"), errors.New("second"))),
	} {
		if _, text := cli.ExitStatus(err); text != want {
			t.Errorf("got\n%s\nwant\n%s", text, want)
		}
	}
}
