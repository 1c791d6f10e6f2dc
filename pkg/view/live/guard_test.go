package live

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

const shopPath = "/api/v1/namespaces/shop/pods"

// what the tool sends: without and with allowDryRun.
func TestGuardSends(t *testing.T) {
	for _, url := range []string{
		"/version?timeout=30s", "/api?timeout=32s", "/apis", "/api/v1", "/apis/apps/v1", "/apis/x.example.com/v1beta1?timeout=32s",
		shopPath, shopPath + "/web-1", shopPath + "?watch=true&allowWatchBookmarks=true&timeoutSeconds=300&resourceVersion=7",
		shopPath + "?watch=true&sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan", // a list by a watch
		shopPath + "?limit=500&continue=a%2Fb&labelSelector=app+in+%28web%29&fieldSelector=metadata.name%3Dweb",
		"/api/v1/namespaces", "/api/v1/namespaces/shop", "/api/v1/nodes/n-1", "/api/v1/pods?limit=500",
		"/api/v1/namespaces/exec/pods/attach", // a pod of that name
		"/apis/rbac.authorization.k8s.io/v1/clusterroles/system:controller:replicaset-controller",
		"/apis/x.example/2020-10-01/things",
		"/api/v1/namespaces/kube-system/pods/https:kube-controller-manager-cp-1:10257/proxy/metrics", "/api/v1/namespaces/shop/pods/http:a:80/proxy/metrics?timeout=30s",
	} {
		for _, prefix := range []string{"", "/", "/k8s/clusters/c-1", "/clusters/x/proxy", "/clusters/x/proxy/"} {
			for _, allowDryRun := range []bool{false, true} {
				if err := (sending{prefix: prefix, url: url, allowDryRun: allowDryRun}).try(t); err != nil {
					t.Errorf("%s below %q: %v", url, prefix, err)
				}
			}
		}
	}
}

func TestGuardSendsDryRuns(t *testing.T) {
	for _, s := range []sending{
		{method: "POST", url: shopPath + "?dryRun=All"},
		{method: "PATCH", url: "/apis/apps/v1/namespaces/shop/replicasets/web?dryRun=All&timeout=30s"},
		{method: "PATCH", url: "/apis/apps.kruise.io/v1alpha1/namespaces/shop/clonesets/web?dryRun=All"},
		{method: "PATCH", url: "/apis/apps.kruise.io/v1beta1/namespaces/shop/clonesets/web?dryRun=All"},
	} {
		s.body = "{}"
		if s.try(t) == nil {
			t.Errorf("%s %s is sent unasked", s.method, s.url)
		}
		s.allowDryRun = true
		if err := s.try(t); err != nil {
			t.Errorf("%s %s: %v", s.method, s.url, err)
		}
	}
}

func TestGuardRefuses(t *testing.T) {
	for _, s := range hostileRequests() {
		for _, s.allowDryRun = range []bool{false, true} {
			if s.try(t) == nil {
				t.Errorf("sent: %+v", s)
			}
		}
	}
}

