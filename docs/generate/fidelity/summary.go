package main

import (
	"fmt"
	"strings"
)

// reports are what one run of all comparisons wrote.
type reports struct {
	sets, deployments, statefulSets, cloneSets conformance
	memory, handlers                           []compared
	scenarios, cloneScenarios                  []scenario
	trace, cloneTrace                          trace
	// missing are comparisons that were not part of the run.
	missing []string
}

// traced are the traces, if there were any.
func (r reports) traced() string {
	if r.trace.Total+r.cloneTrace.Total == 0 {
		return ""
	}
	return traces(r.trace, r.cloneTrace)
}

// summary says in a few lines what a person wants to know first.
func (r reports) summary() string {
	var b strings.Builder
	b.WriteString("\nDoes `kubectl ctrl` predict what the real controllers do? Each row is a comparison with them:\n\n" +
		"| asked | how much | differs |\n|---|---|---|\n")
	row := func(asked string, format string, n, differs int) {
		if n == 0 {
			return // it was not part of the run
		}
		fmt.Fprintf(&b, "| %s | "+format+" | %d |\n", asked, n, differs)
	}
	for _, s := range []struct {
		kinds string
		of    conformance
	}{{"ReplicaSets and ReplicationControllers, Kubernetes", r.sets}, {"Deployments, Kubernetes", r.deployments}, {"StatefulSets, Kubernetes", r.statefulSets}, {"CloneSets, Kruise", r.cloneSets}} {
		states, differ := s.of.total()
		row("one sync of "+s.kinds+" "+s.of.span(), "%d generated states", states, differ)
	}
	behaviour, manifests := byKind(r.cloneScenarios)
	row("expectations", "%d steps", sum(r.memory), differing(r.memory))
	row("event handlers", "%d events", sum(r.handlers), differing(r.handlers))
	row("a real control plane: built-in controllers, orphans, owners", "%d scenarios", len(r.scenarios), disagree(r.scenarios))
	row("a real control plane: CloneSets", "%d scenarios", len(behaviour), disagree(behaviour))
	row("Kruise's webhooks: is a CloneSet accepted?", "%d manifests", len(manifests), disagree(manifests))
	row("traces beside real controllers under random changes", "%d writes", r.trace.Writes+r.cloneTrace.Writes, r.trace.Summary.Misses+r.cloneTrace.Summary.Misses)
	b.WriteString("\nNot compared: states whose Decision says that more than the choice of Pods is not determined (\"left\n" +
		"out\" below), versions without an oracle, and what no sync does, such as advice and forecasts of when\n" +
		"Pods become ready.")
	if len(r.missing) > 0 {
		fmt.Fprintf(&b, " Not part of this run: %s.", strings.Join(r.missing, ", "))
	}
	b.WriteString("\nThis page is generated from the reports of the tests that `make fidelity` runs, with its `STATES` or\n" +
		"fewer; [testing.md](testing.md) says how each comparison is made.\n")
	return b.String()
}

func sum(all []compared) int {
	n := 0
	for _, c := range all {
		n += c.Count
	}
	return n
}

func differing(all []compared) int {
	n := 0
	for _, c := range all {
		n += c.Differences
	}
	return n
}

func (c conformance) total() (states, differ int) {
	for _, v := range c.Versions {
		states, differ = states+v.States, differ+v.Mismatches
	}
	return states, differ
}

// span names the versions, or the first and last of many.
func (c conformance) span() string {
	switch n := len(c.Versions); n {
	case 0:
		return "(none)"
	case 1:
		return c.Versions[0].Version
	default:
		return fmt.Sprintf("%s to %s (%d versions)", c.Versions[0].Version, c.Versions[n-1].Version, n)
	}
}

func disagree(all []scenario) int {
	n := 0
	for _, s := range all {
		if !s.Agree {
			n++
		}
	}
	return n
}
