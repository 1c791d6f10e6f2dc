package oracle

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/contract"
)

// written is a status as upstream sent it, of either kind.
type written struct {
	Conditions []condition `json:"conditions"`
	counts     map[string]json.Number
}

type condition struct {
	Type               string    `json:"type"`
	Status             string    `json:"status"`
	Reason             string    `json:"reason"`
	Message            string    `json:"message"`
	LastTransitionTime time.Time `json:"lastTransitionTime"`
}

// status compares the update that ends the sync, field by field.
func (out *diff) status(d *decision.Decision, run *contract.Run) {
	out.want("status updates tried", tries(d), run.StatusWrites)
	if run.Status == nil || string(run.Status) == "null" {
		return
	}
	seen, err := readStatus(run.Status)
	if err != nil {
		*out = append(*out, fmt.Sprintf("status %s: %v", run.Status, err))
		return
	}
	for _, f := range d.Status.Fields {
		out.want("status."+f.Field, f.Next, seen.field(f.Field))
		delete(seen.counts, f.Field)
	}
	out.want("status fields not predicted", map[string]json.Number{}, seen.counts)
	out.want("conditions", predictedConditions(d), seen.Conditions)
}

func tries(d *decision.Decision) int {
	if !d.Status.Writes {
		return 0
	}
	return max(1, int(d.Status.Facts.Int("tries")))
}

func readStatus(raw json.RawMessage) (written, error) {
	var s written
	if err := json.Unmarshal(raw, &s); err != nil {
		return s, err
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(raw, &fields); err != nil {
		return s, err
	}
	delete(fields, "conditions")
	s.counts = map[string]json.Number{}
	for name, value := range fields {
		s.counts[name] = json.Number(value)
	}
	return s, nil
}

// field is a count as a Decision prints it: those left out of JSON are 0,
// except for the one that may be unset.
func (s written) field(name string) string {
	if n, ok := s.counts[name]; ok {
		return n.String()
	}
	if name == "terminatingReplicas" {
		return "unset"
	}
	return "0"
}

func predictedConditions(d *decision.Decision) []condition {
	var all []condition
	for _, c := range d.Status.Conditions {
		all = append(all, condition{c.Type, c.Status, c.Reason, c.Message, c.Since.UTC()})
	}
	return all
}
