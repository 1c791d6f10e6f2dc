package live

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// echo answers a write with its own body, and fails the test for one that is
// no dry run.
func echo(t *testing.T) func(http.ResponseWriter, *request) bool {
	return func(w http.ResponseWriter, r *request) bool {
		if r.URL.Query().Get("dryRun") != metav1.DryRunAll {
			t.Errorf("%s %s is no dry run", r.Method, r.URL)
		}
		if got := r.URL.Query().Get("fieldValidation"); got != metav1.FieldValidationStrict {
			t.Errorf("%s %s: unknown fields are let pass", r.Method, r.URL)
		}
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, strings.Replace(string(body), "METHOD", r.Method+" "+r.URL.Path, 1))
		return true
	}
}

func TestDryRun(t *testing.T) {
	for name, c := range map[string]struct {
		patch types.PatchType
		want  string
	}{
		"create": {"", "POST /apis/apps.kruise.io/v1alpha1/namespaces/shop/clonesets"},
		"change": {types.MergePatchType, "PATCH /apis/apps.kruise.io/v1alpha1/namespaces/shop/clonesets/web"},
	} {
		t.Run(name, func(t *testing.T) {
			a := serve(t, nil)
			a.intercept = echo(t)
			s, _ := open(t, a.config(), Options{AllowDryRun: true})
			answer, err := s.DryRun(t.Context(), webRequest(c.patch))
			if err != nil || !strings.Contains(string(answer), c.want) {
				t.Errorf("got %s, %v, want it to hold %s", answer, err, c.want)
			}
		})
	}
}

func TestDryRunIsNotSentUnasked(t *testing.T) {
	a := serve(t, nil)
	s, _ := open(t, a.config(), Options{})
	_, err := s.DryRun(t.Context(), webRequest(types.MergePatchType))
	var refused *Refused
	if !errors.As(err, &refused) || len(a.seen()) > 0 {
		t.Errorf("got %v, and the server saw %v", err, a.seen())
	}
}

// TestDryRunRefused: a server that is busy or broken has not refused anything.
func TestDryRunRefused(t *testing.T) {
	for _, c := range []struct {
		code   int
		reason metav1.StatusReason
		want   string
	}{
		{http.StatusUnprocessableEntity, metav1.StatusReasonInvalid, "the server refuses it: "},
		{http.StatusForbidden, metav1.StatusReasonForbidden, "the server refuses it: "},
		{http.StatusConflict, metav1.StatusReasonConflict, "the server refuses it: "},
		{http.StatusTooManyRequests, metav1.StatusReasonTooManyRequests, "the server can't play it through now: "},
		{http.StatusInternalServerError, metav1.StatusReasonInternalError, "the server can't play it through now: "},
		{http.StatusGatewayTimeout, metav1.StatusReasonTimeout, "the server can't play it through now: "},
	} {
		a := serve(t, nil)
		a.intercept = answer(c.code, c.reason)
		s, _ := open(t, a.config(), Options{AllowDryRun: true})
		_, err := s.DryRun(t.Context(), webRequest(""))
		if err == nil || !strings.Contains(err.Error(), c.want) || Refuses(err) != strings.Contains(c.want, "refuses") {
			t.Errorf("%d: got %v, a refusal: %v", c.code, err, Refuses(err))
		}
	}
}

func webRequest(patch types.PatchType) Request {
	return Request{Kind: view.CloneSets, Namespace: "shop", Name: "web", Type: patch, Body: []byte(
		`{"apiVersion":"apps.kruise.io/v1alpha1","kind":"CloneSet","metadata":{"name":"web","namespace":"shop","annotations":{"was":"METHOD"}}}`)}
}
