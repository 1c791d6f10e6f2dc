package live

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	utilnet "k8s.io/apimachinery/pkg/util/net"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

var (
	errClosed = errors.New("the source is closed")
	errSilent = errors.New("no answer yet")
)

// Unreadable is the error of a need that this user or this server does not
// allow to read. It wraps the server's own.
type Unreadable struct {
	Need   view.Need
	Reason string
	Err    error
}

func (e *Unreadable) Error() string { return e.Need.String() + ": " + e.Reason }
func (e *Unreadable) Unwrap() error { return e.Err }

// unreadable makes the error of a need that no retry will help, or nil.
// verb is what was tried.
func unreadable(need view.Need, verb string, err error) error {
	switch {
	case apierrors.IsForbidden(err):
		return &Unreadable{need, "forbidden for this user (" + verb + ")", err}
	case apierrors.IsNotFound(err) && !need.Kind.Typed() && !unknownPath(err):
		return &Unreadable{need, "unexpected answer 404 (NotFound) to a list, try again", errors.New(err.Error())}
	case apierrors.IsNotFound(err):
		return &Unreadable{need, "the server does not serve " + need.Kind.GroupVersion().String() + " " + need.Kind.Resource, err}
	case apierrors.IsMethodNotSupported(err):
		return &Unreadable{need, "the server has no way to " + verb + " it", err}
	}
	if code, refused := refusal(err); refused {
		return &Unreadable{need, fmt.Sprintf("the server refuses to %s it with status %d: ask for less, or check what answers at the server's address", verb, code), err}
	}
	return unacceptable(need, err)
}

// refusal is a status with which a server answers the same request always.
func refusal(err error) (code int32, ok bool) {
	var status apierrors.APIStatus
	if !errors.As(err, &status) {
		return 0, false
	}
	code = status.Status().Code
	switch code {
	case http.StatusNotAcceptable, http.StatusRequestEntityTooLarge, http.StatusRequestURITooLong,
		http.StatusUnsupportedMediaType, http.StatusRequestHeaderFieldsTooLarge:
		return code, true
	}
	return code, false
}

// unacceptable makes the error of a need that is not asked for, or whose answer
// is not one that an API server gives; else nil.
func unacceptable(need view.Need, err error) error {
	var refused *Refused
	var large *TooLarge
	var endless *Endless
	var deep *TooDeep
	var other *Unexpected
	switch {
	case errors.As(err, &deep):
		return &Unreadable{need, deep.Error() + ": correct or delete it, or ask for others by name", err}
	case errors.As(err, &other):
		return &Unreadable{need, other.Error() + ": check what answers at the server's address", err}
	case errors.As(err, &refused):
		return &Unreadable{need, refused.Error(), err}
	case errors.As(err, &large) && large.Most == mostOfList:
		return &Unreadable{need, large.Error() + ": ask for one --namespace or one object, and check what answers at the server's address", err}
	case errors.As(err, &large):
		return &Unreadable{need, large.Error() + ", more than an API server sends: check what answers at the server's address", err}
	case errors.As(err, &endless):
		return &Unreadable{need, endless.Error() + ": ask for one --namespace or one object, and check what answers at the server's address", err}
	}
	return nil
}

// overdue is the error of a need whose first read took too long.
func overdue(need view.Need, limit time.Duration, cause error) error {
	return fmt.Errorf("%s: not read within %s: %w", need, limit.Round(time.Millisecond), cause)
}

// Unreachable is the error of a server that gives no answers to this user at
// all; there is no View then.
type Unreachable struct {
	Problem, Advice string
	Err             error
}

func (e *Unreachable) Error() string {
	return fmt.Sprintf("%s: %s: %v", e.Problem, e.Advice, core(e.Err))
}

// core is what err says without the whole request, which says nothing new.
func core(err error) error {
	var u *url.Error
	var s *apierrors.StatusError
	switch {
	case errors.As(err, &u):
		return u.Err
	case errors.As(err, &s):
		return s
	}
	return err
}

func (e *Unreachable) Unwrap() error { return e.Err }

const checkContext = "check --context and --kubeconfig"

// unreachable makes the error of a server that no retry will reach, or nil.
func unreachable(host string, err error) error {
	server := "the server " + host
	var dns *net.DNSError
	var redirect *Redirected
	var refused *Refused
	switch {
	case errors.As(err, &refused):
		return nil // nothing was sent
	case errors.As(err, &redirect):
		return &Unreachable{server + " redirects", "put the address of an API server into the kubeconfig, or log in first", redirect}
	case apierrors.IsUnauthorized(err):
		return &Unreachable{server + " does not accept the credentials", "log in again, or " + checkContext, err}
	case utilnet.IsConnectionRefused(err):
		return &Unreachable{"the connection to " + server + " was refused", checkContext + ", and that the cluster runs", err}
	case errors.As(err, &dns) && !dns.IsTemporary:
		return &Unreachable{server + " cannot be found", checkContext + " and the network", err}
	case isTLS(err):
		return &Unreachable{"no trusted connection to " + server, checkContext + " and the certificates", err}
	case isLasting(err):
		return &Unreachable{"unable to connect to " + server, checkContext, err}
	}
	return nil
}

func isTLS(err error) bool {
	var verification *tls.CertificateVerificationError
	var record tls.RecordHeaderError
	var alert tls.AlertError
	return errors.As(err, &verification) || errors.As(err, &record) || errors.As(err, &alert)
}

// isLasting tells failures to send a request at all, such as those of a
// credential helper, from those that pass.
func isLasting(err error) bool {
	var u *url.Error
	if !errors.As(err, &u) || u.Timeout() || errors.Is(err, context.Canceled) {
		return false
	}
	return !utilnet.IsConnectionReset(err) && !utilnet.IsProbableEOF(err) && !utilnet.IsHTTP2ConnectionLost(err)
}
