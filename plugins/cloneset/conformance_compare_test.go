package cloneset

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

func typesUID(name string) types.UID { return types.UID(name + "-uid") }

// doings are what was done, by kind of deed and object.
type doings map[string]map[string]bool

func (d doings) add(deed, object string) {
	if d[deed] == nil {
		d[deed] = map[string]bool{}
	}
	d[deed][object] = true
}

// doneBy reads the real controller's writes.
func doneBy(run oracleRun) doings {
	out := doings{}
	for _, w := range run.Writes {
		switch {
		case w.Failed != "":
		case w.Kind == "Pod" && w.Verb == "create":
			var pod struct {
				Metadata struct{ Labels map[string]string }
			}
			_ = json.Unmarshal(w.Object, &pod)
			out.add("create "+short(pod.Metadata.Labels[revisionLabel]), w.Name)
		case w.Kind == "Pod" && w.Verb == "delete":
			out.add("delete", w.Name)
		case w.Kind == "PersistentVolumeClaim" && w.Verb == "delete":
			out.add("delete claim", w.Name)
		case w.Kind == "ControllerRevision" && w.Verb == "delete":
			out.add("delete revision", w.Name)
		case w.Kind == "PersistentVolumeClaim" && w.Verb == "update":
			out.add("detach", w.Name)
		case w.Kind == "Pod" && w.Verb == "patch" && strings.Contains(w.Patch, specifiedLabel):
			out.add("recreate", w.Name)
		case w.Kind == "Pod" && w.Verb == "patch" && (strings.Contains(w.Patch, stateLabel) || strings.Contains(w.Patch, templateHashLabel)):
			out.add("set-state", w.Name)
		case w.Kind == "Pod" && w.Verb == "update" && w.Subresource == "":
			out.add(podUpdate(w.Object), w.Name)
		case w.Kind == "Pod" && w.Subresource == "status":
			out.add("set-condition", w.Name)
		case w.Kind == "CloneSet" || w.Kind == "PersistentVolumeClaim" || w.Kind == "ControllerRevision":
		default:
			out.add("unknown "+w.Verb+" "+w.Kind+" "+w.Subresource+" "+w.Patch, w.Name)
		}
	}
	for name := range out["update-in-place"] {
		delete(out["set-condition"], name) // an update begins by closing the gate
	}
	return out
}

// podUpdate tells a release from an update in place.
func podUpdate(object json.RawMessage) string {
	var pod struct {
		Metadata struct{ OwnerReferences []any }
	}
	_ = json.Unmarshal(object, &pod)
	if len(pod.Metadata.OwnerReferences) == 0 {
		return "release"
	}
	return "update-in-place"
}

// foretold splits the actions of a Decision into certain and possible ones.
func foretold(d *decision.Decision) (certain, possible doings, creations map[string]int) {
	certain, possible, creations = doings{}, doings{}, map[string]int{}
	for _, a := range d.Actions {
		deed := string(a.Verb)
		switch {
		case a.Verb == decision.Create:
			creations["create "+short(a.Facts.Str("revision"))] += a.Count
			continue
		case a.Object.Kind == "PersistentVolumeClaim" && a.Verb == decision.Delete:
			deed = "delete claim"
		case a.Object.Kind == "ControllerRevision":
			deed = "delete revision"
		}
		if a.Choice == nil {
			certain.add(deed, a.Object.Name)
		} else {
			possible.add(deed, a.Object.Name)
		}
	}
	for name := range certain["update-in-place"] {
		delete(certain["set-condition"], name)
	}
	return certain, possible, creations
}

