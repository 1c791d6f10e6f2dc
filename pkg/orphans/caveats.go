package orphans

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// readCaveats names what could not be read. Kinds that a server does not serve
// have no objects. Kinds with the same trouble are told together; of those that
// files hold none of, the ones that few clusters serve are not told.
func (rep *Report) readCaveats(r *view.Reader) {
	for _, n := range r.Notes() {
		rep.caveat(n.Code, n.Message)
	}
	var absent, forbidden together
	concerned := concerned()
	for _, read := range r.Asked() {
		kind := read.Kind.GroupResource()
		switch {
		case read.Err == nil || apierrors.IsNotFound(read.Err):
		case errors.As(read.Err, new(*view.NotInInput)):
			if read.Kind.Typed() && concerned[kind] {
				absent.add("", kind)
			}
		case apierrors.IsForbidden(read.Err) && read.Name == "":
			forbidden.add(where(read.Need)+": "+rep.without(read), kind)
		default:
			rep.caveat("NotRead", fmt.Sprintf("%v: %s", read.Err, read.Without))
		}
	}
	for _, reason := range forbidden.reasons {
		rep.caveat("NotRead", fmt.Sprintf("this user may not list %s %s", forbidden.kinds(reason), reason))
	}
	for _, reason := range absent.reasons {
		rep.caveat("NotInInput", fmt.Sprintf("the input holds no %s: what they own, adopt or release is not known", absent.kinds(reason)))
	}
}

// without is what the answer lacks. While some kinds may be read in all
// namespaces, the others are not read in each.
func (rep *Report) without(read view.Read) string {
	if read.Without == eachInstead && len(rep.Namespaces) == 0 {
		return notShown
	}
	return read.Without
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
}

func (t *together) add(reason, kind string) {
	if t.byReason == nil {
		t.byReason = map[string][]string{}
	}
	if t.byReason[reason] == nil {
		t.reasons = append(t.reasons, reason)
	}
	if !slices.Contains(t.byReason[reason], kind) {
		t.byReason[reason] = append(t.byReason[reason], kind)
	}
}

func (t *together) kinds(reason string) string { return strings.Join(t.byReason[reason], ", ") }

// concerned are the kinds that own, adopt or release.
func concerned() map[string]bool {
	all := map[string]bool{}
	for _, claimed := range Kinds {
		all[claimed.GroupResource()] = true
		for _, k := range ownership.ClaimerKinds(claimed) {
			all[k.GroupResource()] = true
		}
	}
	return all
}
