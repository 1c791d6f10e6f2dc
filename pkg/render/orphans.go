package render

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/orphans"
)

var groupLabels = map[orphans.Group]string{
	orphans.Adopted: "WILL BE ADOPTED", orphans.Contested: "CONTESTED", orphans.Released: "RELEASED NEXT",
	orphans.Dangling: "DANGLING", orphans.Uncontrolled: "NO CONTROLLER", orphans.Nobodys: "NO OWNER", orphans.LeftBehind: "LEFT BEHIND",
	orphans.Unverified: "NOT VERIFIED", orphans.ByDesign: "NO FAULT",
}

// GroupLabel is what a group is called.
func GroupLabel(g orphans.Group) string { return groupLabels[g] }

// Orphans writes a Report: the answer, the findings by group, selectors that
// overlap, and what limits the answer.
func Orphans(w io.Writer, rep *orphans.Report, o Options) error {
	p := newPage(nil, o)
	p.headline(rep.Answer)
	entries := findings(rep, o)
	if !o.All {
		entries = append(entries, folds(rep)...)
	}
	entries = append(entries, overlaps(rep, o.All)...)
	entries = append(entries, item{"MODEL", "", Modelled(p.brief(rep.Modelled), rep.AsOf), ""})
	for _, c := range rep.Caveats {
		entries = append(entries, item{"CAVEATS", "", c.Message, c.Code})
	}
	p.WriteByte('\n')
	p.entries(entries)
	_, err := io.WriteString(w, p.String())
	return err
}

// headline writes the answer, wrapped on a terminal.
func (p *page) headline(answer string) {
	for _, line := range wrap(clean(answer), p.Width) {
		p.line(p.answer(line))
	}
}

// findings lists the objects by group. Of a large group the first stand for
// all; those by design are summed up.
func findings(rep *orphans.Report, o Options) []item {
	var out []item
	f := folding(o.All, upTo[orphans.Group](most))
	for i, fi := range rep.Findings {
		if fi.Group == orphans.ByDesign && !o.All {
			continue
		}
		if f.shows(fi.Group) {
			out = append(out, item{groupLabels[fi.Group], named(rep, fi.Object), fi.Message + then(fi), fi.Rule})
			if o.Wide {
				out = append(out, details(fi)...)
			}
		}
		if left := f.left[fi.Group]; left > 0 && (i+1 == len(rep.Findings) || rep.Findings[i+1].Group != fi.Group) {
			out = append(out, item{groupLabels[fi.Group], more(left, ""), "", ""})
		}
	}
	return out
}

// named is the object's name, with its namespace where there are several.
func named(rep *orphans.Report, ref decision.Ref) string {
	if len(rep.Namespaces) == 1 {
		return ref.String()
	}
	return ref.Qualified()
}

// then joins what follows to the sentence of a finding.
func then(fi orphans.Finding) string {
	var b strings.Builder
	for _, c := range fi.Then {
		if fi.Group == orphans.Adopted {
			b.WriteString(", which " + c.Message)
			continue
		}
		fmt.Fprintf(&b, "; %s %s", c.Controller, c.Message)
	}
	if fi.MoreThen > 0 {
		fmt.Fprintf(&b, "; … and %d more controllers", fi.MoreThen)
	}
	return b.String()
}

// details are what stands behind a finding: candidates, references, patch.
func details(fi orphans.Finding) []item {
	var out []item
	add := func(head, text, rule string) { out = append(out, item{"", "  " + head, text, rule}) }
	for _, c := range fi.Candidates {
		add(c.Controller.String(), c.Message, c.Rule)
		if c.Claiming != nil {
			add("", c.Claiming.Message, c.Claiming.Rule)
		}
	}
	if m := fi.More; m != nil {
		add(fmt.Sprintf("… and %d more", m.Adopting+m.Refusing), fmt.Sprintf("%d of them would adopt it", m.Adopting), "")
	}
	for _, l := range fi.Links {
		add(l.Owner.String(), l.Message, l.Rule)
	}
	if fi.Patch != "" {
		add("patch", fi.Patch, "")
	}
	return out
}

// fewNamed is how many objects of a sum are named.
const fewNamed = 3

func folds(rep *orphans.Report) []item {
	var out []item
	for _, f := range rep.ByDesign {
		var examples []string
		for _, o := range f.Objects[:min(fewNamed, len(f.Objects))] {
			examples = append(examples, named(rep, o))
		}
		text := f.Title + ": " + strings.Join(examples, ", ")
		if left := len(f.Objects) - len(examples); left > 0 {
			text += ", " + more(left, "")
		}
		out = append(out, item{groupLabels[orphans.ByDesign], format.Plural(len(f.Objects), strings.ToLower(f.Kind)), text, f.Rule})
	}
	return out
}

// overlaps lists selectors that meet; those that only meet on what nothing
// makes are summed up.
func overlaps(rep *orphans.Report, all bool) []item {
	var out []item
	var possible []orphans.Overlap
	f := folding(all, upTo[string](most))
	for _, o := range rep.Overlaps {
		switch {
		case !o.Made && !all:
			possible = append(possible, o)
		case f.shows(o.Rule):
			out = append(out, item{"OVERLAP", "", o.Message, o.Rule})
		}
	}
	for _, rule := range slices.Sorted(maps.Keys(f.left)) {
		out = append(out, item{"OVERLAP", "", more(f.left[rule], "of this sort"), rule})
	}
	switch n := len(possible); {
	case n == 1:
		out = append(out, item{"OVERLAP", "", possible[0].Message + ", which nothing makes", possible[0].Rule})
	case n > 1:
		out = append(out, item{"OVERLAP", "", possible[0].Message + ", which nothing makes; " + more(n-1, "of this sort"), possible[0].Rule})
	}
	return out
}

// IsOrphan reports whether the objects of a group are without a settled owner and need one.
func IsOrphan(g orphans.Group) bool { return g != orphans.ByDesign && g != orphans.Unverified }

// Orphaned are the objects that were found without a settled owner, but for those that
// need none.
func Orphaned(rep *orphans.Report) (objects []decision.Ref) {
	for _, fi := range rep.Findings {
		if IsOrphan(fi.Group) {
			objects = append(objects, fi.Object)
		}
	}
	return objects
}
