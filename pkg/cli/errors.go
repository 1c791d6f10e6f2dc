package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/render"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/sanitize"
)

// errorText has a line for each of several failures.
func errorText(err error) string {
	several := eachOf(err)
	lines := make([]string, len(several))
	for i, e := range several {
		lines[i] = "error: " + errorLine(e)
	}
	return strings.Join(lines, "\n")
}

// errorLine is one line, whatever the names in it are: a line of its own could
// pass for another error. What is wrong with a command line may take several; it
// holds what the user typed.
func errorLine(err error) string {
	text := strings.TrimSpace(err.Error())
	if errors.As(err, new(hinted)) || errors.As(err, new(badUsage)) || strings.HasPrefix(text, "unknown command ") {
		return shown(text)
	}
	return sanitize.Escaped(joinedAnswer(text, err), "")
}

// joinedAnswer is text in which the lines of the API server's message are joined:
// what a webhook denies for may take several.
func joinedAnswer(text string, err error) string {
	var answer apierrors.APIStatus
	if !errors.As(err, &answer) {
		return text
	}
	message := strings.TrimSpace(answer.Status().Message)
	if message == "" {
		return text
	}
	return strings.ReplaceAll(text, message, joinedLines(message))
}

// joinedLines has the lines of a message, without those that are empty, in one.
func joinedLines(message string) string {
	var one strings.Builder
	for line := range strings.Lines(message) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		switch before := one.String(); {
		case before == "":
		case strings.ContainsAny(before[len(before)-1:], ":;,"):
			one.WriteString(" ")
		default:
			one.WriteString("; ")
		}
		one.WriteString(line)
	}
	return one.String()
}

// eachOf are the errors that were joined, one by one.
func eachOf(err error) []error {
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok || errors.Join(joined.Unwrap()...).Error() != err.Error() {
		return []error{err}
	}
	var all []error
	for _, e := range joined.Unwrap() {
		all = append(all, eachOf(e)...)
	}
	return all
}

// shown makes characters of the cluster that could drive a terminal visible.
func shown(text string) string { return sanitize.Escaped(text, "\n\t") }

// failures are errors about several targets.
type failures []error

func (f failures) Error() string   { return errors.Join(f...).Error() }
func (f failures) Unwrap() []error { return f }

// orNil keeps an empty list from being an error.
func (f failures) orNil() error {
	if len(f) == 0 {
		return nil
	}
	return f
}

// rendered are the failures as answers have them.
func (f failures) rendered() []render.Failure {
	var out []render.Failure
	for _, err := range f {
		out = append(out, render.Failure{Message: err.Error()})
	}
	return out
}

// badUsage is an error of the command line itself.
type badUsage struct{ error }

func (e badUsage) Unwrap() error { return e.error }

// usageError marks an error of the command line, after which help helps.
func usageError(format string, args ...any) error {
	return badUsage{fmt.Errorf(format, args...)}
}

type run = func(*cobra.Command, []string) error

// hinting runs a command and, when it was called wrongly, says where its help
// is: the whole help would bury the error.
func hinting(r run) run {
	return func(cmd *cobra.Command, args []string) error {
		return hint(cmd, r(cmd, args))
	}
}

func hint(cmd *cobra.Command, err error) error {
	if _, ok := errors.AsType[badUsage](err); !ok {
		return err
	}
	more := ""
	if e, ok := errors.AsType[*notModelled](err); ok {
		more = e.lines(cmd)
	}
	return hinted{err, more, cmd.CommandPath()}
}

// hinted is an error with the command whose help explains it, and lines that help more.
type hinted struct {
	error
	more, command string
}

func (e hinted) Error() string {
	return fmt.Sprintf("%s%s\nSee '%s --help' for usage.", e.error, e.more, e.command)
}
func (e hinted) Unwrap() error { return e.error }
