package cloneset

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/cloneset/contract"
)

type condition struct {
	Type, Status, Reason, Message string
	LastTransitionTime            time.Time
}

func (out *diff) status(d *decision.Decision, run *contract.Run, is done) {
	if caveat(d, "StatusByChance") {
		return
	}
	out.want("status written", d.Status.Writes, is.statusWrites > 0)
	if !d.Status.Writes || is.statusWrites == 0 {
		return
	}
	sent, err := decode[map[string]any](run.Status)
	if err != nil {
		out.note("status: %v", err)
		return
	}
	for _, f := range d.Status.Fields {
		value := ""
		if v, ok := sent[f.Field]; ok {
			value = fmt.Sprint(v)
		}
		next := f.Next
		if next == "unset" {
			next = ""
		}
		if unknown := strings.HasSuffix(next, "-<hash>"); unknown && value == is.revision {
			continue
		}
		if next == "0" && value == "" { // omitempty
			continue
		}
		out.want("status."+f.Field, next, value)
	}
}

func (out *diff) conditions(d *decision.Decision, run *contract.Run, is done) {
	if caveat(d, "StatusByChance") || !d.Status.Writes || is.statusWrites == 0 {
		return
	}
	full, err := decode[struct{ Conditions []condition }](run.Status)
	if err != nil {
		out.note("conditions: %v", err)
	}
	out.want("conditions", showAll(d.Status.Conditions, is.revision), showSent(full.Conditions))
}

func showAll(all []decision.Condition, created string) []string {
	lines := make([]string, len(all))
	for i, c := range all {
		message := c.Message
		if created != "" {
			message = strings.ReplaceAll(message, "web-<hash>", created)
		}
		lines[i] = fmt.Sprint(c.Type, "=", c.Status, " ", c.Reason, " ", c.Since.UTC(), " ", message)
	}
	slices.Sort(lines)
	return lines
}

func showSent(all []condition) []string {
	lines := make([]string, len(all))
	for i, c := range all {
		lines[i] = fmt.Sprint(c.Type, "=", c.Status, " ", c.Reason, " ", c.LastTransitionTime.UTC(), " ", c.Message)
	}
	slices.Sort(lines)
	return lines
}
