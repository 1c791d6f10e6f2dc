package live

import (
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// form is what kind of thing a path names.
type form int

const (
	serverVersion form = iota + 1 // /version
	kindsServed                   // /api, /apis, and one version of a group
	collection                    // the objects of a resource, in one namespace or all
	object                        // one of them
	metrics                       // what a Pod serves at /metrics, through the API server's proxy
)

// target is what a path names.
type target struct {
	form     form
	resource schema.GroupVersionResource
}

// Versions, groups and resources are DNS labels and subdomains. Names are what
// the API allows in a path, without what proxies and servers may read otherwise.
//
// Each is compiled when it is first needed: commands that read no cluster start faster.
var (
	label     = pattern(`^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$`)
	subdomain = pattern(`^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$`)
	segment   = pattern(`^[A-Za-z0-9_:@~+=*-][A-Za-z0-9._:@~+=*-]{0,252}$`)
	endpoint  = pattern(`^https?:[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?:[0-9]{1,5}$`)
)

func pattern(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}

// verbsInPaths are first segments that the API once took for what to do with the
// rest: /api/v1/proxy/nodes/NAME, /api/v1/watch/pods.
var verbsInPaths = []string{"proxy", "redirect", "watch"}

// targetOf takes a path apart; ok is false unless it names what is read.
// Subresources are not, but for the metrics of a Pod.
func targetOf(path string) (t target, ok bool) {
	if path == "/version" {
		return target{form: serverVersion}, true
	}
	segments := strings.Split(path, "/")
	if segments[0] != "" || len(segments) < 2 {
		return t, false
	}
	rest, ok := t.version(segments[1:])
	if !ok {
		return t, false
	}
	if len(rest) == 0 {
		t.form = kindsServed
		return t, true
	}
	return t, t.named(rest)
}

// version reads /api, /api/v1, /apis and /apis/GROUP/VERSION, and returns what
// follows.
func (t *target) version(segments []string) (rest []string, ok bool) {
	root, rest := segments[0], segments[1:]
	switch {
	case root != "api" && root != "apis":
		return nil, false
	case len(rest) == 0:
		return nil, true
	case root == "api":
		t.resource.Version = rest[0]
		return rest[1:], rest[0] == "v1"
	case len(rest) == 1:
		return nil, false
	}
	t.resource.Group, t.resource.Version = rest[0], rest[1]
	return rest[2:], subdomain().MatchString(rest[0]) && label().MatchString(rest[1])
}

// named reads RESOURCE, RESOURCE/NAME and the same in a namespace.
func (t *target) named(rest []string) bool {
	if len(rest) > 2 && rest[0] == "namespaces" {
		if !label().MatchString(rest[1]) {
			return false
		}
		rest = rest[2:]
		if t.isMetrics(rest) {
			t.form, t.resource.Resource = metrics, "pods"
			return true
		}
	}
	if len(rest) > 2 || !subdomain().MatchString(rest[0]) || slices.Contains(verbsInPaths, rest[0]) {
		return false
	}
	t.form, t.resource.Resource = collection, rest[0]
	if len(rest) == 1 {
		return true
	}
	t.form = object
	return segment().MatchString(rest[1])
}

// isMetrics reads pods/SCHEME:NAME:PORT/proxy/metrics of the core group.
func (t *target) isMetrics(rest []string) bool {
	return t.resource.Group == "" && len(rest) == 4 && rest[0] == "pods" && endpoint().MatchString(rest[1]) && rest[2] == "proxy" && rest[3] == "metrics"
}

// parameters are those that clients send with a read, each at most once.
var parameters = map[form][]string{
	serverVersion: {"timeout"},
	kindsServed:   {"timeout"},
	object:        {"timeout", "resourceVersion"},
	metrics:       {"timeout"},
	collection: {
		"timeout", "resourceVersion", "resourceVersionMatch", "labelSelector", "fieldSelector", "limit", "continue",
		"watch", "allowWatchBookmarks", "timeoutSeconds",
	},
}

// takes reports whether the query of a read holds what clients send. A query
// that can't be parsed whole holds something else.
func (t target) takes(rawQuery string) bool {
	known := parameters[t.form]
	if q, _ := url.ParseQuery(rawQuery); t.form == collection && q.Get("watch") == "true" {
		known = append(slices.Clone(known), "sendInitialEvents") // for a watch that brings the list
	}
	return holdsOnly(rawQuery, known)
}

func holdsOnly(rawQuery string, known []string) bool {
	q, err := url.ParseQuery(rawQuery)
	if err != nil {
		return false
	}
	for name, values := range q {
		if len(values) != 1 || !slices.Contains(known, name) {
			return false
		}
	}
	return true
}

// isDryRun reports whether the query says dryRun=All, once, and nothing else
// that changes what a request does.
func isDryRun(rawQuery string) bool {
	q, _ := url.ParseQuery(rawQuery)
	return holdsOnly(rawQuery, []string{"dryRun", "fieldValidation", "timeout"}) && q.Get("dryRun") == "All"
}

// canBeTried reports whether the API server can play method through without
// storing anything: the creation of an object and a patch of one, of kinds that
// answers are about. Tokens and access reviews are not among them.
func (t target) canBeTried(method string) bool {
	if want := map[string]form{http.MethodPost: collection, http.MethodPatch: object}[method]; t.form != want {
		return false
	}
	return slices.ContainsFunc(view.Kinds(), func(k view.Kind) bool { return k.GVR().GroupResource() == t.resource.GroupResource() })
}
