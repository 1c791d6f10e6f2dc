package render

import (
	"strings"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// predicted writes what is predicted of the target: the first sentence, with the
// namespace, in a line of its own, each further one below it.
func (p *page) predicted(answer string) {
	for _, sentence := range ordered(answer, p.d.Target) {
		for _, line := range broken(sentence, p.Width) {
			p.line(p.answer(line))
		}
	}
}

// Predicted is what is predicted of a target, in one line.
func Predicted(answer string, target decision.Ref) string {
	return strings.Join(ordered(answer, target), " ")
}

// ordered are the sentences of an answer, the first with the target's namespace, as they are
// shown.
func ordered(answer string, target decision.Ref) []string {
	all := sentences(answer, target)
	all[0] = placed(all[0], target)
	for i, s := range all {
		all[i] = clean(s)
	}
	return all
}

// sentences are those of an answer about a target: that no leader acts on it first.
func sentences(answer string, target decision.Ref) []string {
	var lead, rest []string
	for _, s := range split(answer) {
		if why, found := strings.CutPrefix(s, decision.NoActiveLeader+": "); found {
			lead = append(lead, target.String()+": no active leader; "+strings.TrimSpace(why))
		} else {
			rest = append(rest, strings.TrimSpace(s))
		}
	}
	return append(lead, rest...)
}

// split ends a sentence at each full stop, with what stands in brackets behind it.
func split(answer string) (all []string) {
	for _, s := range strings.SplitAfter(answer, ". ") {
		if n := len(all); n > 0 && strings.HasPrefix(s, "(") {
			all[n-1] += s
		} else {
			all = append(all, s)
		}
	}
	return all
}

// broken breaks a sentence that is too long, before its cause or its counts where it
// has some.
func broken(sentence string, columns int) []string {
	if columns == 0 || width(sentence) <= columns {
		return []string{sentence}
	}
	var lines []string
	for _, part := range halves(sentence, columns) {
		lines = append(lines, wrap(part, columns-len("  "))...)
	}
	for i := range lines[1:] {
		lines[i+1] = "  " + lines[i+1]
	}
	return lines
}

// halves are a sentence up to the last cause that leaves a first line which fits, or without
// one up to what it says, and the rest. What stands in brackets stays together.
func halves(sentence string, columns int) []string {
	fits := func(i int) bool {
		before := sentence[:max(i, 0)]
		return i >= 0 && width(before)+1 <= columns && strings.Count(before, "(") == strings.Count(before, ")")
	}
	cut := strings.LastIndex(sentence, "; ")
	for cut >= 0 && !fits(cut) {
		cut = strings.LastIndex(sentence[:cut], "; ")
	}
	if cut < 0 {
		cut = strings.Index(sentence, ": ")
	}
	if !fits(cut) {
		return []string{sentence}
	}
	return []string{sentence[:cut+1], sentence[cut+2:]}
}

// placed is an answer with the target's namespace behind its name.
func placed(answer string, target decision.Ref) string {
	rest, ok := strings.CutPrefix(answer, target.String())
	in := " in " + target.Namespace
	if !ok || target.Namespace == "" || strings.HasPrefix(rest, in+":") {
		return answer
	}
	return target.String() + in + rest
}
