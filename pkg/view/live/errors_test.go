package live

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"syscall"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

func TestUnreachable(t *testing.T) {
	get := func(err error) error { return &url.Error{Op: "Get", URL: "https://kube.example:6443/api", Err: err} }
	dial := func(err error) error { return get(&net.OpError{Op: "dial", Net: "tcp", Err: err}) }
	tests := []struct {
		name string
		err  error
		want string
	}{
		{"unauthorized", apierrors.NewUnauthorized("Unauthorized"), "the server kube.example does not accept the credentials: log in again, or check --context and --kubeconfig: Unauthorized"},
		{"refused", dial(os.NewSyscallError("connect", syscall.ECONNREFUSED)), "the connection to the server kube.example was refused: check --context and --kubeconfig, and that the cluster runs: dial tcp: connect: connection refused"},
		{"dns", dial(&net.DNSError{Err: "no such host", Name: "kube.example", IsNotFound: true}), "the server kube.example cannot be found: check --context and --kubeconfig and the network: dial tcp: lookup kube.example: no such host"},
		{"certificate", get(&tls.CertificateVerificationError{Err: x509.UnknownAuthorityError{}}), "no trusted connection to the server kube.example: check --context and --kubeconfig and the certificates: tls: failed to verify certificate: x509: certificate signed by unknown authority"},
		{"credential helper", get(errors.New("getting credentials: exec: helper not found")), "unable to connect to the server kube.example: check --context and --kubeconfig: getting credentials: exec: helper not found"},
		{"overloaded", apierrors.NewTooManyRequests("slow down", 1), ""},
		{"forbidden", apierrors.NewForbidden(view.Pods.GVR().GroupResource(), "", nil), ""},
		{"timeout", get(context.DeadlineExceeded), ""},
		{"canceled", get(context.Canceled), ""},
		{"reset", get(os.NewSyscallError("read", syscall.ECONNRESET)), ""},
		{"end of file", get(io.EOF), ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := unreachable("kube.example", fmt.Errorf("failed to list: %w", tt.err))
			if tt.want == "" {
				if got != nil {
					t.Errorf("lasting: %v", got)
				}
				return
			}
			if got == nil || !errors.Is(got, tt.err) {
				t.Fatalf("got %v, want it to wrap %v", got, tt.err)
			}
			if got.Error() != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}
