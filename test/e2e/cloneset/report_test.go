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
	// Manifest: it is about whether the webhook accepts a manifest.
	Manifest bool `json:"manifest,omitempty"`
}

func (r *report) add(name string, plan *decision.Decision, did []string, differences []string) {
	if len(did) == 0 {
		did = []string{"nothing but status"}
	}
	r.Scenarios = append(r.Scenarios, entry{
		Scenario:  readable(name),
		Predicted: plan.Answer, Observed: strings.Join(did, "; "), Agree: len(differences) == 0,
	})
}

// verdict adds what the tool and the webhook say of a change.
func (r *report) verdict(name, answer string, err error, agree bool) {
	observed := "accepted"
	if err != nil {
		observed = "refused: " + err.Error()
	}
	r.Scenarios = append(r.Scenarios, entry{Scenario: readable(name), Predicted: answer, Observed: observed, Agree: agree, Manifest: true})
}

// owners adds what was predicted of owners and claims, and what was done.
func (r *report) owners(name string, predicted, done []string, agree bool) {
	text := func(deeds []string) string {
		if len(deeds) == 0 {
			return "all stay with whom they are"
		}
		return strings.Join(deeds, "; ")
	}
	r.Scenarios = append(r.Scenarios, entry{Scenario: readable(name), Predicted: text(predicted), Observed: text(done), Agree: agree})
}

func readable(name string) string {
	return strings.NewReplacer("Test", "", "/", ": ", "_", " ").Replace(name)
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
