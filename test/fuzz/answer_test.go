package fuzz

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"k8s.io/cli-runtime/pkg/genericiooptions"
	"k8s.io/utils/clock"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cli"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins"
)

// answer is what a command line printed.
type answer struct {
	status         int
	stdout, stderr string
}

// unfolded is the width of a terminal on which no line is folded.
const unfolded = 10_000

// ask runs one command line over what stdin holds, on a terminal of width
// columns, 0 for none.
func ask(stdin io.Reader, width int, args ...string) answer {
	var out, stderr bytes.Buffer
	root := cli.New(cli.Env{
		Controllers: plugins.All(),
		IOStreams:   genericiooptions.IOStreams{In: stdin, Out: &out, ErrOut: &stderr},
		Clock:       clock.RealClock{}, Getenv: func(name string) string { return map[string]string{"NO_COLOR": "1"}[name] },
		Width: func() int { return width }, Name: "kubectl ctrl", Version: "v0.0.0-test",
	})
	root.SetArgs(args)
	status, text := cli.ExitStatus(root.ExecuteContext(context.Background()))
	if text != "" {
		stderr.WriteString(text + "\n")
	}
	return answer{status, out.String(), stderr.String()}
}

// questions are asked about every bundle.
var questions = [][]string{
	{"explain", "rs,rc,deploy,clonesets", "-A", "-o", "wide"},
	{"plan", "clonesets", "-A", "--no-truncate", "--partition", "1", "--specified-delete", "a"},
	{"orphans", "-A"},
	{"owners", "rs/web", "-n", "shop", "--dependents", "--cascade", "foreground"},
	{"plan", "rs/web", "-n", "shop", "--replicas", "0"},
}

// checkHarmless runs every question and demands an answer or an error, in
// text that no terminal obeys.
func checkHarmless(t *testing.T, bundle []byte) {
	t.Helper()
	for _, q := range questions {
		a := ask(bytes.NewReader(bundle), 0, append(q, "--from", "-")...)
		a.check(t, q)
		j := ask(bytes.NewReader(bundle), 0, append(slices.Clip(q), "--from", "-", "-o", "json")...)
		if j.status == 0 && !json.Valid([]byte(j.stdout)) {
			t.Errorf("%v -o json printed no JSON: %q", q, j.stdout)
		}
		if (j.status == 0) != (a.status == 0) {
			t.Errorf("%v: exit status %d as text, %d as JSON: %s%s", q, a.status, j.status, a.stderr, j.stderr)
		}
	}
}

func (a answer) check(t *testing.T, question []string) {
	t.Helper()
	if a.status == 0 && strings.TrimSpace(a.stdout+a.stderr) == "" {
		t.Errorf("%v: no answer, and no error", question)
	}
	if a.status != 0 && strings.TrimSpace(a.stdout+a.stderr) == "" { // a refused what-if is an answer
		t.Errorf("%v: exit status %d without a word", question, a.status)
	}
	for _, text := range []string{a.stdout, a.stderr} {
		if i := strings.IndexFunc(text, drives); i >= 0 {
			t.Errorf("%v: the output could drive a terminal: %q", question, text[max(0, i-20):min(len(text), i+20)])
		}
		if !utf8.ValidString(text) {
			t.Errorf("%v: the output is no UTF-8", question)
		}
	}
}

// drives reports whether a character moves a terminal's cursor, changes its
// state, reorders or breaks what it shows, or is invisible. Tabs do not: errors
// have them.
func drives(r rune) bool {
	return r != '\n' && r != '\t' && (unicode.IsControl(r) || r == '\u2028' || r == '\u2029' ||
		unicode.In(r, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector))
}