func compareRun(d *decision.Decision, run oracleRun, did map[string]int) []string {
	var problems []string
	if hasCaveat(d, "CreationOrderUnknown") {
		did["not compared: a taken name"]++
		return nil
	}
	if hasCaveat(d, "RefusalByChance") {
		did["not compared: a refusal by chance"]++
		return nil
	}
	if failed := d.Status.Rule == StatusError || d.Status.Rule == StatusErrorUnwritten; failed != (run.Error != "") {
		problems = append(problems, fmt.Sprintf("failure foretold %v, got %q", failed, run.Error))
	}
	real := doneBy(run)
	if hasCaveat(d, "ScaleInByChance") && len(real["delete"]) == 0 {
		did["not compared: no scale-in by chance"]++
		return nil
	}
	certain, possible, creations := foretold(d)
	for deed, n := range creations {
		if len(real[deed]) != n {
			problems = append(problems, fmt.Sprintf("%s: foretold %d, done %d", deed, n, len(real[deed])))
		}
	}
	for deed := range all(real, certain, possible) {
		did[deed] += len(real[deed])
		for name := range certain[deed] {
			if !real[deed][name] && (deed != "set-condition" || !real["update-in-place"][name]) {
				problems = append(problems, fmt.Sprintf("%s %s is certain and was not done", deed, name))
			}
		}
		if strings.HasPrefix(deed, "create ") {
			if creations[deed] == 0 {
				problems = append(problems, deed+" was not foretold")
			}
			continue
		}
		for name := range real[deed] {
			if !certain[deed][name] && !possible[deed][name] {
				problems = append(problems, fmt.Sprintf("%s %s was done and is not possible", deed, name))
			}
		}
	}
	problems = append(problems, compareCounts(d, real)...)
	return append(problems, compareStatus(d, run)...)
}

func hasCaveat(d *decision.Decision, code string) bool {
	for _, c := range d.Caveats {
		if c.Code == code {
			return true
		}
	}
	return false
}

func compareCounts(d *decision.Decision, real doings) []string {
	if want := d.Summary.Delete(); len(real["delete"]) > want || d.Summary.DeletePossible == 0 && len(real["delete"]) != want {
		return []string{fmt.Sprintf("%d deletions foretold, %d done", want, len(real["delete"]))}
	}
	return nil
}

func compareStatus(d *decision.Decision, run oracleRun) []string {
	if !d.Status.Writes || hasCaveat(d, "StatusByChance") {
		return nil
	}
	next := map[string]string{}
	for _, f := range d.Status.Fields {
		next[f.Field] = f.Next
	}
	var problems []string
	for name, value := range map[string]any{
		"replicas": run.Status.Replicas, "readyReplicas": run.Status.ReadyReplicas, "availableReplicas": run.Status.AvailableReplicas,
		"updatedReplicas": run.Status.UpdatedReplicas, "updatedReadyReplicas": run.Status.UpdatedReadyReplicas,
		"updatedAvailableReplicas": run.Status.UpdatedAvailableReplicas, "expectedUpdatedReplicas": run.Status.ExpectedUpdatedReplicas,
		"updateRevision": run.Status.UpdateRevision, "currentRevision": run.Status.CurrentRevision, "labelSelector": run.Status.LabelSelector,
	} {
		if fmt.Sprint(value) != next[name] {
			problems = append(problems, fmt.Sprintf("status %s: foretold %s, written %v", name, next[name], value))
		}
	}
	after := d.NextSync.Facts.Str("after")
	if run.Error == "" && after != run.RequeueAfter {
		problems = append(problems, fmt.Sprintf("next sync: foretold %q, got %q", after, run.RequeueAfter))
	}
	return problems
}

func all(sets ...doings) map[string]bool {
	out := map[string]bool{}
	for _, s := range sets {
		for deed := range s {
			out[deed] = true
		}
	}
	return out
}

func (w *world) describe() string {
	text, _ := json.Marshal(w.cs["spec"])
	var b strings.Builder
	fmt.Fprintf(&b, "%s\ngates %v\nstatus %v\n", text, w.gates, w.cs["status"])
	for _, p := range w.pods {
		fmt.Fprintf(&b, "%s %v node=%s phase=%s ready=%v gates=%d\n", p.Name, p.Labels, p.Spec.NodeName, p.Status.Phase, p.Status.Conditions, len(p.Spec.ReadinessGates))
	}
	return b.String()
}

func describeRun(d *decision.Decision, run oracleRun) string {
	var b strings.Builder
	for _, a := range d.Actions {
		fmt.Fprintf(&b, "foretold %s %s %v %s\n", a.Verb, a.Object.Name, a.Choice, a.Message)
	}
	for _, l := range d.Limits {
		fmt.Fprintf(&b, "limit %s\n", l.Message)
	}
	real := doneBy(run)
	for _, deed := range slices.Sorted(maps.Keys(real)) {
		fmt.Fprintf(&b, "done %s %v\n", deed, slices.Sorted(maps.Keys(real[deed])))
	}
	return b.String() + "error " + run.Error
}
