package orphans

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/lineage"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// finish puts everything into order and into words.
func (rep *Report) finish(r *view.Reader, q Query) {
	rep.Caveats = append(rep.Caveats, rep.readCaveats(r, q)...)
	if n := rep.Groups[Unverified]; n > 0 && len(decision.Unread(rep.Caveats)) == 0 {
		rep.Caveats = append(rep.Caveats, decision.Caveat{Code: "NotVerified", Message: fmt.Sprintf("%d of %s could not be verified", n, format.Plural(rep.Objects, "object")), Partial: true})
	}
	rep.Partial = len(decision.Unread(rep.Caveats)) > 0
	sort.SliceStable(rep.Findings, func(i, j int) bool {
		return slices.Index(Groups, rep.Findings[i].Group) < slices.Index(Groups, rep.Findings[j].Group)
	})
	sort.SliceStable(rep.Overlaps, func(i, j int) bool { return rep.Overlaps[i].Made && !rep.Overlaps[j].Made })
	for _, g := range Groups {
		rep.Pending = rep.Pending || rep.Groups[g] > 0 && g != ByDesign && g != Unverified
	}
	rep.phrase()
	rep.ByDesign = rep.folds()
	rep.Answer = rep.answer() + rep.emptied
}

var counted = map[Group]string{
	Adopted: "will be adopted", Contested: "with overlapping selectors", Released: "will be released", Dangling: "owner absent",
	Uncontrolled: "no controller", Nobodys: "no owner", LeftBehind: "left behind",
}

// answer says in one sentence how many there are of each group. What could not be verified
// may be no orphan, and is counted apart.
func (rep *Report) answer() string {
	where := "in all namespaces"
	if len(rep.Namespaces) > 0 {
		where = "in " + strings.Join(rep.Namespaces, ", ")
	}
	total := 0
	var parts []string
	for _, g := range Groups {
		if n := rep.Groups[g]; n > 0 && counted[g] != "" {
			total += n
			parts = append(parts, fmt.Sprintf("%d %s", n, counted[g]))
			switch {
			case g == Dangling && rep.lacksOwners():
				parts[len(parts)-1] += " or left out of the input"
			case g == LeftBehind && rep.lacksMakers():
				parts[len(parts)-1] += " or of controllers left out of the input"
			}
		}
	}
	unverified := rep.Groups[Unverified]
	var text string
	switch {
	case total == 0 && unverified > 0:
		text = fmt.Sprintf("No orphans found %s, but %d of %s could not be verified.", where, unverified, format.Plural(rep.Objects, "object"))
	case total == 0 && rep.Partial: // never that there are none
		return fmt.Sprintf("%s checked %s, no orphans among them; what was not read may hold some%s.", format.Plural(rep.Objects, "object"), where, decision.PartialAnswer)
	case total == 0:
		need := "need"
		if rep.unowned == 1 {
			need = "needs"
		}
		text = fmt.Sprintf("No orphans %s: %s, %d with an owner, %d that %s none", where, format.Plural(rep.Objects, "object"),
			rep.Owned(), rep.unowned, need)
		if rep.goes > 0 {
			text += fmt.Sprintf(", %d deleted with an owner", rep.goes)
		}
		return text + "."
	default:
		text = fmt.Sprintf("%s %s: %s", format.Plural(total, "orphan"), where, strings.Join(parts, ", "))
		if unverified > 0 {
			text += fmt.Sprintf("; %s could not be verified", format.Plural(unverified, "more object"))
		}
		text += "." + strings.Join(rep.idle, "")
	}
	if rep.Partial {
		text += decision.PartialAnswer
	}
	return text
}

// lacksOwners reports whether files may merely lack an owner that is taken for absent.
func (rep *Report) lacksOwners() bool {
	return rep.some(Dangling, func(f *Finding) bool { return lineage.LeftOut(f.Links) != "" })
}

// lacksMakers reports whether files hold none of the kinds that made something that is left behind.
func (rep *Report) lacksMakers() bool {
	return rep.some(LeftBehind, func(f *Finding) bool { return f.Facts.Str(keyKinds) != "" })
}

func (rep *Report) some(g Group, is func(*Finding) bool) bool {
	for i := range rep.Findings {
		if f := &rep.Findings[i]; f.Group == g && is(f) {
			return true
		}
	}
	return false
}

func (rep *Report) caveat(code, message string) {
	c := decision.Caveat{Code: code, Message: message}
	if !c.In(rep.Caveats) {
		rep.Caveats = append(rep.Caveats, c)
	}
}

// idles notes the sentence that no leader is active to do what a controller would, if any.
func (rep *Report) idles(sentence string) {
	if sentence != "" && !slices.Contains(rep.idle, sentence) {
		rep.idle = append(rep.idle, sentence)
	}
}
