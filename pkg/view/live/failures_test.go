package live

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

func TestFailedNeedsAreInTheView(t *testing.T) {
	tests := []struct {
		name   string
		need   view.Need
		code   int
		reason metav1.StatusReason
		want   string
		is     func(error) bool
	}{
		{"forbidden", shopPods, 403, metav1.StatusReasonForbidden, "pods in namespace shop: forbidden for this user (list)", apierrors.IsForbidden},
		{"forbidden metadata", barePods, 403, metav1.StatusReasonForbidden, "pods in namespace shop: forbidden for this user (list)", apierrors.IsForbidden},
		{"forbidden by name", view.Need{Kind: view.Pods, Namespace: "shop", Name: "web-1"}, 403, metav1.StatusReasonForbidden, "pods web-1 in namespace shop: forbidden for this user (get, list)", apierrors.IsForbidden},
		{"not served", shopPods, 404, metav1.StatusReasonNotFound, "pods in namespace shop: the server does not serve v1 pods", apierrors.IsNotFound},
		{"no list", shopPods, 405, metav1.StatusReasonMethodNotAllowed, "pods in namespace shop: the server has no way to list it", apierrors.IsMethodNotSupported},
		{
			"too long", shopPods, 414, metav1.StatusReasonUnknown,
			"pods in namespace shop: the server refuses to list it with status 414: ask for less, or check what answers at the server's address",
			func(err error) bool { return apierrors.ReasonForError(err) == metav1.StatusReasonUnknown },
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a := serve(t, shop())
			a.intercept = func(w http.ResponseWriter, r *request) bool {
				return r.Resource == "pods" && answer(tt.code, tt.reason)(w, r)
			}
			s, _ := open(t, a.config(), Options{})
			v := load(t, s, tt.need, shopRS)
			err := readErr(v, tt.need)
			if err == nil || err.Error() != tt.want || !tt.is(err) {
				t.Errorf("got %v, want %s", err, tt.want)
			}
			if err := readErr(v, shopRS); err != nil || names(v, view.ReplicaSets) != "web" {
				t.Errorf("the other need: %v", err)
			}
			tried := len(a.reads())
			load(t, s, tt.need)
			if got := len(a.reads()); got != tried {
				t.Errorf("asked again for what is forbidden: %q", a.reads()[tried:])
			}
		})
	}
}

func TestServerThatGivesNoAnswers(t *testing.T) {
	refused := httptest.NewServer(nil)
	refused.Close()
	unauthorized := serve(t, nil)
	unauthorized.intercept = answer(http.StatusUnauthorized, metav1.StatusReasonUnauthorized)
	untrusted := httptest.NewUnstartedServer(http.NotFoundHandler())
	untrusted.Config.ErrorLog = log.New(io.Discard, "", 0) // of failed handshakes
	untrusted.StartTLS()
	t.Cleanup(untrusted.Close)
	tests := []struct{ name, url, want string }{
		{"connection refused", refused.URL, "was refused"},
		{"unauthorized", unauthorized.URL, "log in again"},
		{"unknown certificate", untrusted.URL, "no trusted connection"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, _ := open(t, &rest.Config{Host: tt.url}, Options{})
			for range 2 { // a later call tries again
				_, err := s.Load(t.Context(), []view.Need{shopPods, shopRS})
				var lost *Unreachable
				if !errors.As(err, &lost) || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), hostOf(tt.url)) {
					t.Errorf("got %v, want %q", err, tt.want)
				}
			}
			_, err := s.Version(t.Context())
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("version: %v", err)
			}
		})
	}
}

func TestTransientFailuresAreRetried(t *testing.T) {
	for _, code := range []int{http.StatusTooManyRequests, http.StatusServiceUnavailable} {
		t.Run(http.StatusText(code), func(t *testing.T) {
			var count atomic.Int32
			a := serve(t, shop())
			a.intercept = func(w http.ResponseWriter, r *request) bool {
				if count.Add(1) > 3 {
					return false
				}
				w.Header().Set("Retry-After", "0")
				return answer(code, metav1.StatusReasonUnknown)(w, r)
			}
			s, _ := open(t, a.config(), Options{})
			if v := load(t, s, shopPods); readErr(v, shopPods) != nil || names(v, view.Pods) == "" {
				t.Errorf("got %v", readErr(v, shopPods))
			}
		})
	}
}

