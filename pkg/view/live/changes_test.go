package live

import (
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

func TestChanges(t *testing.T) {
	for name, need := range map[string]view.Need{"full": shopPods, "metadata": barePods} {
		t.Run(name, func(t *testing.T) { testChanges(t, need) })
	}
}

func testChanges(t *testing.T, need view.Need) {
	a := serve(t, shop())
	s, _ := open(t, a.config(), Options{})
	before := load(t, s, need)
	a.emit(t, watch.Modified, "pods", pod("shop", "web-1", "7")) // nothing new
	a.emit(t, watch.Added, "pods", pod("shop", "web-4", "101"))
	change(t, s)
	if got := names(load(t, s), view.Pods); got != "web-1 web-2 web-3 web-4" {
		t.Errorf("pods %q", got)
	}
	a.emit(t, watch.Deleted, "pods", pod("shop", "web-2", "102"))
	change(t, s)
	if got := names(load(t, s), view.Pods); got != "web-1 web-3 web-4" {
		t.Errorf("pods %q", got)
	}
	a.emit(t, watch.Modified, "pods", pod("shop", "web-1", "103"))
	change(t, s)
	if got := load(t, s).All(view.Pods)[0].GetResourceVersion(); got != "103" {
		t.Errorf("resource version %s", got)
	}
	if got := names(before, view.Pods); got != "web-1 web-2 web-3" {
		t.Errorf("an earlier view changed: %q", got)
	}
}

func TestSameVersionIsNoChange(t *testing.T) {
	s := &Source{change: make(chan struct{}, 1)}
	h := (&informer{source: s}).changes()
	h.OnAdd(pod("shop", "web-1", "7"), true)
	h.OnUpdate(pod("shop", "web-1", "7"), pod("shop", "web-1", "7"))
	if len(s.change) != 0 {
		t.Error("a relist counts as a change")
	}
	for range 2 { // never blocks
		h.OnUpdate(pod("shop", "web-1", "7"), pod("shop", "web-1", "8"))
	}
	if len(s.change) != 1 {
		t.Error("an update is no change")
	}
}

func change(t *testing.T, s *Source) {
	t.Helper()
	select {
	case <-s.Changes():
	case <-time.After(5 * time.Second):
		t.Error("no change was signalled")
	}
}

// TestExpiredWatchIsReadAnew has a server that answers for pages of a version
// with just that version, as API servers do.
func TestExpiredWatchIsReadAnew(t *testing.T) {
	a := serve(t, shop())
	a.intercept = func(w http.ResponseWriter, r *request) bool {
		q := r.URL.Query()
		if exact := r.Verb == "list" && q.Has("limit") && strings.Trim(q.Get("resourceVersion"), "0") != ""; !exact {
			return false
		}
		a.write(w, r, typedList(r.Resource, shop()[r.Resource], ""))
		return true
	}
	s, _ := open(t, a.config(), Options{})
	load(t, s, shopPods)
	a.mu.Lock()
	a.objects["pods"] = pods("shop", "web-1", "web-9")
	a.mu.Unlock()
	a.emit(t, watch.Error, "pods", &metav1.Status{
		TypeMeta: metav1.TypeMeta{Kind: "Status", APIVersion: "v1"},
		Status:   metav1.StatusFailure, Code: http.StatusGone, Reason: metav1.StatusReasonExpired,
	})
	change(t, s)
	eventually(t, "the new state", func() bool { return names(load(t, s), view.Pods) == "web-1 web-9" })
}

func TestInterruptedWatchIsNoted(t *testing.T) {
	a := serve(t, shop())
	var down atomic.Bool
	a.intercept = func(w http.ResponseWriter, r *request) bool {
		return down.Load() && answer(http.StatusInternalServerError, metav1.StatusReasonInternalError)(w, r)
	}
	s, clk := open(t, a.config(), Options{})
	load(t, s, shopPods)
	if err := s.Unwatched(); err != nil {
		t.Errorf("a watch that works is %v", err)
	}
	down.Store(true)
	a.CloseClientConnections()
	eventually(t, "the interruption", func() bool { return apierrors.IsInternalError(s.Unwatched()) }) // the next watch's
	if err := s.Unwatched(); !strings.HasPrefix(err.Error(), "cannot watch pods in namespace shop: ") {
		t.Errorf("%v does not say what can't be watched, and why", err)
	}
	if v := load(t, s); noteOf(v, "WatchInterrupted") != "" {
		t.Error("a short interruption is noted")
	}
	clk.Step(12 * time.Second)
	v := load(t, s)
	note := noteOf(v, "WatchInterrupted")
	if !strings.HasPrefix(note, "cannot watch pods in namespace shop: ") || !strings.HasSuffix(note, "; what is shown was read 12s ago") {
		t.Errorf("note %q", note)
	}
	if got := names(v, view.Pods); got != "web-1 web-2 web-3" {
		t.Errorf("pods %q", got)
	}
	down.Store(false)
	eventually(t, "the watch to go on", func() bool {
		clk.Step(brief)
		return noteOf(load(t, s), "WatchInterrupted") == "" && s.Unwatched() == nil
	})
}
