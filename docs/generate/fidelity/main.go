// Command fidelity writes docs/fidelity.md from the reports of the oracle and
// end-to-end tests, of Kubernetes' controllers and of OpenKruise's, and of the
// traces: fidelity ORACLE.json DEPLOYMENT.json CLONESET.json MEMORY.json HANDLERS.json E2E.json
// CLONESET-E2E.json TRACE.json CLONESET-TRACE.json > docs/fidelity.md.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
)

// conformance is the report of the oracle tests. Beyond are rules that
// speak of objects which no oracle looks at.
type conformance struct {
	Versions []version `json:"versions"`
	Rules    []string  `json:"rules"`
	Beyond   []string  `json:"beyond"`
}

// version is its part about one Kubernetes version.
type version struct {
	Version     string         `json:"version"`
	States      int            `json:"states"`
	Syncs       int            `json:"syncs"`
	Mismatches  int            `json:"mismatches"`
	Comparisons int            `json:"comparisons"`
	Claims      int            `json:"claims"`
	Rules       map[string]int `json:"rules"`
	// Diffs and LeftOut are of CloneSets: comparisons of the arithmetic alone,
	// and syncs that were not compared, by the caveat that says why.
	Diffs          int            `json:"diffs"`
	DiffMismatches int            `json:"diffMismatches"`
	LeftOut        map[string]int `json:"leftOut"`
}

// scenario is what the end-to-end tests report.
type scenario struct {
	Scenario  string `json:"scenario"`
	Predicted string `json:"predicted"`
	Observed  string `json:"observed"`
	Agree     bool   `json:"agree"`
	// Because says why a disagreement is expected.
	Because string `json:"because"`
	// Manifest: it is about whether the webhook accepts a manifest.
	Manifest bool `json:"manifest"`
}

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func run(paths []string, w io.Writer) error {
	if len(paths) != 9 {
		return fmt.Errorf("want nine reports: oracles, oracles of Deployments, of CloneSets, of expectations, of event handlers, end-to-end tests, those of CloneSets, trace, trace of CloneSets; got %d", len(paths))
	}
	var r reports
	for i, into := range []any{&r.sets, &r.deployments, &r.cloneSets, &r.memory, &r.handlers, &r.scenarios, &r.cloneScenarios, &r.trace, &r.cloneTrace} {
		if err := read(paths[i], into); err != nil {
			return err
		}
	}
	behaviour, manifests := byKind(r.cloneScenarios)
	_, err := io.WriteString(w, head+r.summary()+
		oracles(r.sets.Versions)+rules(r.sets)+deployments(r.deployments.Versions)+rules(r.deployments)+
		cloneSets(r.cloneSets.Versions)+rules(r.cloneSets)+
		inside(r.memory, r.handlers)+
		endToEnd("ReplicaSets, ReplicationControllers, Deployments, orphans and owners", "Kubernetes 1.36.3", r.scenarios)+
		endToEnd("CloneSets", "Kruise 1.9.1 on Kubernetes 1.36.3", behaviour)+
		endToEnd("Manifests of CloneSets, accepted or refused", "Kruise 1.9.1 with its webhooks on Kubernetes 1.36.3", manifests)+
		traces(r.trace, r.cloneTrace))
	return err
}

// byKind tells scenarios of manifests from those of what the controller does.
func byKind(all []scenario) (behaviour, manifests []scenario) {
	for _, s := range all {
		if s.Manifest {
			manifests = append(manifests, s)
		} else {
			behaviour = append(behaviour, s)
		}
	}
	return behaviour, manifests
}

func read(path string, into any) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, into); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

const head = "# Fidelity\n"

