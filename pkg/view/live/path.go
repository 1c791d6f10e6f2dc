package live

import (
	"regexp"
	"slices"
	"strings"
)

// opensChannel tells the subresources whose GET is no reading: it runs a
// command, or hands the request on to something that may do anything.
func opensChannel(subresource string) bool {
	return slices.Contains([]string{"exec", "attach", "portforward", "proxy"}, subresource)
}

var apiVersion = regexp.MustCompile(`^v[0-9]+((alpha|beta)[0-9]+)?$`)

// subresource is the subresource that an API path names, or empty. A prefix
// before /api or /apis is allowed: servers behind a gateway have one.
func subresource(path string) string {
	rest := resourcePath(strings.FieldsFunc(path, func(r rune) bool { return r == '/' }))
	if len(rest) > 0 && rest[0] == "proxy" { // the oldest form: /api/v1/proxy/nodes/NAME
		return rest[0]
	}
	if len(rest) >= 3 && rest[0] == "namespaces" && rest[2] != "status" && rest[2] != "finalize" {
		rest = rest[2:]
	}
	if len(rest) < 3 {
		return ""
	}
	return rest[2]
}

// resourcePath is what follows the version: namespaces/shop/pods/web-1/exec.
func resourcePath(segments []string) []string {
	for i, s := range segments {
		rest := segments[i+1:]
		if s == "apis" && len(rest) > 0 {
			rest = rest[1:] // the group
		} else if s != "api" {
			continue
		}
		if len(rest) > 0 && apiVersion.MatchString(rest[0]) {
			return rest[1:]
		}
	}
	return nil
}
