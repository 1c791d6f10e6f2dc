package bundle

import (
	"bytes"
	"errors"
	"fmt"
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

// A message is what kubectl writes to its standard error, and what a file holds
// where both were redirected into it. Each starts a line.
type message struct {
	start string
	hint  string
}

const (
	notWhole   = "this is an error of kubectl, so that the file may lack objects: get them again, and redirect standard output alone (without 2>&1)"
	notAnswers = "this is a message of kubectl and not a part of an object: redirect standard output alone (without 2>&1)"
)

func messages() []message {
	return []message{
		{"Error from server", notWhole},
		{"Unable to connect to the server", notWhole},
		{"The connection to the server", notWhole},
		{"error: ", notWhole},
		{"Error: ", notWhole},
		{"Warning: ", notAnswers},
		{"No resources found", "kubectl found no objects"},
	}
}

// checkMessages returns an error for the first line that is a message of
// kubectl, with how many lines are before it. In YAML such a line is a member of
// the object before it, or a second value, and no text within an object starts at
// the first column.
func checkMessages(text []byte) (int, error) {
	first, hint := len(text), ""
	for _, m := range messages() {
		if pos := lineStarting(text[:first], []byte(m.start)); pos >= 0 {
			first, hint = pos, m.hint
		}
	}
	if hint == "" {
		return 0, nil
	}
	line := bytes.TrimRight(text[first:lineEnd(text, first)], "\r\n")
	return bytes.Count(text[:first], []byte("\n")), fmt.Errorf("%q: %s", shortened(line), hint)
}

// shortened is enough of a line to know it by.
func shortened(line []byte) string {
	const enough = 80
	if len(line) <= enough {
		return string(line)
	}
	return string(bytes.ToValidUTF8(line[:enough], nil)) + "…"
}
