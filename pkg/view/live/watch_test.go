package live

import (
	"bytes"
	"net/http"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

func (a *apiServer) watch(w http.ResponseWriter, r *request) {
	events := make(chan watch.Event, 10000)
	a.mu.Lock()
	a.watchers[events] = r.Resource
	a.mu.Unlock()
	defer func() {
		a.mu.Lock()
		defer a.mu.Unlock()
		delete(a.watchers, events)
	}()
	codecs, info, gv := a.negotiate(r)
	w.Header().Set("Content-Type", info.MediaType+";stream=watch")
	frames := info.StreamSerializer.NewFrameWriter(w)
	send := func(kind watch.EventType, obj runtime.Object) {
		var raw, event bytes.Buffer
		_ = codecs.EncoderForVersion(info.Serializer, gv).Encode(obj, &raw)
		_ = view.Codecs.EncoderForVersion(info.StreamSerializer.Serializer, view.Pods.GroupVersion()).
			Encode(&metav1.WatchEvent{Type: string(kind), Object: runtime.RawExtension{Raw: raw.Bytes()}}, &event)
		_, _ = frames.Write(event.Bytes())
	}
	shape := func(obj runtime.Object) runtime.Object {
		if _, status := obj.(*metav1.Status); !status && bareAccepted(r) {
			return stripped(obj)
		}
		return obj
	}
	w.(http.Flusher).Flush()
	for {
		select {
		case e, open := <-events:
			if !open {
				return
			}
			send(e.Type, shape(e.Object))
			w.(http.Flusher).Flush()
		case <-r.Context().Done():
			return
		}
	}
}

// emit tells the watchers of a resource, as soon as there are any.
func (a *apiServer) emit(t *testing.T, kind watch.EventType, resource string, obj runtime.Object) {
	t.Helper()
	eventually(t, "a watch", func() bool {
		a.mu.Lock()
		defer a.mu.Unlock()
		sent := false
		for events, r := range a.watchers {
			if r == resource {
				events <- watch.Event{Type: kind, Object: obj}
				sent = true
			}
		}
		return sent
	})
}
