package controller

import (
	"fmt"
	"runtime"
	"strings"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// Caught turns a panic into the error of the target that was decided about, a
// *decision.Undecidable. It is deferred where each target is decided about: a
// defect that one object meets must not cost the answers about all others.
func Caught(t Target, err *error) {
	p := recover()
	if p == nil {
		return
	}
	kind := strings.ToLower(t.Kind.Kind)
	*err = &decision.Undecidable{Err: fmt.Errorf("internal error deciding about %s/%s/%s: %v, in %s; please report it with the output of: kubectl ctrl snapshot %s/%s -n %s",
		kind, t.Namespace, t.Name, p, origin(), kind, t.Name, t.Namespace)}
}

const module = "github.com/kubectl-ctrl/kubectl-ctrl/"

// origin is the function and the line of this program that panicked.
func origin() string {
	calls := make([]uintptr, 64)
	frames := runtime.CallersFrames(calls[:runtime.Callers(3, calls)]) // above Callers, origin and Caught
	for {
		frame, more := frames.Next()
		if name, ours := strings.CutPrefix(frame.Function, module); ours {
			return fmt.Sprintf("%s, line %d", name, frame.Line)
		}
		if !more {
			return "an unknown place"
		}
	}
}
