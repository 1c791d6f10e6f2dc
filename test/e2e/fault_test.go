package e2e

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
)

// fault answers a request in the server's place, or passes it on with false.
type fault func(http.ResponseWriter, *http.Request) bool

func isWatch(r *http.Request) bool { return r.URL.Query().Get("watch") != "" }

func isListOf(r *http.Request, resource string) bool {
	return !isWatch(r) && strings.HasSuffix(r.URL.Path, "/"+resource)
}

// answerStatus answers with an error of the API server.
func answerStatus(response http.ResponseWriter, code int, reason, message string) {
	response.Header().Set("Content-Type", "application/json")
	if code == http.StatusTooManyRequests {
		response.Header().Set("Retry-After", "1")
	}
	response.WriteHeader(code)
	_, _ = fmt.Fprint(response, statusJSON(code, reason, message))
}

func statusJSON(code int, reason, message string) string {
	return fmt.Sprintf(`{"kind":"Status","apiVersion":"v1","status":"Failure","code":%d,"reason":%q,"message":%q}`, code, reason, message)
}

// oncePerPath lets the second request for the same things pass.
func oncePerPath(fault fault) fault {
	var met sync.Map
	return func(response http.ResponseWriter, r *http.Request) bool {
		if _, again := met.Load(r.URL.Path); again || !fault(response, r) {
			return false
		}
		met.Store(r.URL.Path, true)
		return true
	}
}