func hostileRequests() []sending {
	var all []sending
	for _, method := range []string{"HEAD", "OPTIONS", "CONNECT", "TRACE", "get", "PUT", "DELETE", "POST", "PATCH", "GET "} {
		all = append(all, sending{method: method, url: shopPath}, sending{method: method, url: shopPath + "/web-1"})
	}
	for _, sub := range []string{
		"exec", "attach", "portforward", "proxy", "proxy/shutdown", "log", "logs", "binding", "eviction", "ephemeralcontainers", "scale",
		"status", "token", "finalize", "resize", "approval", "",
	} {
		for _, of := range []string{
			shopPath + "/web-1/", "/api/v1/nodes/n-1/", "/apis/apps/v1/namespaces/shop/replicasets/web/", "/api/v1/namespaces/shop/serviceaccounts/a/",
			"/apis/x.example/v1beta1/namespaces/shop/things/a/", "/apis/x.example/v1/things/a/",
		} {
			all = append(all, sending{url: of + sub}, sending{method: "POST", url: of + sub + "?dryRun=All", body: "{}"}, sending{method: "PATCH", url: of + sub + "?dryRun=All", body: "{}"})
		}
	}
	for _, url := range []string{
		"", "/", "/healthz", "/metrics", "/openapi/v2", "/logs", "/debug/pprof/heap", "/ui", "/version/", "/api/", "/apis/", "/apis/apps", "/apis/apps/",
		"/api/v1/", "/api/v2/pods", "/api/v1/proxy/nodes/n-1", "/api/v1/proxy/nodes", "/api/v1/watch/pods", "/api/v1/redirect/x", "/apis/x/v1/watch/things",
		"/k8s/clusters/c-1/api/v1/pods", "/clusters/x/proxy/api/v1/pods", // not below this server's prefix
		shopPath + "/", "//api/v1/pods", "/api//v1/pods", "/api/v1//pods", shopPath + "//web-1",
		"/api/v1/./pods", "/api/v1/../v1/pods", shopPath + "/..", shopPath + "/.", shopPath + "/web-1/../../secrets", "/api/v1/namespaces/../pods",
		shopPath + "%2Fweb-1%2Fexec", shopPath + "/web-1%2Fexec", shopPath + "/web-1%2fexec", shopPath + "/%2e%2e", shopPath + "/%65xec", "/api/v1/namespaces/shop%2Fpods",
		shopPath + "/web-1%00", shopPath + "/web-1%0d%0aX:y", shopPath + "/web-1%3Fdry", shopPath + "/web-1%23", shopPath + "/web-1%25", shopPath + "/web-1;a=b", shopPath + "/web%5C1", shopPath + "/web%201",
		shopPath + "#fragment", "/api/v1/namespaces/Shop/pods", "/api/v1/Pods", "/apis/Apps/v1/replicasets", "/apis/apps/V1/replicasets",
		shopPath + "?command=rm", shopPath + "?watch=true&watch=true", shopPath + "?a;b", shopPath + "?limit=%zz", shopPath + "?dryRun=All", shopPath + "/web-1?watch=true", "/version?x=y",
		shopPath + "/web-1/proxy/metrics", shopPath + "/https:web-1:1/proxy", shopPath + "/https:web-1:1/proxy/", shopPath + "/https:web-1:1/proxy/metrics/", shopPath + "/https:web-1:1/proxy/metrics/cadvisor",
		shopPath + "/https:web-1:1/proxy/shutdown", shopPath + "/https:web-1:1/exec/metrics", shopPath + "/https:web-1:/proxy/metrics", shopPath + "/ftp:web-1:1/proxy/metrics", shopPath + "/https:web-1:1/proxy/metrics?a=b",
		"/api/v1/namespaces/shop/services/https:web:1/proxy/metrics", "/api/v1/nodes/https:n-1:10250/proxy/metrics", "/api/v1/pods/https:web-1:1/proxy/metrics", "/apis/x/v1/namespaces/shop/pods/https:web-1:1/proxy/metrics",
		shopPath + "/web-1?gracePeriodSeconds=0", shopPath + "?_method=DELETE", shopPath + "?sendInitialEvents=true", shopPath + "?watch=false&sendInitialEvents=true",
		shopPath + "/web-1?watch=true&sendInitialEvents=true", "/api/v1?watch=true&sendInitialEvents=true",
	} {
		all = append(all, sending{url: url})
	}
	for name, value := range map[string]string{
		"Upgrade": "websocket", "Connection": "keep-alive, Upgrade", "X-HTTP-Method-Override": "DELETE", "X-Http-Method-Override": "DELETE", "X-Method-Override": "PUT", "X-Http-Method": "PUT",
		"X-Stream-Protocol-Version": "v4.channel.k8s.io", "Sec-Websocket-Protocol": "v4.channel.k8s.io", "X-Original-Url": "/", "X-Rewrite-Url": "/", "X-Forwarded-Host": "x", "X-Remote-User": "root",
		"Transfer-Encoding": "chunked", "Content-Length": "5", "Host": "x", "Cookie": "a=b", "Expect": "100-continue", "Te": "trailers", "Accept-Encoding": "gzip", "Range": "bytes=0-1",
		"upgrade": "websocket", "accept": "x", "Impersonate-extra-x": "y",
	} {
		all = append(all, sending{url: shopPath, header: http.Header{name: {value}}})
	}
	for _, query := range []string{
		"", "?dryRun=None", "?dryRun=", "?dryRun=all", "?dryrun=All", "?dryRun=All&dryRun=All", "?dryRun=All&dryRun=None", "?dryRun=All;x=%zz", "?dryRun=All&force=true",
		"?dryRun=All&_method=DELETE", "?dryRun=All%20", "?dryRun=All&fieldManager=x",
	} {
		all = append(all, sending{method: "POST", url: shopPath + query, body: "{}"}, sending{method: "PATCH", url: shopPath + "/web-1" + query, body: "{}"})
	}
	return append(all, []sending{
		{method: "DELETE", url: shopPath + "/web-1?dryRun=All", body: "{}"}, {method: "DELETE", url: shopPath + "/web-1?dryRun=All"}, {method: "PUT", url: shopPath + "/web-1?dryRun=All", body: "{}"},
		{method: "PATCH", url: shopPath + "?dryRun=All", body: "{}"}, {method: "POST", url: shopPath + "/web-1?dryRun=All", body: "{}"}, {method: "POST", url: "/api/v1/namespaces/shop/bindings?dryRun=All", body: "{}"},
		{method: "POST", url: "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews?dryRun=All", body: "{}"}, {method: "POST", url: "/apis/authentication.k8s.io/v1/tokenreviews?dryRun=All", body: "{}"},
		{method: "POST", url: "/version?dryRun=All", body: "{}"}, {method: "POST", url: "/apis?dryRun=All", body: "{}"},
		{method: "GET", url: shopPath, body: "{}"},
		{url: "http://evil.example" + shopPath}, {url: "https://api.example" + shopPath}, {url: "http://api.example:8080" + shopPath},
		{url: "http://user:secret@api.example" + shopPath}, {url: shopPath, host: "evil.example"},
	}...)
}

