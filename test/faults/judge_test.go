package faults

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// judge says what is wrong with an answer after a failure, empty for nothing,
// and which lost requests the answer does not name, though it is another one.
// full is the answer without a failure.
func judge(got, full said, form string, lost []request) (wrong string, unnamed []request) {
	switch {
	case strings.Contains(got.out, "has no sentence"):
		return "a rule without facts was printed", nil
	case got.out == full.out && got.status == full.status:
		return "", nil
	case got.status == 2 && !strings.HasPrefix(warnings.ReplaceAllString(got.err, ""), "error: "):
		return "it failed without an error", nil
	case got.status == 2 && (got.out == "" || form == "version" && strings.HasPrefix(full.out, got.out)):
		return "", nil
	case got.out == "" && full.out != "":
		return "nothing was printed, and the exit status is not 2", nil
	case got.status != 2 && got.status != full.status:
		return fmt.Sprintf("the verdict is another one: exit status %d, want %d or 2", got.status, full.status), nil
	}
	return silent(got, full, form, lost)
}

// warnings are the lines of standard error that come before an error.
var warnings = regexp.MustCompile(`^(?:warning: .*\n)*`)

// judgeWait says what is wrong with the end of a wait after a failure, empty for
// nothing: what it prints on the way may differ.
func judgeWait(got, full said) string {
	switch {
	case got.status != full.status && got.status != 2:
		return fmt.Sprintf("the verdict is another one: exit status %d, want %d or 2", got.status, full.status)
	case got.status == 2 && !strings.Contains(got.err, "error: "):
		return "it failed without an error"
	case got.status != 2 && got.out == "":
		return "nothing was printed, and the exit status is not 2"
	}
	return ""
}

// silent finds the lost requests that the answer does not name. On a busy
// machine a request may take too long without being lost here.
func silent(got, full said, form string, lost []request) (wrong string, unnamed []request) {
	said := caveats(got.out, form)
	switch {
	case got.status == 2:
		said += "\n" + got.err
	case form == "name": // it has no place for caveats
		said += "\n" + got.err
	case form == "version": // its caveats have no codes
		said += "\n" + got.out
	}
	named := func(q request) bool { return q.named(said) }
	switch rest := bare(got.out, form); {
	case slices.ContainsFunc(lost, named) && rest == bare(full.out, form):
		return "", nil // the full answer: what else was lost is not needed in the end
	case got.status == 2 && (slices.ContainsFunc(lost, named) || strings.Contains(got.err, "not read within")) && within(rest, bare(full.out, form), form):
		return "", nil // the answers about other objects
	}
	for _, q := range lost {
		if !named(q) && !q.isSecondGuess() && (!q.discovers() || !slices.ContainsFunc(lost, named)) {
			unnamed = append(unnamed, q)
		}
	}
	switch {
	case len(unnamed) > 0 && len(unnamed) == len(lost):
		return "no caveat names " + unnamed[0].resource(), nil
	case len(lost) == 0 && !strings.Contains(said, "not read within") && !strings.Contains(said, "imeout"):
		return "another answer though everything was read", nil
	}
	return "", unnamed
}

// named reports whether what was said names the request, or its cluster as one
// that did not answer.
func (q request) named(said string) bool {
	noAnswer := regexp.MustCompile(`(?m)context ` + q.cluster + `: |^` + q.cluster + ` .*not answered: |"context":"` + q.cluster + `"`)
	return strings.Contains(said, q.resource()) || noAnswer.MatchString(said)
}

// bare is an answer without its caveats.
func bare(out, form string) string {
	out = strings.ReplaceAll(out, decision.PartialAnswer, "")
	if !slices.Contains([]string{"json", "snapshot"}, form) {
		lines := strings.Split(caveatLine.ReplaceAllString(out, ""), "\n")
		return strings.Join(slices.DeleteFunc(lines, func(l string) bool { return strings.TrimSpace(l) == "" }), "\n")
	}
	var doc any
	if json.Unmarshal([]byte(out), &doc) != nil {
		return out
	}
	text, _ := json.Marshal(withoutLimits(doc))
	return string(text)
}

// within reports whether an answer has only what the full one has: lines, or
// items of a list.
func within(out, full, form string) bool {
	parts := strings.Split(out, "\n")
	if form == "json" {
		parts = nil
		for _, item := range items(out) {
			text, _ := json.Marshal(item)
			parts = append(parts, string(text))
		}
	}
	return !slices.ContainsFunc(parts, func(part string) bool { return !strings.Contains(full, part) })
}

func items(out string) []any {
	var list struct{ Items []any }
	_ = json.Unmarshal([]byte(out), &list) // none where it is no list
	return list.Items
}

func withoutLimits(doc any) any {
	switch doc := doc.(type) {
	case []any:
		for i := range doc {
			doc[i] = withoutLimits(doc[i])
		}
	case map[string]any:
		for _, key := range []string{"caveats", "partial"} {
			delete(doc, key)
		}
		for key := range doc {
			doc[key] = withoutLimits(doc[key])
		}
	}
	return doc
}

var caveatLine = regexp.MustCompile(`(?m)^.*(?:\[[A-Z]\w+\](?: \(\d+ of \d+ objects?\))?|not answered: .*)$`)

// caveats is what an answer says of its limits.
func caveats(out, form string) string {
	if !slices.Contains([]string{"json", "snapshot"}, form) {
		return strings.Join(caveatLine.FindAllString(out, -1), "\n")
	}
	var found []string
	for d := json.NewDecoder(strings.NewReader(out)); d.More(); {
		var doc any
		if d.Decode(&doc) != nil {
			return ""
		}
		found = append(found, limits(doc)...)
	}
	return strings.Join(found, "\n")
}

// limits finds the caveats and failures of a document, and what a bundle says
// was not read.
func limits(doc any) (found []string) {
	switch doc := doc.(type) {
	case []any:
		for _, item := range doc {
			found = append(found, limits(item)...)
		}
	case map[string]any:
		for key, value := range doc {
			if slices.Contains([]string{"caveats", "failures", "reads"}, key) {
				text, _ := json.Marshal(value)
				found = append(found, string(text))
			}
			found = append(found, limits(value)...)
		}
	}
	return found
}
