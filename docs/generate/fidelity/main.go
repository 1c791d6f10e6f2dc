// Command fidelity writes docs/fidelity.md from the reports of the oracle and
// end-to-end tests, of Kubernetes' controllers and of OpenKruise's, and of the
// traces: fidelity ORACLE.json DEPLOYMENT.json STATEFULSET.json CLONESET.json MEMORY.json
// HANDLERS.json E2E.json CLONESET-E2E.json TRACE.json CLONESET-TRACE.json > docs/fidelity.md.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
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
	Version     string `json:"version"`
	States      int    `json:"states"`
	Syncs       int    `json:"syncs"`
	Mismatches  int    `json:"mismatches"`
	Comparisons int    `json:"comparisons"`
	Claims      int    `json:"claims"`
	Deciders    int    `json:"deciders"`
	// Bodies are states whose created or changed objects were compared.
	Bodies int `json:"bodies"`
	// Effects are states by what their sync does.
	Effects map[string]int `json:"effects"`
	Rules   map[string]int `json:"rules"`
	// Traits and Requests are states of StatefulSets by what they are made of, and by the
	// requests of their sync.
	Traits   map[string]int `json:"traits"`
	Requests map[string]int `json:"requests"`
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
	if len(paths) != len(comparisons) {
		return fmt.Errorf("want ten reports: oracles, oracles of Deployments, of StatefulSets, of CloneSets, of expectations, of event handlers, end-to-end tests, those of CloneSets, trace, trace of CloneSets; got %d", len(paths))
	}
	r, err := readAll(paths)
	if err != nil {
		return err
	}
	behaviour, manifests := byKind(r.cloneScenarios)
	_, err = io.WriteString(w, head+r.summary()+
		part(r.sets.Versions, oracles(r.sets.Versions)+effects(r.sets.Versions)+rules(r.sets))+
		part(r.deployments.Versions, deployments(r.deployments.Versions)+rules(r.deployments))+
		part(r.statefulSets.Versions, statefulSets(r.statefulSets.Versions)+rules(r.statefulSets))+
		part(r.cloneSets.Versions, cloneSets(r.cloneSets.Versions)+rules(r.cloneSets))+
		part(append(slices.Clone(r.memory), r.handlers...), inside(r.memory, r.handlers))+
		part(r.scenarios, endToEnd("ReplicaSets, ReplicationControllers, Deployments, orphans and owners", "Kubernetes 1.36.3", r.scenarios))+
		part(behaviour, endToEnd("CloneSets", "Kruise 1.9.1 on Kubernetes 1.36.3", behaviour))+
		part(manifests, endToEnd("Manifests of CloneSets, accepted or refused", "Kruise 1.9.1 with its webhooks on Kubernetes 1.36.3", manifests))+
		r.traced())
	return err
}

func readAll(paths []string) (r reports, _ error) {
	for i, into := range []any{&r.sets, &r.deployments, &r.statefulSets, &r.cloneSets, &r.memory, &r.handlers, &r.scenarios, &r.cloneScenarios, &r.trace, &r.cloneTrace} {
		there, err := read(paths[i], into)
		if err != nil {
			return r, err
		}
		if !there {
			r.missing = append(r.missing, comparisons[i])
		}
	}
	return r, nil
}

// comparisons are what the reports are of, in their order.
var comparisons = []string{
	"syncs of ReplicaSets", "syncs of Deployments", "syncs of StatefulSets", "syncs of CloneSets", "expectations", "event handlers",
	"scenarios of built-in controllers on a real control plane", "scenarios of CloneSets on a real control plane",
	"traces of built-in controllers", "traces of CloneSets",
}

