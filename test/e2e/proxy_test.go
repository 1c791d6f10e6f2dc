package e2e

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"path/filepath"
	"sync"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

// proxy stands between the tool and the API server and answers some requests
// itself, as a server in trouble would.
type proxy struct {
	server  *httptest.Server
	forward *httputil.ReverseProxy

	mu    sync.Mutex
	fault fault
	// broken ends all requests under way when it is closed.
	broken chan struct{}
	faults int
}

func newProxy(w *world, fault fault) *proxy {
	w.Helper()
	config := env.RESTConfig()
	config.UserAgent = "" // the tool's own goes through
	transport, err := rest.TransportFor(config)
	w.check(err)
	target, err := url.Parse(config.Host)
	w.check(err)
	p := &proxy{fault: fault, broken: make(chan struct{})}
	p.forward = &httputil.ReverseProxy{
		Rewrite:       func(r *httputil.ProxyRequest) { r.SetURL(target) },
		Transport:     transport,
		FlushInterval: -1, // watch events at once
		ErrorHandler:  func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) },
	}
	p.server = httptest.NewServer(p)
	w.Cleanup(p.close)
	return p
}

func (p *proxy) close() {
	p.breakStreams()
	p.server.Close()
}

func (p *proxy) ServeHTTP(response http.ResponseWriter, request *http.Request) {
	p.mu.Lock()
	fault, broken := p.fault, p.broken
	p.mu.Unlock()
	if fault != nil && fault(response, request) {
		p.mu.Lock()
		p.faults++
		p.mu.Unlock()
		return
	}
	ctx, cancel := context.WithCancel(request.Context())
	defer cancel()
	go func() {
		select {
		case <-broken:
			cancel()
		case <-ctx.Done():
		}
	}()
	p.forward.ServeHTTP(response, request.WithContext(ctx))
}

// breakStreams cuts off all watches.
func (p *proxy) breakStreams() {
	p.mu.Lock()
	defer p.mu.Unlock()
	close(p.broken)
	p.broken = make(chan struct{})
}

func (p *proxy) count() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.faults
}

// tool is the tool with a kubeconfig that names the proxy.
func (p *proxy) tool(w *world) tool {
	w.Helper()
	config := clientcmdapi.NewConfig()
	config.Clusters["proxy"] = &clientcmdapi.Cluster{Server: p.server.URL}
	config.Contexts["proxy"] = &clientcmdapi.Context{Cluster: "proxy"}
	config.CurrentContext = "proxy"
	path := filepath.Join(w.TempDir(), "kubeconfig")
	w.check(clientcmd.WriteToFile(*config, path))
	return env.tool.as(path)
}
