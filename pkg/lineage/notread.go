package lineage

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// Telling is how to tell what could not be read.
type Telling struct {
	// Installed tells of a kind that is forbidden whether the server serves it;
	// nil for yes.
	Installed func(view.Kind) bool
	// Concerns reports whether a kind matters of which files hold nothing, and
	// Lacks what is said of those.
	Concerns func(view.Kind) bool
	Lacks    string
	// IfMissing is what the answer lacks without a Read.
	IfMissing func(view.Read) string
	// Partial reports whether a Read that failed could change the answer.
	Partial func(view.Read) bool
	// Complete says how to save what files were captured without.
	Complete string
}

// notServed reports whether a server without the kind was asked, which has no
// objects of it. Every server has those that are built in: one that denies it is
// not believed, as the list of what it serves may be lost as well.
func (t Telling) notServed(read view.Read) bool {
	switch {
	case read.Kind.Typed():
		return false
	case apierrors.IsNotFound(read.Err):
		return true
	}
	return apierrors.IsForbidden(read.Err) && t.Installed != nil && !t.Installed(read.Kind)
}

// unseen reports whether a kind that is not built in was not captured, and no
// object hints at one of it: few servers serve it.
func unseen(r *view.Reader, read view.Read) bool {
	return view.NotCaptured(read.Err) && read.Name == "" && !read.Kind.Typed() && !r.Mentions(read.Kind)
}

// NotRead names what could not be read, with the notes of the View. Kinds that
// a server does not serve have no objects. Kinds with the same trouble are told
// together.
func NotRead(r *view.Reader, t Telling) []decision.Caveat {
	var all []decision.Caveat
	add := func(code, message string, partial bool) {
		if c := (decision.Caveat{Code: code, Message: message, Partial: partial}); !slices.Contains(all, c) {
			all = append(all, c)
		}
	}
	for _, n := range r.Notes() {
		add(n.Code, n.Message, n.Partial)
	}
	var absent, forbidden, notCaptured together
	told := map[string]bool{} // what makes the answer partial once need not do so twice
	for _, read := range r.Asked() {
		reason := where(read.Need) + ": " + t.IfMissing(read)
		switch {
		case read.Err == nil || t.notServed(read) || unseen(r, read) || read.Extra && read.Spared():
		case view.NotCaptured(read.Err) && read.All():
			if kind := read.Kind.GroupResource(); !told[kind] {
				notCaptured.add(reason, kind, t.Partial(read))
				told[kind] = t.Partial(read)
			}
		case view.NotCaptured(read.Err):
			add("NotInInput", fmt.Sprintf("%v: %s", read.Err, t.IfMissing(read)), t.Partial(read))
		case errors.As(read.Err, new(*view.NotInInput)):
			if read.Kind.Typed() && t.Concerns(read.Kind) {
				absent.add("", read.Kind.GroupResource(), false)
			}
		case apierrors.IsForbidden(read.Err) && read.Name == "":
			forbidden.add(reason, read.Kind.GroupResource(), t.Partial(read))
		default:
			add("NotRead", fmt.Sprintf("%v: %s", read.Err, t.IfMissing(read)), t.Partial(read))
		}
	}
	for _, reason := range forbidden.reasons {
		add("NotRead", fmt.Sprintf("this user may not list %s %s", forbidden.kinds(reason), reason), forbidden.partial[reason])
	}
	for i, reason := range notCaptured.reasons {
		text := fmt.Sprintf("the bundle was captured without %s %s", notCaptured.kinds(reason), reason)
		if i == len(notCaptured.reasons)-1 {
			text += t.Complete
		}
		add("NotInInput", text, notCaptured.partial[reason])
	}
	for _, reason := range absent.reasons {
		add("NotInInput", fmt.Sprintf("the input holds no %s%s", absent.kinds(reason), t.Lacks), false)
	}
	return all
}

func where(n view.Need) string {
	switch {
	case n.Namespace != "":
		return "in namespace " + n.Namespace
	case n.Kind.Namespaced:
		return "in all namespaces"
	}
	return "at all"
}

// together collects kinds by a reason, both in the order of their coming.
type together struct {
	reasons  []string
	byReason map[string][]string
	// partial are the reasons of what could change the answer.
	partial map[string]bool
}

func (t *together) add(reason, kind string, partial bool) {
	if t.byReason == nil {
		t.byReason, t.partial = map[string][]string{}, map[string]bool{}
	}
	t.partial[reason] = t.partial[reason] || partial
	if t.byReason[reason] == nil {
		t.reasons = append(t.reasons, reason)
	}
	if !slices.Contains(t.byReason[reason], kind) {
		t.byReason[reason] = append(t.byReason[reason], kind)
	}
}

func (t *together) kinds(reason string) string { return strings.Join(t.byReason[reason], ", ") }