// sending is a request to the server http://api.example, below a prefix.
type sending struct {
	prefix, method, url, body, host string
	header                          http.Header
	allowDryRun                     bool
}

// request is nil where net/url can't make one.
func (s sending) request() *http.Request {
	address := s.url
	if !strings.HasPrefix(address, "http") {
		address = "http://api.example" + strings.TrimRight(s.prefix, "/") + address
	}
	u, err := url.Parse(address)
	if err != nil {
		return nil
	}
	req := &http.Request{Method: s.method, URL: u, Host: s.host, Header: s.header}
	if s.body != "" {
		req.Body = &closer{Reader: strings.NewReader(s.body)}
	}
	return req
}

// try is the Refused error of a request, which must close the body and say that
// nothing was sent; nil when it was sent.
func (s sending) try(t testing.TB) error {
	t.Helper()
	sent := false
	g := guarding(roundTrip(func(*http.Request) (*http.Response, error) {
		sent = true
		return &http.Response{StatusCode: http.StatusOK, Body: http.NoBody}, nil
	}), &url.URL{Scheme: "http", Host: "api.example", Path: s.prefix}, s.allowDryRun)
	req := s.request()
	if req == nil {
		return errors.New("no URL")
	}
	_, err := g.RoundTrip(req)
	var refused *Refused
	if !sent && (!errors.As(err, &refused) || !strings.Contains(err.Error(), "never writes")) {
		t.Errorf("refused with %v", err)
	}
	if b, ok := req.Body.(*closer); !sent && ok && !b.closed {
		t.Error("the body stays open")
	}
	if sent {
		return nil
	}
	return err
}

// wire is what a request that passed may look like on the wire, said again.
var wire = regexp.MustCompile(`^(GET|POST|PATCH) /prefix/(version|apis?|api/v1|apis/[a-z0-9.-]+/[a-z0-9-]+|(api/v1|apis/[a-z0-9.-]+/[a-z0-9-]+)(/namespaces/[a-z0-9-]+)?/[a-z0-9.-]+(/[A-Za-z0-9._:@~+=*-]+)?)(\?[^ #]*)? HTTP/1.1$`)

// FuzzGuard: whatever passes is, as another program reads it from the wire, one of
// the requests that the tool sends.
func FuzzGuard(f *testing.F) {
	for _, s := range hostileRequests() {
		name := slices.Collect(maps.Keys(s.header))
		f.Add(s.method, s.url, append(name, "")[0], s.body, s.allowDryRun)
	}
	f.Add("GET", shopPath+"/web-1", "Accept", "", false)
	f.Add("PATCH", "/apis/apps/v1/namespaces/shop/replicasets/web?dryRun=All", "Content-Type", "{}", true)
	f.Fuzz(func(t *testing.T, method, address, header, body string, allowDryRun bool) {
		s := sending{prefix: "/prefix", method: method, url: address, body: body, header: http.Header{header: {"x"}}, allowDryRun: allowDryRun}
		if header == "" {
			s.header = nil
		}
		if s.try(t) == nil {
			checkOnTheWire(t, s)
		}
	})
}

