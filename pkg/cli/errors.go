package cli

import (
	"errors"
	"fmt"
)

// The exit statuses. As with kubectl diff, more than 1 is an error.
const (
	ExitNothing = 0
	ExitPending = 1
	ExitError   = 2
)

// errPending ends a command whose --exit-code was asked for and whose answer
// has something pending. It is no error to print.
var errPending = errors.New("something is pending")

// ExitStatus is the exit status for what a command returned, and the text to
// print for it, empty when there is none.
func ExitStatus(err error) (int, string) {
	switch {
	case err == nil:
		return ExitNothing, ""
	case errors.Is(err, errPending):
		return ExitPending, ""
	default:
		return ExitError, "error: " + err.Error()
	}
}

// usageError marks an error of the command line, after which usage helps.
func usageError(format string, args ...any) error {
	return fmt.Errorf(format, args...)
}
