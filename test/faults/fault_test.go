package faults

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	kubeapi "github.com/kubectl-ctrl/kubectl-ctrl/test/apiserver"
)

// fault is one way in which a request fails. whole is what would have answered it.
type fault struct {
	name string
	fail func(w http.ResponseWriter, r *http.Request, whole http.Handler)
}

var faults = []fault{
	{"reset", func(w http.ResponseWriter, _ *http.Request, _ http.Handler) { drop(w, "") }},
	{"401", status(http.StatusUnauthorized, metav1.StatusReasonUnauthorized)},
	{"403", status(http.StatusForbidden, metav1.StatusReasonForbidden)},
	{"404", status(http.StatusNotFound, metav1.StatusReasonNotFound)},
	{"500", status(http.StatusInternalServerError, metav1.StatusReasonInternalError)},
	{"503", status(http.StatusServiceUnavailable, metav1.StatusReasonServiceUnavailable)},
	{"429", busy},
	{"truncated", truncated},
	{"html", body("text/html", "<html><body>Log in to go on</body></html>")},
	{"garbage", body("application/json", `{"kind":"List","items":[{]`)},
	{"empty", body("application/json", "")},
	{"object", body("application/json", "{}")},
	{"another kind", body("application/json", `{"kind":"ServiceList","apiVersion":"v1","metadata":{"resourceVersion":"1"},"items":[]}`)},
	{"hang", hang},
	{interrupt, hang},
}

// interrupt is the user's: Ctrl-C while a request is under way.
const interrupt = "interrupt"

// hang answers nothing. A server hears of a client that is gone once it has read the
// body of the request.
func hang(_ http.ResponseWriter, r *http.Request, _ http.Handler) {
	_, _ = io.Copy(io.Discard, r.Body)
	<-r.Context().Done()
}

// drop ends the connection after sending text, if there is any: with a reset.
func drop(w http.ResponseWriter, text string) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	_, _ = io.WriteString(conn, text)
	if tcp, ok := conn.(*net.TCPConn); ok && text == "" {
		_ = tcp.SetLinger(0)
	}
	_ = conn.Close()
}

func status(code int, reason metav1.StatusReason) func(http.ResponseWriter, *http.Request, http.Handler) {
	return func(w http.ResponseWriter, _ *http.Request, _ http.Handler) {
		kubeapi.Fail(w, code, reason, "injected: "+string(reason))
	}
}

func busy(w http.ResponseWriter, _ *http.Request, _ http.Handler) {
	w.Header().Set("Retry-After", "1")
	kubeapi.Fail(w, http.StatusTooManyRequests, metav1.StatusReasonTooManyRequests, "injected: too many requests")
}

// truncated sends half of the answer, and says that it is longer.
func truncated(w http.ResponseWriter, r *http.Request, whole http.Handler) {
	answer := httptest.NewRecorder()
	whole.ServeHTTP(answer, r)
	text := answer.Body.String()
	drop(w, fmt.Sprintf("HTTP/1.1 200 OK\r\nDate: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
		now.Format(http.TimeFormat), len(text), text[:len(text)/2]))
}

func body(kind, text string) func(http.ResponseWriter, *http.Request, http.Handler) {
	return func(w http.ResponseWriter, _ *http.Request, _ http.Handler) {
		w.Header().Set("Content-Type", kind)
		_, _ = io.WriteString(w, text)
	}
}
