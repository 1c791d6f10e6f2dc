package e2e

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strconv"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// compare lists where a sync did not keep to the plan.
func compare(plan *decision.Decision, did observed) error {
	if mayBeRefused(plan) && did.created == 0 && did.refused == 1 && did.status != nil {
		return compareFields(plan.Status.Fields, did.status)
	}
	return errors.Join(
		comparePatches("adopt", patchesOf(plan, decision.Adopt), did.adopted),
		comparePatches("release", patchesOf(plan, decision.Release), did.released),
		compareCreates(plan, did),
		compareDeletes(plan, did),
		compareStatus(plan, did.status),
	)
}

// mayBeRefused tells a plan that leaves open whether its creations are
// accepted. When the first is refused, the stored condition stays.
func mayBeRefused(plan *decision.Decision) bool {
	for _, a := range plan.Actions {
		if a.Verb == decision.Create && a.Certainty == decision.Possible {
			return len(plan.Actions) == 1
		}
	}
	return false
}

func patchesOf(plan *decision.Decision, verb decision.Verb) map[string]decision.Action {
	actions := map[string]decision.Action{}
	for _, a := range plan.Actions {
		if a.Verb == verb {
			actions[a.Object.Name] = a
		}
	}
	return actions
}

// comparePatches wants the same pods, except for possible ones, with the same
// bodies. The audit log stores a body as JSON of its own, so not byte for byte.
func comparePatches(verb string, planned map[string]decision.Action, sent map[string]json.RawMessage) error {
	var errs []error
	for name, a := range planned {
		body, ok := sent[name]
		if !ok && a.Certainty == decision.Certain {
			errs = append(errs, fmt.Errorf("did not %s %s", verb, name))
		}
		if ok && !sameJSON([]byte(a.Patch), body) {
			errs = append(errs, fmt.Errorf("%s %s: sent %s, planned %s", verb, name, body, a.Patch))
		}
	}
	for name := range sent {
		if _, ok := planned[name]; !ok {
			errs = append(errs, fmt.Errorf("%s %s was not planned", verb, name))
		}
	}
	return errors.Join(errs...)
}

func sameJSON(a, b []byte) bool {
	var x, y any
	return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && reflect.DeepEqual(x, y)
}

// compareCreates also compares the refusals that the plan predicts.
func compareCreates(plan *decision.Decision, did observed) error {
	refused := plannedRefusals(plan)
	if did.created != plan.Summary.Create || did.refused != refused {
		return fmt.Errorf("created %d pods and was refused %d, planned %d and %d", did.created, did.refused, plan.Summary.Create, refused)
	}
	return nil
}

// plannedRefusals reads a fact, whose numbers went through JSON.
func plannedRefusals(plan *decision.Decision) int {
	n, err := strconv.Atoi(plan.Count.Of.Str("refused"))
	if err != nil {
		return 0
	}
	return n
}

// compareDeletes wants certain ⊆ deleted ⊆ certain ∪ possible, and the number.
func compareDeletes(plan *decision.Decision, did observed) error {
	var errs []error
	planned := map[string]bool{}
	for _, a := range plan.Actions {
		if a.Verb != decision.Delete {
			continue
		}
		planned[a.Object.Name] = true
		if _, gone := did.deleted[a.Object.Name]; !gone && a.Certainty == decision.Certain {
			errs = append(errs, fmt.Errorf("did not delete %s, which was certain", a.Object.Name))
		}
	}
	for name := range did.deleted {
		if !planned[name] {
			errs = append(errs, fmt.Errorf("deleted %s, which was not planned", name))
		}
	}
	if len(did.deleted) != plan.Summary.Delete() {
		errs = append(errs, fmt.Errorf("deleted %d pods, planned %d", len(did.deleted), plan.Summary.Delete()))
	}
	return errors.Join(errs...)
}