func TestNoAnswerWithinTimeout(t *testing.T) {
	a := serve(t, shop())
	a.intercept = func(_ http.ResponseWriter, r *request) bool {
		<-r.Context().Done()
		return true
	}
	s, clk := open(t, a.config(), Options{Timeout: 7 * time.Second})
	var err error
	passing(func() { clk.Step(7 * time.Second) }, func() { _, err = s.Load(t.Context(), []view.Need{shopPods}) })
	want := "no answer from the server " + hostOf(a.URL) + ": pods in namespace shop: not read within 7s: no answer yet"
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestOverloadedUntilTimeout(t *testing.T) {
	a := serve(t, shop())
	a.intercept = answer(http.StatusTooManyRequests, metav1.StatusReasonTooManyRequests)
	s, clk := open(t, a.config(), Options{})
	retried := func() {
		if len(a.reads()) >= 2 {
			clk.Step(time.Second)
		}
	}
	var err error
	passing(retried, func() { _, err = s.Load(t.Context(), []view.Need{shopPods}) })
	if err == nil || !strings.Contains(err.Error(), "not read within 30s") || !strings.Contains(err.Error(), "TooManyRequests") && !strings.Contains(err.Error(), "429") {
		t.Errorf("got %v", err)
	}
}

// passing lets step set the clock forward, again and again, until call returns. Once would
// not do: what call waits for may not have begun by then.
func passing(step, call func()) {
	answered, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			select {
			case <-answered:
				return
			case <-time.After(5 * time.Millisecond):
				step()
			}
		}
	}()
	call()
	close(answered)
	<-stopped
}

// TestWaitingInVainIsBounded: what fails need after need is waited for once, and a
// little for each that comes up later. The next question waits in full again.
func TestWaitingInVainIsBounded(t *testing.T) {
	a := serve(t, shop())
	a.intercept = func(_ http.ResponseWriter, r *request) bool {
		if r.Resource == "pods" {
			<-r.Context().Done()
			return true
		}
		return false
	}
	s, clk := open(t, a.config(), Options{})
	load(t, s, shopRS)
	// Others wait for the clock as well, so that it goes on until there is an answer.
	missing := func(namespace string) error {
		need := view.Need{Kind: view.Pods, Namespace: namespace, Detail: view.Full}
		var v *view.View
		passing(func() { clk.Step(time.Second) }, func() { v = load(t, s, need) })
		return readErr(v, need)
	}
	for i, want := range []string{"30s", "5s", "5s"} {
		if got := missing(fmt.Sprintf("shop-%d", i)); got == nil || !strings.Contains(got.Error(), "not read within "+want+":") {
			t.Errorf("Load %d: %v, want %s", i, got, want)
		}
	}
	load(t, s)
	if got := missing("shop-9"); got == nil || !strings.Contains(got.Error(), "not read within 30s:") {
		t.Errorf("the next question: %v", got)
	}
}

func TestOneSlowNeedDoesNotHoldUpTheRest(t *testing.T) {
	a := serve(t, shop())
	release := make(chan struct{})
	a.intercept = func(_ http.ResponseWriter, r *request) bool {
		if r.Resource == "pods" {
			<-release
		}
		return false
	}
	s, clk := open(t, a.config(), Options{})
	load(t, s, shopRS)
	var v *view.View
	passing(func() { clk.Step(time.Second) }, func() { v = load(t, s, shopPods) })
	if err := readErr(v, shopPods); err == nil || err.Error() != "pods in namespace shop: not read within 30s: no answer yet" {
		t.Errorf("slow need: %v", err)
	}
	if err := readErr(v, shopRS); err != nil {
		t.Error(err)
	}
	close(release)
	change(t, s)
	if v := load(t, s); readErr(v, shopPods) != nil || names(v, view.Pods) != "web-1 web-2 web-3" {
		t.Errorf("after the answer: %v", readErr(v, shopPods))
	}
}

func TestCanceledLoadIsTakenUpAgain(t *testing.T) {
	a := serve(t, shop())
	release := make(chan struct{})
	a.intercept = func(http.ResponseWriter, *request) bool { <-release; return false }
	s, _ := open(t, a.config(), Options{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Load(ctx, []view.Need{shopPods}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	close(release)
	if v := load(t, s); names(v, view.Pods) != "web-1 web-2 web-3" {
		t.Errorf("pods %q", names(v, view.Pods))
	}
}
