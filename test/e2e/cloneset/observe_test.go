package cloneset

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/controlplane"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/cloneset"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/cloneset/contract"
)

// quiet is how long nothing more must come from the manager before a reconcile
// counts as over.
const quiet = 2 * time.Second

// observe reads the first reconcile since the mark, as an oracle would tell it.
// Where it updates status, what comes after that is of the next one, but for
// the deletion of revisions; else it is over when enough is done.
func (w *world) observe(since controlplane.AuditMark, plan *decision.Decision, enough func(*contract.Run) bool) *contract.Run {
	w.Helper()
	run, paid := &contract.Run{Writes: []contract.Write{}}, payments{}
	endsWithStatus := plan.Status.Writes
	last, over := time.Now(), false
	ctx, cancel := context.WithTimeout(w.Context(), patience)
	defer cancel()
	err := env.WaitFor(ctx, "the manager to act", func(context.Context) (bool, error) {
		events, next, err := env.AuditEvents(since)
		since = next
		for _, e := range events {
			if !w.concerns(e) || over && !isAfterStatus(e) {
				continue
			}
			if e.ObjectRef.Resource == budgets.Resource && !paid.by(e) {
				continue
			}
			last = time.Now()
			over = record(run, e) || over || !endsWithStatus && enough(run)
		}
		nothing := !plan.Pending && !endsWithStatus
		return time.Since(last) > quiet && (over || nothing), err
	})
	if err != nil && len(run.Writes) == 0 {
		w.Fatal(err)
	}
	return run // what was done and not predicted is for the comparison to say
}

// payments are the pods that a budget has been seen to pay for. The manager also
// counts budgets, which is another controller's doing.
type payments map[string]bool

// by reports whether a write of a budget's status pays for another pod.
func (p payments) by(e controlplane.AuditEvent) bool {
	var status struct {
		UnavailablePods map[string]any `json:"unavailablePods"`
	}
	if json.Unmarshal(part(e.RequestObject, "status"), &status) != nil {
		return false
	}
	more := false
	for name := range status.UnavailablePods {
		more = more || !p[name]
		p[name] = true
	}
	return more
}

// isAfterStatus tells the one thing that a reconcile does after its status
// update: it deletes old revisions.
func isAfterStatus(e controlplane.AuditEvent) bool {
	return e.Verb == "delete" && e.ObjectRef.Resource == "controllerrevisions"
}

// concerns reports whether the manager wrote an object of this world.
func (w *world) concerns(e controlplane.AuditEvent) bool {
	return e.Stage == "ResponseComplete" && e.User.Username == controlplane.KruiseUser &&
		e.ObjectRef.Namespace == w.namespace && kinds[e.ObjectRef.Resource] != "" && verbs[e.Verb] != ""
}

var (
	kinds = map[string]string{
		"pods": "Pod", "clonesets": "CloneSet", "persistentvolumeclaims": "PersistentVolumeClaim", "controllerrevisions": "ControllerRevision",
		"podunavailablebudgets": "PodUnavailableBudget",
	}
	verbs = map[string]string{"create": "create", "update": "update", "patch": "patch", "delete": "delete"}
)

// record adds a write, and reports whether it stored the CloneSet's status.
func record(run *contract.Run, e controlplane.AuditEvent) (over bool) {
	write := contract.Write{Verb: e.Verb, Kind: kinds[e.ObjectRef.Resource], Subresource: e.ObjectRef.Subresource, Name: e.ObjectRef.Name}
	failed := e.ResponseStatus.Code >= http.StatusMultipleChoices
	if failed {
		write.Failed = e.ResponseStatus.Reason
	}
	status := part(e.RequestObject, "status")
	switch {
	case write.Verb == "patch":
		write.Patch = string(e.RequestObject)
	case write.Verb != "delete" && write.Subresource == "status":
		write.Object = status
	case write.Verb != "delete":
		write.Object = e.RequestObject
	}
	if over = write.Kind == "CloneSet" && write.Subresource == "status" && !failed; over {
		run.Status = status
	}
	run.Writes = append(run.Writes, write)
	return over
}

func part(raw json.RawMessage, field string) json.RawMessage {
	var fields map[string]json.RawMessage
	if json.Unmarshal(raw, &fields) != nil {
		return nil // a body that the audit policy leaves out
	}
	return fields[field]
}

// before is the request that an oracle would have been asked: the pods as they
// were when the plan was made.
func before(pods []*corev1.Pod) *contract.Request { return &contract.Request{Pods: pods} }

func (w *world) mark() controlplane.AuditMark {
	w.Helper()
	mark, err := env.AuditMark()
	w.check(err)
	return mark
}

// judge compares the first reconcile with the plan.
func (w *world) judge(plan *decision.Decision, pods []*corev1.Pod, mark controlplane.AuditMark, shows []string) {
	w.Helper()
	w.checkShows(plan, shows)
	req := before(pods)
	run := w.observe(mark, plan, func(run *contract.Run) bool { return len(cloneset.CompareWrites(req, plan, run)) == 0 })
	differences := cloneset.CompareWrites(req, plan, run)
	env.report.add(w.Name(), plan, cloneset.Done(req, run), differences)
	if len(differences) > 0 {
		w.Errorf("the manager did not keep to the plan:\n%s\nplan: %s\ndid: %s",
			strings.Join(differences, "\n"), plan.Answer, strings.Join(cloneset.Done(req, run), "; "))
	}
}
