package faults

import (
	"context"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// request identifies what is asked for, whenever and however often.
type request struct {
	cluster, method, path, query string
	// metadata: without spec and status.
	metadata bool
}

func requestOf(cluster string, r *http.Request) request {
	query := r.URL.Query()
	for _, how := range []string{"timeout", "limit", "resourceVersion"} { // not what is asked for
		query.Del(how)
	}
	return request{cluster, r.Method, r.URL.Path, query.Encode(), strings.Contains(r.Header.Get("Accept"), "as=PartialObjectMetadata")}
}

func (q request) String() string {
	text := strings.TrimSpace(q.cluster+" "+q.method+" "+q.path) + "?" + q.query
	if q.metadata {
		text += " (metadata)"
	}
	return text
}

// discovery is what messages say of requests for the served kinds.
const discovery = "which kinds the server serves"

var resourcePath = regexp.MustCompile(`^/(?:api|apis/([^/]+))/v[^/]+/(?:namespaces/[^/]+/)?([^/]+)`)

// resource is how messages name what is read: replicasets.apps.
func (q request) resource() string {
	m := resourcePath.FindStringSubmatch(q.path)
	switch {
	case m == nil && q.path == "/version":
		return "version"
	case m == nil:
		return discovery
	case m[1] == "":
		return m[2]
	}
	return m[2] + "." + m[1]
}

// injector fails requests: the first that is trigger, and those that follow.
type injector struct {
	trigger request
	fault   fault
	// cancel interrupts the command.
	cancel context.CancelFunc
	// left is how many requests fail from trigger on; below 0 for all.
	left int
	// alone: only trigger fails, whenever it is asked.
	alone bool

	mu    sync.Mutex
	fired bool
	// order lists the requests in the order of their first arrival; of each it
	// counts those that were answered and those that failed.
	order            []request
	answered, failed map[request]int
}

func newInjector() *injector {
	return &injector{answered: map[request]int{}, failed: map[request]int{}}
}

// around puts the injector in front of a cluster.
func (i *injector) around(cluster string, whole http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Date", now.Format(http.TimeFormat))
		if i.fails(requestOf(cluster, r), r.URL.Query().Get("watch") != "") {
			if i.fault.name == interrupt {
				i.cancel()
			}
			i.fault.fail(w, r, whole)
			return
		}
		whole.ServeHTTP(w, r)
	})
}

// fails counts a request and reports whether it fails. Answers do not wait for
// watches, so none is a trigger.
func (i *injector) fails(q request, watch bool) bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	if watch {
		return i.fired && i.left < 0
	}
	if !slices.Contains(i.order, q) {
		i.order = append(i.order, q)
	}
	i.fired = i.fired || i.fault.fail != nil && q == i.trigger
	if !i.fired || i.left == 0 || i.alone && q != i.trigger {
		i.answered[q]++
		return false
	}
	i.left--
	i.failed[q]++
	return true
}

// lost are the requests that failed each time.
func (i *injector) lost() []request {
	i.mu.Lock()
	defer i.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(i.order), func(q request) bool {
		return i.failed[q] == 0 || i.answered[q] > 0 || i.answered[q.byName()] > 0
	})
}

// byName is the GET that stands in for a list of one name that is forbidden.
func (q request) byName() request {
	values, _ := url.ParseQuery(q.query)
	q.path += "/" + strings.TrimPrefix(values.Get("fieldSelector"), "metadata.name=")
	q.query = ""
	return q
}

// discovers reports whether the request asks which kinds are served. Where that is
// asked because another request was refused, naming that one is enough.
func (q request) discovers() bool { return q.resource() == discovery }

// isSecondGuess: the controller manager's Pods are found by either of two labels,
// and here by the first.
func (q request) isSecondGuess() bool { return strings.Contains(q.query, "k8s-app") }
