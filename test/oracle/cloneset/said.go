package cloneset

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/rules"
)

// said is what a Decision predicts, in the words of done.
type said struct {
	certain, possible deeds
	// choices are what chance decides, with the deeds of each.
	choices map[decision.Pool]choice
	created map[string]int
	// reused are the instance IDs that come from volume claims.
	reused []string
	taken  int
}

// choice is how many of some deeds are done.
type choice struct {
	decision.Choice
	deeds deeds
}

func predicted(d *decision.Decision) said {
	s := said{certain: deeds{}, possible: deeds{}, choices: map[decision.Pool]choice{}, created: map[string]int{}}
	for i := range d.Actions {
		s.add(&d.Actions[i])
	}
	for _, r := range d.Revisions {
		switch r.Rule {
		case rules.RevisionCreated:
			s.certain.add("create-revision")
		case rules.RevisionRolledBack:
			s.certain.add("roll-back", r.Name)
		}
	}
	return s
}

func (s *said) add(a *decision.Action) {
	if a.Verb == decision.Create {
		s.created[short(a.Facts.Str("revision"))] += a.Count
		if text := a.Facts.Str("reused"); text != "" {
			s.reused = strings.Split(text, ", ")
		}
		s.taken = count(a, "taken")
		return
	}
	line := deed(a)
	if a.Choice == nil {
		s.certain.add(line)
		return
	}
	s.possible.add(line)
	if pool, shared := a.Pool(); shared && a.Object.Kind == "Pod" {
		if s.choices[pool].deeds == nil {
			s.choices[pool] = choice{*a.Choice, deeds{}}
		}
		s.choices[pool].deeds.add(line)
	}
}

// count is a number among the facts, which may have gone through JSON.
func count(a *decision.Action, fact string) int {
	n, err := strconv.Atoi(a.Facts.Str(decision.Key(fact)))
	if err != nil {
		return 0 // it is not among them
	}
	return n
}

func deed(a *decision.Action) string {
	verb, name := string(a.Verb), a.Object.Name
	switch {
	case a.Object.Kind == "PersistentVolumeClaim" && a.Verb == decision.Delete:
		verb = "delete-claim"
	case a.Object.Kind == "ControllerRevision":
		verb = "delete-revision"
	case a.Rule == rules.TemplateHashAdded:
		return "label " + name + " " + a.Facts.Str("to")
	case a.Rule == rules.GraceDropped:
		verb = "drop-grace"
	case a.Rule == rules.GraceOver:
		return "finish-grace " + name + batch(a)
	case a.Rule == rules.NextBatch:
		return "next-batch " + name + batch(a)
	case a.Verb == decision.SetState:
		return verb + " " + name + " " + a.Facts.Str("to")
	case a.Verb == decision.UpdateInPlace:
		return fmt.Sprintf("%s %s %s env:%t resources:%t later:%s", verb, name, short(a.Facts.Str("revision")),
			a.Facts.Str("restarts") != "", a.Facts.Str("resources") != "", a.Facts.Str("later"))
	}
	return verb + " " + name
}

func batch(a *decision.Action) string {
	return " now:" + a.Facts.Str("containers") + " later:" + a.Facts.Str("later")
}

// name puts the hash of a new revision, where it could not be predicted.
func (s *said) name(hash string) {
	all := []deeds{s.certain, s.possible}
	for _, c := range s.choices {
		all = append(all, c.deeds)
	}
	for _, lines := range all {
		for line := range lines {
			words := strings.SplitN(line, " ", 4)
			if len(words) > 2 && words[2] == "<hash>" {
				delete(lines, line)
				words[2] = hash
				lines.add(words...)
			}
		}
	}
}
