package live

import (
	"net/http"

	"k8s.io/client-go/rest"
)

// Guarded puts the Guard under clients that others make of a configuration,
// such as those that ask a server which kinds it serves.
func Guarded(cfg *rest.Config) *rest.Config {
	cfg.Wrap(func(rt http.RoundTripper) http.RoundTripper { return Guard(rt, false) })
	return cfg
}
