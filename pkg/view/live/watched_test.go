package live

import (
	"net/http"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// TestEventOfSomethingElse sends what was not asked for into a watch. It reaches no answer,
// and the watch counts as broken.
func TestEventOfSomethingElse(t *testing.T) {
	nameless := pod("shop", "", "101")
	for name, c := range map[string]struct {
		kind watch.EventType
		obj  runtime.Object
		why  string
	}{
		"another kind":      {watch.Added, &corev1.Service{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web", ResourceVersion: "101"}}, "v1 Service instead of v1 Pod"},
		"a deleted kind":    {watch.Deleted, &corev1.Service{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web-1", ResourceVersion: "101"}}, "v1 Service instead of v1 Pod"},
		"a bookmark":        {watch.Bookmark, &corev1.Service{ObjectMeta: metav1.ObjectMeta{ResourceVersion: "101"}}, "v1 Service instead of v1 Pod"},
		"another namespace": {watch.Added, pod("blog", "web-4", "101"), "blog/web-4, which was not asked for"},
		"no name":           {watch.Modified, nameless, "a Pod without a name"},
		"an unknown event":  {"RENAMED", pod("shop", "web-1", "101"), "got invalid watch event type: RENAMED"},
	} {
		t.Run(name, func(t *testing.T) {
			a := serve(t, shop())
			s, _ := open(t, a.config(), Options{})
			load(t, s, shopPods)
			a.emit(t, c.kind, "pods", c.obj)
			eventually(t, "the watch to break", func() bool { return s.Unwatched() != nil })
			if got := s.Unwatched().Error(); !strings.Contains(got, c.why) {
				t.Errorf("%q does not say %q", got, c.why)
			}
			if got := names(load(t, s), view.Pods); got != "web-1 web-2 web-3" {
				t.Errorf("pods %q", got)
			}
		})
	}
}

// TestWatchesThatNeverWork has a server that accepts each watch, and ends it at once or with
// an error.
func TestWatchesThatNeverWork(t *testing.T) {
	for name, text := range map[string]string{
		"empty": "",
		"error": `{"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","status":"Failure","code":500,"message":"boom"}}`,
	} {
		t.Run(name, func(t *testing.T) {
			a := serve(t, shop())
			a.intercept = func(w http.ResponseWriter, r *request) bool {
				if r.Verb != "watch" {
					return false
				}
				w.Header().Set("Content-Type", "application/json")
				_, _ = w.Write([]byte(text))
				return true
			}
			s, _ := open(t, a.config(), Options{})
			load(t, s, shopPods)
			eventually(t, "the watch to break", func() bool { return s.Unwatched() != nil })
			for range 100 { // an accepted watch is none that works
				if s.Unwatched() == nil {
					t.Fatal("the watch counts as working")
				}
				time.Sleep(5 * time.Millisecond)
			}
		})
	}
}

// TestSilentWatch has a server that accepts watches and says nothing any more.
func TestSilentWatch(t *testing.T) {
	a := serve(t, shop())
	s, clk := open(t, a.config(), Options{})
	load(t, s, shopPods)
	eventually(t, "silence to be noted", func() bool { clk.Step(10 * time.Second); return s.Unwatched() != nil })
	if got := s.Unwatched().Error(); !strings.HasSuffix(got, "neither an event nor the end of the watch for 1m10s") {
		t.Error(got)
	}
	eventually(t, "another watch", func() bool {
		a.mu.Lock()
		defer a.mu.Unlock()
		return len(a.watchers) > 0
	})
	for range 20 { // that it is open shows nothing
		clk.Step(brief)
		time.Sleep(5 * time.Millisecond)
	}
	if s.Unwatched() == nil {
		t.Error("a watch that is only open counts as working")
	}
	a.emit(t, watch.Added, "pods", pod("shop", "web-4", "101"))
	eventually(t, "the watch to work", func() bool { return s.Unwatched() == nil })
}

// TestUnansweredWatch has a server that is asked to come back in some years.
func TestUnansweredWatch(t *testing.T) {
	a := serve(t, shop())
	a.intercept = func(w http.ResponseWriter, r *request) bool {
		if r.Verb != "watch" {
			return false
		}
		w.Header().Set("Retry-After", "99999999")
		refuse(w, http.StatusTooManyRequests, metav1.StatusReasonTooManyRequests, r)
		return true
	}
	s, clk := open(t, a.config(), Options{})
	load(t, s, shopPods)
	eventually(t, "the end of patience", func() bool { clk.Step(10 * time.Second); return s.Unwatched() != nil })
	if got := s.Unwatched().Error(); !strings.HasSuffix(got, "no answer for 30s: the server said 429 Too Many Requests") {
		t.Error(got)
	}
}
