package e2e

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
	Answer    string `json:"answer"`
	Predicted string `json:"predicted"`
	Observed  string `json:"observed"`
	Agree     bool   `json:"agree"`
	Differs   string `json:"differs,omitempty"`
	Because   string `json:"because,omitempty"`
}

func (r *report) add(name string, plan *decision.Decision, did observed, err error, because string) {
	e := entry{
		Scenario: scenarioName(name), Answer: plan.Answer,
		Predicted: predictedText(plan), Observed: did.text(), Agree: err == nil,
	}
	if err != nil {
		e.Differs, e.Because = err.Error(), because
	}
	r.Scenarios = append(r.Scenarios, e)
}

// addForecast is about many objects at once.
func (r *report) addForecast(name string, f *forecast, before, after population, err error) {
	e := entry{
		Scenario: scenarioName(name), Answer: f.answer, Predicted: f.text(before), Observed: f.happened(before, after), Agree: err == nil,
	}
	if err != nil {
		e.Differs = err.Error()
	}
	r.Scenarios = append(r.Scenarios, e)
}

// addStep is about one sync of a Deployment.
func (r *report) addStep(name string, plan *decision.Decision, did rolledOut, err error) {
	e := entry{
		Scenario: scenarioName(name), Answer: plan.Answer,
		Predicted: predictedStep(plan).String(), Observed: did.String(), Agree: err == nil,
	}
	if err != nil {
		e.Differs = err.Error()
	}
	r.Scenarios = append(r.Scenarios, e)
}

func scenarioName(test string) string {
	return strings.NewReplacer("Test", "", "/", ": ", "_", " ").Replace(test)
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
