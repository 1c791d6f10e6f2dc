package live

import (
	"net/http"
	"net/textproto"
	"net/url"
	"slices"
	"strings"
)

// below is the path that req asks for below the address of the server, which may
// have a prefix, as behind a gateway. The reason says why req goes elsewhere.
func (g *guard) below(req *http.Request) (path, reason string) {
	u := req.URL
	switch {
	case u.Scheme != g.server.Scheme, u.Host != g.server.Host, req.Host != "" && req.Host != g.server.Host:
		return "", "it is for another server"
	case u.User.String() != g.server.User.String(), u.Opaque != "", u.Fragment != "", u.RawFragment != "":
		return "", "the address holds more than host, path and query"
	}
	path, ok := strings.CutPrefix(u.Path, strings.TrimRight(g.server.Path, "/"))
	if !ok {
		return "", "it is for another server"
	}
	// What is checked is what is sent: no character is escaped in two ways.
	if u.EscapedPath() != (&url.URL{Path: u.Path}).EscapedPath() {
		return "", "the path is escaped in an unusual way"
	}
	return path, ""
}

// headers are those that clients set: for content, for credentials, and for
// what discovery keeps between runs.
var headers = []string{
	"Accept", "Content-Type", "User-Agent", "Authorization",
	"Impersonate-User", "Impersonate-Uid", "Impersonate-Group", "If-None-Match", "If-Modified-Since",
}

// onlyKnownHeaders reports whether no header can change what a request does, such
// as X-HTTP-Method-Override or Upgrade.
func onlyKnownHeaders(req *http.Request) bool {
	for name := range req.Header {
		known := slices.Contains(headers, name) || strings.HasPrefix(name, "Impersonate-Extra-") && name == textproto.CanonicalMIMEHeaderKey(name)
		if !known {
			return false
		}
	}
	return len(req.Trailer) == 0 && len(req.TransferEncoding) == 0
}
