package main

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strconv"
	"strings"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/client-go/rest"
)

// proxy stands between the trace and the API server.
type proxy struct {
	server *httptest.Server
	// page is how many objects a page of a list holds, 0 for as many as are asked for.
	page int

	mu sync.Mutex
	// expired: watches are ended, and new ones are told that their version has expired.
	expired bool
	// slow is closed when watches of Pods go on that wait for it; nil while none does.
	slow chan struct{}
	// ended is closed to end watches.
	ended chan struct{}
}

func newProxy(config *rest.Config) (*proxy, error) {
	transport, err := rest.TransportFor(config)
	if err != nil {
		return nil, err
	}
	target, err := url.Parse(config.Host)
	if err != nil {
		return nil, err
	}
	p := &proxy{ended: make(chan struct{})}
	forward := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(target) }, Transport: transport, FlushInterval: -1,
		ModifyResponse: p.delay,
		ErrorHandler:   func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) },
	}
	p.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if watches(r) && p.refuses(w) {
			return
		}
		if query := r.URL.Query(); p.page > 0 && query.Has("limit") {
			query.Set("limit", strconv.Itoa(p.page))
			r.URL.RawQuery = query.Encode()
		}
		forward.ServeHTTP(w, r)
	}))
	return p, nil
}

func watches(r *http.Request) bool { return r.URL.Query().Get("watch") != "" }

func (p *proxy) url() string { return p.server.URL }

func (p *proxy) close() {
	p.server.CloseClientConnections()
	p.server.Close()
}

func (p *proxy) refuses(w http.ResponseWriter) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.expired {
		return false
	}
	status := apierrors.NewResourceExpired("too old resource version").Status()
	status.Kind, status.APIVersion = "Status", "v1"
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusGone)
	_ = json.NewEncoder(w).Encode(status)
	return true
}

// expire ends all watches and lets none begin; renew ends that.
func (p *proxy) expire() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.expired = true
	close(p.ended)
	p.ended = make(chan struct{})
}

func (p *proxy) renew() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.expired = false
}

// hold keeps back what watches of Pods bring; release hands it on.
func (p *proxy) hold() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.slow = make(chan struct{})
}

func (p *proxy) release() {
	p.mu.Lock()
	defer p.mu.Unlock()
	close(p.slow)
	p.slow = nil
}

// delay makes a watch one that can be ended and kept back.
func (p *proxy) delay(r *http.Response) error {
	if watches(r.Request) {
		p.mu.Lock()
		defer p.mu.Unlock()
		r.Body = &body{ReadCloser: r.Body, proxy: p, ended: p.ended, pods: strings.HasSuffix(r.Request.URL.Path, "/pods")}
	}
	return nil
}

// body is the answer to a watch.
type body struct {
	io.ReadCloser
	proxy *proxy
	ended chan struct{}
	pods  bool
	once  sync.Once
}

// Read hands on what the server sends, when that is due.
func (b *body) Read(into []byte) (int, error) {
	b.once.Do(func() {
		go func() {
			<-b.ended
			_ = b.Close()
		}()
	})
	n, err := b.ReadCloser.Read(into)
	b.proxy.mu.Lock()
	slow := b.proxy.slow
	b.proxy.mu.Unlock()
	if b.pods && slow != nil {
		<-slow
	}
	return n, err
}
