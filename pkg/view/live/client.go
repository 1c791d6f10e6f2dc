package live

import (
	"fmt"
	"net/http"
	"net/url"
	"sync"
	"sync/atomic"

	"k8s.io/apimachinery/pkg/runtime/schema"
	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/transport"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

const (
	protobuf         = "application/vnd.kubernetes.protobuf"
	protobufElseJSON = protobuf + ",application/json"
)

// clients share one guarded connection to one server.
type clients struct {
	cfg      *rest.Config
	http     *http.Client
	wire     http.RoundTripper // what the guard sits on
	host     string
	metadata metadata.Interface
	dynamic  dynamic.Interface

	mu      sync.Mutex
	byGroup map[schema.GroupVersion]rest.Interface
	// later: the server serves CloneSets in a later version only.
	later atomic.Bool
}

// connect prepares clients for cfg, which stays as it is; nothing is sent yet.
func connect(cfg *rest.Config, o Options, t *traffic) (*clients, error) {
	c := &clients{host: hostOf(cfg.Host), byGroup: map[schema.GroupVersion]rest.Interface{}}
	c.cfg = c.configure(cfg, o, t)
	var err error
	if c.http, err = rest.HTTPClientFor(c.cfg); err != nil {
		return nil, fmt.Errorf("preparing the connection to %s: %w", c.host, err)
	}
	if c.metadata, err = metadata.NewForConfigAndClient(c.cfg, c.http); err != nil {
		return nil, fmt.Errorf("preparing the connection to %s: %w", c.host, err)
	}
	if c.dynamic, err = dynamic.NewForConfigAndClient(c.cfg, c.http); err != nil {
		return nil, fmt.Errorf("preparing the connection to %s: %w", c.host, err)
	}
	return c, nil
}

func (c *clients) configure(cfg *rest.Config, o Options, t *traffic) *rest.Config {
	cfg = rest.CopyConfig(cfg)
	// A question opens a handful of streams; a client-side limit would only
	// delay the answer, and the server has its own (priority and fairness).
	cfg.QPS, cfg.RateLimiter = -1, nil
	if o.UserAgent != "" {
		cfg.UserAgent = o.UserAgent
	}
	cfg.ContentType, cfg.AcceptContentTypes = protobuf, protobufElseJSON
	cfg.NegotiatedSerializer = view.Codecs.WithoutConversion()
	guarded := func(rt http.RoundTripper) http.RoundTripper {
		c.wire = rt
		return guardOf(cfg, observing{t, rt}, o.AllowDryRun)
	}
	// Innermost: no other wrapper can change a request behind the guard's back.
	cfg.WrapTransport = transport.Wrappers(guarded, cfg.WrapTransport)
	return cfg
}

// group is the client of one group and version.
func (c *clients) group(gv schema.GroupVersion) (rest.Interface, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if client, ok := c.byGroup[gv]; ok {
		return client, nil
	}
	cfg := rest.CopyConfig(c.cfg)
	cfg.GroupVersion, cfg.APIPath = &gv, "/apis"
	if gv.Group == "" {
		cfg.APIPath = "/api"
	}
	client, err := rest.RESTClientForConfigAndClient(cfg, c.http)
	if err != nil {
		return nil, fmt.Errorf("preparing requests for %s: %w", gv, err)
	}
	c.byGroup[gv] = client
	return client, nil
}

// close drops connections that nothing uses any more.
func (c *clients) close() { closeIdle(c.wire) }

func closeIdle(rt http.RoundTripper) {
	switch t := rt.(type) {
	case interface{ CloseIdleConnections() }:
		t.CloseIdleConnections()
	case utilnet.RoundTripperWrapper:
		closeIdle(t.WrappedRoundTripper())
	}
}

// hostOf names the server of a kubeconfig's server field in messages.
func hostOf(server string) string {
	if u, err := url.Parse(server); err == nil && u.Host != "" {
		return u.Host
	}
	return server
}
