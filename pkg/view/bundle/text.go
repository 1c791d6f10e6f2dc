package bundle

import (
	"bytes"
	"errors"
	"regexp"
)

// lookalike is text that people paste or redirect by mistake.
type lookalike struct {
	pattern *regexp.Regexp
	hint    string
}

func lookalikes() []lookalike {
	return []lookalike{
		{regexp.MustCompile(`^(NAME|NAMESPACE|LAST SEEN)( {2,}[A-Z][-A-Z() ]*)+\s*(\n|$)`),
			"this looks like a table: use kubectl get -o yaml"},
		{regexp.MustCompile(`(?i)^<(!doctype|html|\?xml)`),
			"this looks like a web page: expected YAML or JSON"},
		{regexp.MustCompile(`^(Error from server|error: |Unable to connect|The connection to the server)`),
			"this looks like an error message of kubectl: expected YAML or JSON"},
		{regexp.MustCompile(`^No resources found`),
			"kubectl found no objects"},
		{regexp.MustCompile(`^Name: {2,}\S+\s*\n`),
			"this looks like kubectl describe: use kubectl get -o yaml"},
	}
}

// mistaken says what a text is that holds no object, when it is something
// well known.
func mistaken(text []byte) error {
	text = bytes.TrimSpace(text[:min(len(text), 1<<10)])
	for _, l := range lookalikes() {
		if l.pattern.Match(text) {
			return errors.New(l.hint)
		}
	}
	return nil
}