func oracles(all []version) string {
	var b strings.Builder
	b.WriteString("\n## ReplicaSets and ReplicationControllers against the real controllers\n\n" +
		"A sync is one state under one order of the pod list. Comparisons are of two pods by\n" +
		"the deletion order alone, in both directions, claims of one pod by the claim table alone.\n\n" +
		"| Kubernetes | states | syncs | mismatches | pairs compared | claims |\n|---|---|---|---|---|---|\n")
	for _, v := range all {
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %d | %d |\n", v.Version, v.States, v.Syncs, v.Mismatches, v.Comparisons, v.Claims)
	}
	return b.String()
}

// rules tabulates how many states fired each rule, a column for each version.
func rules(report conformance) string {
	var b strings.Builder
	b.WriteString("\n### States that fired each rule\n\n| rule |")
	for _, v := range report.Versions {
		b.WriteString(" " + v.Version + " |")
	}
	b.WriteString("\n|---|" + strings.Repeat("---|", len(report.Versions)) + "\n")
	for _, id := range report.Rules {
		if slices.Contains(report.Beyond, id) {
			continue
		}
		fmt.Fprintf(&b, "| %s |", id)
		for _, v := range report.Versions {
			fmt.Fprintf(&b, " %d |", v.Rules[id])
		}
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "\n%s speak of what no oracle looks at: goldens and end-to-end tests show them.\n", strings.Join(report.Beyond, ", "))
	return b.String()
}

// deployments tabulates the runs over states of Deployments.
func deployments(all []version) string {
	var b strings.Builder
	b.WriteString("\n## Deployments against the real controller\n\n" +
		"A sync is one state; its requests are compared one by one, bodies included.\n\n" +
		"| Kubernetes | states | mismatches |\n|---|---|---|\n")
	for _, v := range all {
		fmt.Fprintf(&b, "| %s | %d | %d |\n", v.Version, v.States, v.Mismatches)
	}
	return b.String()
}

// cloneSets tabulates the runs over states of CloneSets.
func cloneSets(all []version) string {
	var b strings.Builder
	b.WriteString("\n## CloneSets against the real controller of OpenKruise\n\n" +
		"A sync is one reconcile of one state under one order of the pod list. Diffs are inputs of\n" +
		"calculateDiffsWithExpectation alone. Left out are syncs in which chance has more to say than\n" +
		"which of some pods; the Decision then carries the caveat that is named.\n\n" +
		"| Kruise | states | syncs | mismatches | diffs | mismatches | left out |\n|---|---|---|---|---|---|---|\n")
	for _, v := range all {
		var out []string
		for _, why := range slices.Sorted(maps.Keys(v.LeftOut)) {
			out = append(out, fmt.Sprintf("%s %d", why, v.LeftOut[why]))
		}
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %d | %d | %s |\n", v.Version, v.States, v.Syncs, v.Mismatches, v.Diffs, v.DiffMismatches, strings.Join(out, ", "))
	}
	b.WriteString("\n`make oracle-more` does the same for Kruise 1.5.5, 1.6.0 and 1.7.0. Of later patches of 1.6 one\n" +
		"difference is known from their change log: since 1.6.2 the current revision is promoted as in 1.5.4 and 1.7.\n")
	return b.String()
}

// endToEnd tabulates the scenarios of some kinds.
func endToEnd(kinds, where string, all []scenario) string {
	var b strings.Builder
	agree := 0
	for _, s := range all {
		if s.Agree {
			agree++
		}
	}
	fmt.Fprintf(&b, "\n## %s: predicted, and then done by a real control plane\n\n%s; %d of %d scenarios agree.\n\n"+
		"| scenario | predicted | observed | agree |\n|---|---|---|---|\n", kinds, where, agree, len(all))
	for _, s := range all {
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", cell(s.Scenario), cell(s.Predicted), cell(s.Observed), verdict(s))
	}
	return b.String()
}

// cell keeps text inside one cell of a table.
func cell(s string) string {
	return strings.NewReplacer("|", "\\|", "\n", "; ").Replace(s)
}

func verdict(s scenario) string {
	if s.Agree {
		return "yes"
	}
	return "**no**: " + cell(s.Because)
}
