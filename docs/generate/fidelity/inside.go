package main

import (
	"fmt"
	"strings"
)

// compared is the report of one comparison with one version.
type compared struct {
	Version     string `json:"version"`
	Count       int    `json:"count"`
	Differences int    `json:"differences"`
}

// inside tabulates what expectations and event handlers were held against.
func inside(memory, handlers []compared) string {
	var b strings.Builder
	b.WriteString("\n## Expectations and event handlers against the real ones\n\n" +
		"Random sequences of expecting, observing, looking and time go to upstream's expectations and to\n" +
		"ours; random events go to upstream's handlers and to ours, which have to put the same keys into\n" +
		"the queue, with the same delays, and change expectations the same way. Kruise is asked with the\n" +
		"gate CloneSetEventHandlerOptimization on and off.\n\n" +
		"| | upstream | compared | sequences that differ |\n|---|---|---|---|\n")
	for _, c := range memory {
		fmt.Fprintf(&b, "| steps of expectations | %s | %d | %d |\n", product(c.Version), c.Count, c.Differences)
	}
	for _, c := range handlers {
		fmt.Fprintf(&b, "| events | %s | %d | %d |\n", product(c.Version), c.Count, c.Differences)
	}
	return b.String()
}

// product names a version as people do.
func product(version string) string {
	if kruise, ok := strings.CutPrefix(version, "kruise-"); ok {
		return "Kruise " + kruise
	}
	return "Kubernetes " + version
}
