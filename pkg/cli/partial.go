package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// caveatsOf are those of all decisions.
func caveatsOf(ds []*decision.Decision) []decision.Caveat {
	var all []decision.Caveat
	for _, d := range ds {
		all = append(all, d.Caveats...)
	}
	return all
}

// unreadOf names, each once, what was not read and could change decisions.
//
//go:noinline // it is called at many places
func unreadOf(ds []*decision.Decision) []string { return unique(decision.Unread(caveatsOf(ds))) }

// assumedOf names, each once, what decisions take for granted.
func assumedOf(ds []*decision.Decision) []string { return unique(decision.Assumed(caveatsOf(ds))) }

// warn says on standard error what the output has no place for: whoever may not read
// the controller manager gets an answer in any form, which may be of another version.
func (f *outputFlags) warn(env Env, assumed []string) {
	if !f.showsCaveats() {
		warnOfVersion(env, assumed)
	}
}

func warnOfVersion(env Env, assumed []string) {
	for _, text := range assumed {
		fmt.Fprintf(env.ErrOut, "warning: %s\n", text)
	}
}

// lacks reports whether an answer is partial and that was not allowed.
func (f *outputFlags) lacks(unread []string) bool { return len(unread) > 0 && !f.allowPartial }

// showsCaveats reports whether the form of the output has the caveats of an
// answer. A partial answer in another form would look whole.
//
//go:noinline // it is called at many places
func (f *outputFlags) showsCaveats() bool {
	if f.list.noHeaders && (f.format == "" || f.format == "wide") {
		return false
	}
	if f.format == "" {
		return *f.template.TemplateArgument == ""
	}
	return slices.Contains([]string{"wide", "json", "yaml", "html"}, f.format)
}

// cut reports whether an answer would look whole that has nothing about some objects. What
// would be refused is known, and said on standard error.
func (f *outputFlags) cut(failed failures) bool {
	unknown := slices.ContainsFunc(failed, func(err error) bool { return asRefusal(err) == nil })
	return unknown && !f.allowPartial && !f.showsCaveats()
}

// withheld is the error of a partial answer that can't be printed as one, nil
// for others.
func (f *outputFlags) withheld(unread []string) error {
	if f.showsCaveats() || !f.lacks(unread) {
		return nil
	}
	return partialError(unread)
}

// checked is the look, or an error in place of a partial answer that would look
// whole.
func (f *outputFlags) checked(l look) look {
	if err := f.withheld(l.unread); err != nil {
		return look{gist: l.gist, err: errors.Join(l.err, err)}
	}
	return l
}

// partialError says what was not read.
func partialError(unread []string) error {
	text := someOf(unread)
	if len(unread) > few {
		text += ", see the caveats"
	}
	return fmt.Errorf("partial answer: %s; --allow-partial accepts that", text)
}

// someOf are the first of some causes, and how many more there are.
func someOf(unread []string) string {
	text := strings.Join(unread[:min(len(unread), few)], "; ")
	if more := len(unread) - few; more > 0 {
		text += fmt.Sprintf("; and %d more", more)
	}
	return text
}
