package live

import (
	"net/http"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/rest"
)

// discoveries is how many requests of discovery are under way at the same time.
const discoveries = 32

// Guarded puts the guard under clients that others make of a configuration,
// such as those that ask a server which kinds it serves.
func Guarded(cfg *rest.Config) *rest.Config {
	cfg.Wrap(func(rt http.RoundTripper) http.RoundTripper {
		return atOnce{guardOf(cfg, rt, false), make(chan struct{}, discoveries)}
	})
	return cfg
}

// Served lists the resources that the server serves, each in the version that it
// prefers: with two requests, or one for each group where the server has no
// aggregated discovery. The groups and versions that it fails to describe, such as
// those of an extension that is down, are unknown.
func Served(cfg *rest.Config) (lists []*metav1.APIResourceList, unknown []string, err error) {
	cfg = rest.CopyConfig(cfg)
	cfg.QPS, cfg.RateLimiter = -1, nil
	client, err := discovery.NewDiscoveryClientForConfig(Guarded(cfg))
	if err != nil {
		return nil, nil, err
	}
	lists, err = client.ServerPreferredResources()
	failed, partial := discovery.GroupDiscoveryFailedErrorGroups(err)
	if err != nil && !partial {
		return nil, nil, err
	}
	for gv := range failed {
		unknown = append(unknown, gv.String())
	}
	slices.Sort(unknown)
	return lists, unknown, nil
}

// guardOf guards the server of cfg. Without a valid address nothing passes.
func guardOf(cfg *rest.Config, rt http.RoundTripper, allowDryRun bool) http.RoundTripper {
	server, _, err := rest.DefaultServerUrlFor(cfg)
	if err != nil {
		return failing{err}
	}
	return guarding(rt, server, allowDryRun)
}

type failing struct{ err error }

func (f failing) RoundTrip(*http.Request) (*http.Response, error) { return nil, f.err }

// atOnce sends some requests at the same time, and the others after them.
type atOnce struct {
	next  http.RoundTripper
	slots chan struct{}
}

func (a atOnce) WrappedRoundTripper() http.RoundTripper { return a.next }

func (a atOnce) RoundTrip(req *http.Request) (*http.Response, error) {
	select {
	case a.slots <- struct{}{}:
	case <-req.Context().Done():
		return nil, req.Context().Err()
	}
	defer func() { <-a.slots }()
	return a.next.RoundTrip(req)
}
