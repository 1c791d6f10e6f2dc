package health

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
)

// deed is how a verb of a sync is said.
type deed struct {
	verb         decision.Verb
	does, behind string
	// may is the verb behind "may".
	may string
}

// deeds are what a sync does, in the order in which it is said.
var deeds = []deed{
	{decision.Adopt, "adopts", "", "adopt"}, {decision.Release, "releases", "", "release"}, {decision.Create, "creates", "", "create"},
	{decision.Delete, "deletes", "", "delete"}, {decision.Scale, "scales", "", "scale"}, {decision.UpdateInPlace, "updates", " in place", "update"},
	{decision.Recreate, "recreates", "", "recreate"}, {decision.SetState, "changes the lifecycle state of", "", "change the lifecycle state of"},
	{decision.SetCondition, "opens the readiness gate of", "", "open the readiness gate of"},
	{decision.Modify, "modifies", "", "modify"}, {decision.Detach, "detaches", "", "detach"},
}

// most is how many things that a sync does stand in a first line.
const most = 3

// does says what the next sync does: "next sync creates 2 Pods". What depends on
// another controller, on the version or on what was not read, it may do.
func does(d *decision.Decision) string {
	who := "next sync"
	if unsure(d) && !d.Depends() {
		who += ", if nothing refuses it,"
	}
	if said := acting(d, false); said != "" {
		return who + " " + said
	}
	return below(d)
}

// replacing says how many of so many Pods that a sync deletes a later one creates again,
// since fewer than desired are left.
func replacing(d *decision.Decision, deleted int) string {
	doubtful := false
	pods := func(verb decision.Verb) (n int) {
		for _, of := range acted(d, verb) {
			if of.kind == "Pod" {
				n, doubtful = n+of.n, doubtful || of.doubtful
			}
		}
		return n
	}
	if d.Replicas == nil || pods(decision.Delete) > deleted || doubtful || pods(decision.Adopt)+pods(decision.Release) > 0 {
		return ""
	}
	of := deleted - pods(decision.Create)
	for i := range d.Actions {
		if a := &d.Actions[i]; a.Verb == decision.Delete && a.Surplus {
			of--
		}
	}
	switch n := min(of, d.Replicas.Desired-(d.Replicas.Current-of)); {
	case n <= 0:
		return ""
	case n < deleted:
		return fmt.Sprintf(" to replace %d", n)
	case n == 1:
		return " to replace it"
	}
	return " to replace them"
}

// below says what the next syncs of objects that the target scales do, where it changes
// none of them: "its ReplicaSet deletes 1 Pod". Its own is the one after it wrote status.
func below(d *decision.Decision) string {
	own, others, of := &decision.Decision{}, &decision.Decision{}, 0
	who := ""
	for _, e := range d.Follows {
		switch {
		case !e.Due:
		case e.Cause == d.Target:
			own.Do(e.Actions...)
		default:
			others.Do(e.Actions...)
			who, of = "its "+e.Cause.Kind, of+1
		}
	}
	if of > 1 {
		who += "s"
	}
	said := slices.DeleteFunc([]string{doing("the sync after next", own, false), doing(who, others, of > 1)}, func(s string) bool { return s == "" })
	return strings.Join(said, ", ")
}

// doing says what one does, or several do; empty for nothing.
func doing(who string, d *decision.Decision, several bool) string {
	said := acting(d, several)
	if said == "" {
		return ""
	}
	if unsure(d) && !d.Contested() {
		who += ", if nothing refuses it,"
	}
	return who + " " + said
}

// acting says what one does, or several do.
func acting(d *decision.Decision, several bool) string {
	var said []string
	for _, v := range deeds {
		all := acted(d, v.verb)
		for i, of := range all {
			does, behind := v.said(d, several, of.doubtful)
			what := format.Plural(of.n, short(of.kind))
			if i > 0 && of.doubtful == all[i-1].doubtful { // one verb for both
				said[len(said)-1] += " and " + what + behind
				continue
			}
			if v.verb == decision.Delete && of.kind == "Pod" && !of.doubtful {
				what += replacing(d, of.n)
			}
			said = append(said, fmt.Sprintf("%s %s%s", does, what, behind))
		}
	}
	if len(said) > most {
		said = append(said[:most], fmt.Sprintf("%d more", len(said)-most))
	}
	return strings.Join(said, ", ")
}

// said is the verb of a sync, or of several, and what stands behind its object.
func (v deed) said(d *decision.Decision, several, doubtful bool) (does, behind string) {
	switch {
	case v.verb == decision.SetState && d.OnlyMarks():
		return marks(several, doubtful), v.behind
	case v.verb == decision.Recreate && d.KeepsMarked():
		v.does, v.may, v.behind = "marks", "mark", " for deletion"
	}
	switch {
	case doubtful:
		return "may " + v.may, v.behind
	case several:
		return v.may, v.behind
	}
	return v.does, v.behind
}

// marks says that labels or annotations are written, and no state of a lifecycle is entered.
func marks(several, doubtful bool) string {
	switch {
	case doubtful:
		return "may change metadata of"
	case several:
		return "change metadata of"
	}
	return "changes metadata of"
}

// short is a kind as it stands where there is little room.
func short(kind string) string {
	if kind == "PersistentVolumeClaim" {
		return "PVC"
	}
	return kind
}

// acts is how many objects of a kind get an action.
type acts struct {
	kind string
	n    int
	// doubtful: another controller may adopt first, another release decides otherwise, or it
	// depends on what was not read.
	doubtful bool
}

// acted counts the objects that get an action, by kind. Of a choice, as many as it
// is about count, for the gravest of its verbs.
func acted(d *decision.Decision, verb decision.Verb) []acts {
	var all []acts
	add := func(kind string, n int, doubtful bool) {
		for i := range all {
			if all[i].kind == kind && all[i].doubtful == doubtful {
				all[i].n += n
				return
			}
		}
		all = append(all, acts{kind, n, doubtful})
	}
	contested := d.Depends()
	for i := range d.Actions {
		a := &d.Actions[i]
		if _, shared := a.Pool(); a.Verb == verb && !shared {
			add(a.Object.Kind, max(a.Count, 1), contested && (a.Contested() || a.Certainty == decision.Possible && a.Choice == nil))
		}
	}
	for _, c := range d.Choices() {
		if c.Gravest() == verb {
			add(c.Pool.Kind, c.K, contested && c.AtMost || verb == decision.Recreate && c.Fewer)
		}
	}
	return all
}

// unsure reports whether nothing of it is certain.
func unsure(d *decision.Decision) bool {
	for i := range d.Actions {
		if a := &d.Actions[i]; a.Certainty == decision.Certain || a.Choice != nil {
			return false
		}
	}
	return true
}
