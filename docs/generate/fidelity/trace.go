package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// trace is the report of a trace under random changes.
type trace struct {
	Changes   map[string]int `json:"changes"`
	Total     int            `json:"total"`
	Writes    int            `json:"writes"`
	Unseen    int            `json:"unseen"`
	TakenFor  int            `json:"takenFor"`
	Accused   int            `json:"accused"`
	FalseLate int            `json:"falseLate"`
	Summary   struct {
		Events       int    `json:"events"`
		Syncs        int    `json:"syncs"`
		Predicted    int    `json:"predicted"`
		SeenFirst    int    `json:"seenFirst"`
		Undetermined int    `json:"undetermined"`
		Foreign      int    `json:"foreign"`
		Misses       int    `json:"misses"`
		Late         int    `json:"late"`
		For          string `json:"for"`
	} `json:"summary"`
}

func traces(builtin, clones trace) string {
	return "\n## Traced under random changes\n\n" +
		"`trace -A` beside a real control plane that was changed at random, and what the API server's\n" +
		"audit log says that its controllers wrote.\n" +
		traced("ReplicaSets, ReplicationControllers, Deployments: Kubernetes 1.36.3", builtin) +
		traced("CloneSets: Kruise 1.9.1 on Kubernetes 1.36.3", clones)
}

// traced tabulates one run.
func traced(title string, t trace) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n### %s\n\n%d changes in %s.\n\n", title, t.Total, t.Summary.For)
	b.WriteString("| change | times |\n|---|---|\n")
	for _, what := range slices.Sorted(maps.Keys(t.Changes)) {
		fmt.Fprintf(&b, "| %s | %d |\n", what, t.Changes[what])
	}
	b.WriteString("\n| outcome | count |\n|---|---|\n")
	s := t.Summary
	for _, row := range []struct {
		what  string
		count int
	}{
		{"events handled", s.Events}, {"syncs", s.Syncs},
		{"writes of the controllers in the audit log", t.Writes},
		{"of these not told of: a watch was broken, they changed nothing, or their set was gone", t.Unseen},
		{"acts predicted before they were observed", s.Predicted},
		{"acts seen before their cause, that follow from it", s.SeenFirst},
		{"acts that were one of several possible, or follow events that were missed", s.Undetermined},
		{"acts taken for somebody else's", s.Foreign},
		{"deletions by others of pods that the controller was about to delete", t.TakenFor},
		{"**mispredicted acts**", s.Misses},
		{"of these deletions by others, while the controller was about to delete other pods", t.Accused},
		{"delays called out", s.Late},
		{"**of these false**", t.FalseLate},
	} {
		fmt.Fprintf(&b, "| %s | %d |\n", row.what, row.count)
	}
	return b.String()
}
