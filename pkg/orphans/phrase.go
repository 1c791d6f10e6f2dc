package orphans

import (
	"fmt"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/lineage"
)

// phrase fills every Message from the catalogue. That of a Finding says whom
// it is about as well.
func (rep *Report) phrase() {
	rep.eachRuling(Rules.Put)
	for i := range rep.Findings {
		fi := &rep.Findings[i]
		if frame, ok := frames[fi.Group]; ok {
			fi.Message = frame(fi)
		}
	}
}

// frames put the sentence of a rule into that of its group.
var frames = map[Group]func(*Finding) string{
	Adopted: func(fi *Finding) string { return "by " + fi.Facts.Str(keyController) },
	Released: func(fi *Finding) string {
		return fmt.Sprintf("by %s: %s; %s", fi.controller(), fi.Message, fi.next())
	},
	Dangling: byOwner, Uncontrolled: byOwner,
	Nobodys: func(fi *Finding) string {
		if len(fi.Candidates) == 0 {
			return fi.Message
		}
		return fmt.Sprintf("%s: %s", fi.Facts.Str(keyController), fi.Message)
	},
	Unverified: func(fi *Finding) string {
		if fi.Rule == ClaimersNotRead {
			return fi.Message
		}
		return fmt.Sprintf("owner %s %s", fi.Facts.Str(keyOwner), fi.Message)
	},
}

// byOwner says what is wrong with an owner, and what the garbage collector does.
func byOwner(fi *Finding) string {
	text := fi.Message
	if fi.Rule != NoController {
		text = fmt.Sprintf("owner %s %s", fi.Facts.Str(keyOwner), text)
	}
	if fi.Collector != nil {
		text += ": " + fi.Collector.Message
	}
	switch {
	case len(adopting(fi.Candidates)) > 0:
		text += "; " + fi.next()
	case fi.Rule == lineage.OwnerOrphans && lineage.Remakes(fi.Facts) != "":
		text += "; then " + lineage.Remakes(fi.Facts)
	case fi.Rule == lineage.OwnerOrphans:
		text += "; the object stays"
	}
	return text
}

// next is what becomes of an object that is released.
func (fi *Finding) next() string {
	names := controllers(adopting(fi.Candidates))
	n := len(names)
	if fi.More != nil {
		n += fi.More.Adopting
	}
	switch n {
	case 0:
		return "it lives on, and is not collected with it"
	case 1:
		return "then adopted by " + names[0]
	}
	return "then adopted by " + format.OneOf(names, n) + "; the first to sync does"
}

// controller names the controller that the object refers to.
func (fi *Finding) controller() string {
	for _, l := range fi.Links {
		if l.Controller {
			return l.Owner.String()
		}
	}
	return ""
}

// folds sum up what needs no controller: there may be many of a sort.
func (rep *Report) folds() (all []Fold) {
	place := map[[3]string]int{}
	for _, fi := range rep.Findings {
		if fi.Group != ByDesign {
			continue
		}
		key := [3]string{fi.Rule, fi.Object.Kind, fi.Facts.Str(keyAPIVersion) + fi.Facts.Str(keyKind)}
		i, known := place[key]
		if !known {
			i = len(all)
			place[key] = i
			all = append(all, Fold{Kind: fi.Object.Kind, Rule: fi.Rule, Title: title(fi)})
		}
		all[i].Objects = append(all[i].Objects, fi.Object)
	}
	return all
}

func title(fi Finding) string {
	rule, _ := Rules.Find(fi.Rule)
	if kind := fi.Facts.Str(keyKind); kind != "" {
		return fmt.Sprintf("%s: %s of %s", rule.Title, kind, fi.Facts.Str(keyAPIVersion))
	}
	return rule.Title
}