// part is a section, nothing without anything to tell.
func part[T any](of []T, section string) string {
	if len(of) == 0 {
		return ""
	}
	return section
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

// read reads a report. One that is not there was not part of the run.
func read(path string, into any) (there bool, _ error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if err := json.Unmarshal(text, into); err != nil {
		return false, fmt.Errorf("%s: %w", path, err)
	}
	return true, nil
}

const head = "# Fidelity\n"

func oracles(all []version) string {
	var b strings.Builder
	b.WriteString("\n## ReplicaSets and ReplicationControllers against the real controllers\n\n" +
		"A sync is one state under one order of the Pod list. Bodies are states whose created Pods were\n" +
		"compared field by field. Pairs are two Pods compared by the deletion order alone, each pair once;\n" +
		"deciders are pairs of which the deciding trait was put to the proof, and claims are of one Pod by\n" +
		"the claim table alone.\n\n" +
		"| Kubernetes | states | syncs | mismatches | bodies | pairs | deciders | claims |\n|---|---|---|---|---|---|---|---|\n")
	for _, v := range all {
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %d | %d | %d | %d |\n", v.Version, v.States, v.Syncs, v.Mismatches, v.Bodies, v.Comparisons, v.Deciders, v.Claims)
	}
	return b.String()
}

// effects tabulates how many states do what.
func effects(all []version) string {
	kinds := map[string]bool{}
	for _, v := range all {
		for effect := range v.Effects {
			kinds[effect] = true
		}
	}
	return table("What the syncs do", "a state whose sync", all, slices.Sorted(maps.Keys(kinds)), func(v version, effect string) int { return v.Effects[effect] })
}

// table counts states, a column for each version.
func table(title, first string, all []version, rows []string, count func(version, string) int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n### %s\n\n| %s |", title, first)
	for _, v := range all {
		b.WriteString(" " + v.Version + " |")
	}
	b.WriteString("\n|---|" + strings.Repeat("---|", len(all)) + "\n")
	for _, row := range rows {
		fmt.Fprintf(&b, "| %s |", row)
		for _, v := range all {
			fmt.Fprintf(&b, " %d |", count(v, row))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// rules tabulates how many states fired each rule, a column for each version.
func rules(report conformance) string {
	asked := slices.DeleteFunc(slices.Clone(report.Rules), func(id string) bool { return slices.Contains(report.Beyond, id) })
	return table("States that fired each rule", "rule", report.Versions, asked, func(v version, id string) int { return v.Rules[id] }) +
		fmt.Sprintf("\n%s speak of what no oracle looks at: goldens and end-to-end tests show them.\n", strings.Join(report.Beyond, ", "))
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

// statefulSets tabulates the runs over states of StatefulSets.
func statefulSets(all []version) string {
	var b strings.Builder
	b.WriteString("\n## StatefulSets against the real controller\n\n" +
		"A sync is one state; its requests are compared one by one, bodies, error and requeue included.\n\n" +
		"| Kubernetes | states | mismatches |\n|---|---|---|\n")
	for _, v := range all {
		fmt.Fprintf(&b, "| %s | %d | %d |\n", v.Version, v.States, v.Mismatches)
	}
	requests, traits := map[string]bool{}, map[string]bool{}
	for _, v := range all {
		for call := range v.Requests {
			requests[call] = true
		}
		for trait := range v.Traits {
			traits[trait] = true
		}
	}
	b.WriteString(table("What the syncs of StatefulSets ask", "a state whose sync has a", all, slices.Sorted(maps.Keys(requests)), func(v version, call string) int { return v.Requests[call] }))
	b.WriteString(table("What the states of StatefulSets are made of", "a state with", all, slices.Sorted(maps.Keys(traits)), func(v version, trait string) int { return v.Traits[trait] }))
	return b.String()
}

// cloneSets tabulates the runs over states of CloneSets.
func cloneSets(all []version) string {
	var b strings.Builder
	b.WriteString("\n## CloneSets against the real controller of OpenKruise\n\n" +
		"A sync is one reconcile of one state under one order of the Pod list. Bodies are states of which\n" +
		"what the requests make of each object was compared, too. Diffs are inputs of\n" +
		"calculateDiffsWithExpectation alone. Left out are syncs in which chance has more to say than\n" +
		"which of some pods; the Decision then carries the caveat that is named.\n\n" +
		"| Kruise | states | syncs | mismatches | bodies | diffs | mismatches | left out |\n|---|---|---|---|---|---|---|---|\n")
	for _, v := range all {
		var out []string
		for _, why := range slices.Sorted(maps.Keys(v.LeftOut)) {
			out = append(out, fmt.Sprintf("%s %d", why, v.LeftOut[why]))
		}
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %d | %d | %d | %s |\n", v.Version, v.States, v.Syncs, v.Mismatches, v.Bodies, v.Diffs, v.DiffMismatches, strings.Join(out, ", "))
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