func checkOnTheWire(t *testing.T, s sending) {
	t.Helper()
	var sent bytes.Buffer
	if err := s.request().Write(&sent); err != nil {
		return // net/http does not send it
	}
	line, _, _ := strings.Cut(sent.String(), "\r\n")
	got, err := http.ReadRequest(bufio.NewReader(&sent))
	if err != nil {
		t.Fatalf("%+v passes, and can't be read: %v", s, err)
	}
	dryRun := slices.Equal(got.URL.Query()["dryRun"], []string{"All"})
	switch path := got.URL.Path; {
	case !wire.MatchString(line), got.Host != "api.example", strings.Contains(path, "/../"), strings.HasSuffix(path, "/.."), strings.HasSuffix(path, "/."):
		t.Errorf("%+v passes as %q", s, line)
	case got.Method == "GET" && (dryRun || got.ContentLength != 0):
		t.Errorf("%+v passes as a read", s)
	case got.Method != "GET" && (!dryRun || !s.allowDryRun):
		t.Errorf("%+v passes as no dry run", s)
	}
}

// TestNoRedirectIsFollowed: neither a read nor a dry run, with its body and the
// credentials, reaches another address.
func TestNoRedirectIsFollowed(t *testing.T) {
	elsewhere := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		t.Errorf("%s %s arrived, with %q", r.Method, r.URL, r.Header.Get("Authorization"))
	}))
	t.Cleanup(elsewhere.Close)
	for _, status := range []int{300, 301, 302, 303, 307, 308, 399} {
		for _, place := range []string{elsewhere.URL + "/api/v1/pods", "/api/v1/pods", "", "::"} {
			a := serve(t, nil)
			a.intercept = func(w http.ResponseWriter, r *request) bool {
				if len(a.received()) > 1 {
					t.Errorf("%s follows", r)
				}
				w.Header().Set("Location", place)
				w.WriteHeader(status)
				return true
			}
			cfg := a.config()
			cfg.BearerToken = "secret"
			s, _ := open(t, cfg, Options{AllowDryRun: true})
			for name, ask := range map[string]func() error{
				"version": func() error { _, err := s.Version(t.Context()); return err },
				"list":    func() error { _, err := s.Load(t.Context(), []view.Need{shopPods}); return err },
				"once":    func() error { _, err := s.Once(t.Context(), shopPods); return err },
				"dry run": func() error { _, err := s.DryRun(t.Context(), webRequest(types.MergePatchType)); return err },
			} {
				a.mu.Lock()
				a.requests = nil
				a.mu.Unlock()
				var redirect *Redirected
				if err := ask(); !errors.As(err, &redirect) || !strings.Contains(err.Error(), "no redirect is followed") {
					t.Errorf("%s, %d: %v", name, status, err)
				}
			}
		}
	}
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

type closer struct {
	io.Reader
	closed bool
}

func (c *closer) Close() error { c.closed = true; return nil }

func TestNoClientOfASourceWrites(t *testing.T) {
	a := serve(t, shop())
	s, _ := open(t, a.config(), Options{})
	core, err := s.clients.group(view.Pods.GroupVersion())
	if err != nil {
		t.Fatal(err)
	}
	apps, err := s.clients.group(view.ReplicaSets.GroupVersion())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []rest.Interface{core, apps} {
		for _, verb := range []string{"POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"} {
			var refused *Refused
			if err := c.Verb(verb).Namespace("shop").Resource("pods").Name("web-1").Do(t.Context()).Error(); !errors.As(err, &refused) {
				t.Errorf("%s: %v", verb, err)
			}
		}
	}
	err = s.clients.metadata.Resource(view.Pods.GVR()).Namespace("shop").Delete(t.Context(), "web-1", metav1.DeleteOptions{})
	if _, ok := errors.AsType[*Refused](err); !ok {
		t.Errorf("metadata delete: %v", err)
	}
	if got := a.seen(); len(got) != 0 {
		t.Errorf("the server saw %q", got)
	}
}

// TestServerBelowAPrefix: a server behind a gateway is read as any other.
func TestServerBelowAPrefix(t *testing.T) {
	a := serve(t, shop())
	gateway := httptest.NewServer(http.StripPrefix("/k8s/clusters/c-1/proxy", a))
	t.Cleanup(gateway.Close)
	t.Cleanup(gateway.CloseClientConnections)
	for _, slash := range []string{"", "/"} {
		s, _ := open(t, &rest.Config{Host: gateway.URL + "/k8s/clusters/c-1/proxy" + slash}, Options{})
		if got := names(load(t, s, shopPods), view.Pods); got != "web-1 web-2 web-3" {
			t.Errorf("pods %q", got)
		}
		s.Close()
	}
}
