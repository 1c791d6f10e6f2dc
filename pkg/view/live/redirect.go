package live

import (
	"fmt"
	"net/http"
	"net/url"
)

// Redirected is the error of a response that points elsewhere. An API server
// sends none; what does wants a login, or the credentials.
type Redirected struct {
	Path, Status, Location string
}

func (e *Redirected) Error() string {
	return fmt.Sprintf("%s for %s, to %s: no redirect is followed", e.Status, e.Path, e.Location)
}

// redirected is the error of a response that points elsewhere, or nil. An answer
// that did not change since it was kept points nowhere.
func redirected(resp *http.Response, req *http.Request) error {
	if resp.StatusCode < 300 || resp.StatusCode > 399 || resp.StatusCode == http.StatusNotModified {
		return nil
	}
	return &Redirected{req.URL.Path, resp.Status, placeOf(resp.Header.Get("Location"))}
}

// placeOf is host and path of an address, without what may be secret.
func placeOf(address string) string {
	u, err := url.Parse(address)
	if err != nil || address == "" {
		return "an unknown address"
	}
	u.User, u.RawQuery, u.Fragment = nil, "", ""
	place := u.Redacted()
	return place[:min(len(place), 200)]
}
