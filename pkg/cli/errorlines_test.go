package cli_test

import (
	"errors"
	"fmt"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

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

// A webhook's message in several lines can be read in one. The name around it
// is still escaped.
func TestErrorsJoinTheServersLines(t *testing.T) {
	denial := &apierrors.StatusError{ErrStatus: metav1.Status{
		Message: "admission webhook \"policy\" denied the request: \r\n\r\n  resources: required\n\timage: no tag\x1b[2J\n",
	}}
	const want = `error: pod/a\u000ab: admission webhook "policy" denied the request: resources: required; image: no tag\u001b[2J`
	if _, text := cli.ExitStatus(fmt.Errorf("pod/a\nb: %w", denial)); text != want {
		t.Errorf("got\n%s\nwant\n%s", text, want)
	}
	if _, text := cli.ExitStatus(fmt.Errorf("pod/a: %w", &apierrors.StatusError{})); text != "error: pod/a:" {
		t.Errorf("without a message: %q", text)
	}
}
