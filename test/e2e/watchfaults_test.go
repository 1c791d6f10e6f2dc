package e2e

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/kubectl-ctrl/kubectl-ctrl/test/controlplane"
)

// TestAPIServerRestarts wants explain -w to go on with a new API server.
func TestAPIServerRestarts(t *testing.T) {
	w := newWorld(t, t.Name())
	w.check(env.kcm.release(t.Context()))
	w.settled(1)
	watch := w.startWatching(env.tool, true)
	watch.waitForLine("1 active; spec.replicas 1")
	w.check(env.Restart(t.Context(), controlplane.APIServer))
	w.scale(web, 3)
	watch.waitForLine("3 active; spec.replicas 3")
	watch.interrupt()
}

// TestWatchFails wants explain -w to read anew when a watch is cut off, or when
// the API server has forgotten the version to watch from (410 Gone).
func TestWatchFails(t *testing.T) {
	for name, fault := range map[string]fault{
		"refused with 410": oncePerPath(expire(func(response http.ResponseWriter) {
			answerStatus(response, http.StatusGone, "Expired", "too old resource version")
		})),
		"closed with 410": oncePerPath(expire(func(response http.ResponseWriter) {
			response.Header().Set("Content-Type", "application/json")
			_, _ = fmt.Fprintf(response, `{"type":"ERROR","object":%s}`+"\n", statusJSON(http.StatusGone, "Expired", "too old resource version"))
		})),
		"cut off": nil,
	} {
		t.Run(name, func(t *testing.T) { testWatchFails(t, fault) })
	}
}

func testWatchFails(t *testing.T, fault fault) {
	w := newWorld(t, t.Name())
	w.check(env.kcm.release(t.Context()))
	w.settled(1)
	p := newProxy(w, fault)
	watch := w.startWatching(p.tool(w), false)
	watch.waitForLine("1 active; spec.replicas 1")
	p.breakStreams()
	w.scale(web, 2)
	watch.waitForLine("2 active; spec.replicas 2")
	watch.interrupt()
	if fault != nil && p.count() == 0 {
		t.Error("no watch met the fault")
	}
}

// expire is met by watches that follow a LIST.
func expire(answer func(http.ResponseWriter)) fault {
	return func(response http.ResponseWriter, r *http.Request) bool {
		if isWatch(r) {
			answer(response)
		}
		return isWatch(r)
	}
}
