package cli

import (
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// advised runs a command that has no answer, and each command of this program that its
// error advises, with NAME for the name that it leaves open, and ops for the namespace:
//
//	advised NAME COUNT COMMAND [ARGUMENT...]
//
// All of them have an answer, and COUNT commands are kubectl's own.
func advised(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 {
		ts.Fatalf("usage: advised NAME COUNT COMMAND [ARGUMENT...]")
	}
	exits(ts, false, append([]string{"2"}, args[2:]...))
	own, kubectl := 0, ""
	for line := range strings.Lines(ts.ReadFile("stderr")) {
		command, _, ok := strings.Cut(strings.TrimPrefix(line, "  "), " # ")
		if !ok || !strings.HasPrefix(line, "  ") {
			continue
		}
		words := strings.Fields(strings.NewReplacer("NAMESPACE", "ops", "NAME", args[0]).Replace(command))
		if words[1] != "ctrl" {
			kubectl += "x"
			continue
		}
		own++
		ts.Check(ts.Exec("kubectl-ctrl", words[2:]...))
		if ts.ReadFile("stdout") == "" {
			ts.Fatalf("%s says nothing", command)
		}
	}
	if own == 0 || kubectl != strings.Repeat("x", int(args[1][0]-'0')) {
		ts.Fatalf("%d commands of this program and %d of kubectl, want some and %s", own, len(kubectl), args[1])
	}
}
