package live

import (
	"context"
	"net/http"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/cache"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// TestStreamObeysItsContext: the client waits as long as a Retry-After says,
// inside of the request, and the context of the request ends that.
func TestStreamObeysItsContext(t *testing.T) {
	a := serve(t, map[string][]runtime.Object{"pods": pods("shop", "a")})
	asked := make(chan struct{}, 1)
	a.intercept = func(w http.ResponseWriter, _ *request) bool {
		w.Header().Set("Retry-After", "100000")
		w.WriteHeader(http.StatusTooManyRequests)
		asked <- struct{}{}
		return true
	}
	s, _ := open(t, a.config(), Options{})
	stream, err := s.Stream(view.Need{Kind: view.Pods, Namespace: "shop", Detail: view.Full})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	answered := make(chan error, 1)
	go func() {
		_, err := cache.ToListerWatcherWithContext(stream.ListWatch(false)).WatchWithContext(ctx, metav1.ListOptions{})
		answered <- err
	}()
	<-asked
	cancel()
	select {
	case err := <-answered:
		if err == nil {
			t.Error("the watch was refused, and is open")
		}
	case <-time.After(20 * time.Second):
		t.Error("the request does not end with its context")
	}
}
