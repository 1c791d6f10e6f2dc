package cloneset

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// report collects what docs/fidelity.md is made from.
type report struct{ Scenarios []entry }

type entry struct {
	Scenario  string `json:"scenario"`
	Predicted string `json:"predicted"`
	Observed  string `json:"observed"`
	Agree     bool   `json:"agree"`
}

func (r *report) add(name string, plan *decision.Decision, did []string, differences []string) {
	if len(did) == 0 {
		did = []string{"nothing but status"}
	}
	r.Scenarios = append(r.Scenarios, entry{
		Scenario:  strings.NewReplacer("Test", "", "/", ": ", "_", " ").Replace(name),
		Predicted: plan.Answer, Observed: strings.Join(did, "; "), Agree: len(differences) == 0,
	})
}

// write does nothing without a path.
func (r *report) write(path string) error {
	if path == "" {
		return nil
	}
	text, err := json.MarshalIndent(r.Scenarios, "", "  ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(path, append(text, '\n'), 0o600); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	return nil
}
