package assess

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/health"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/lease"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/answer"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/api"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/core"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/rules"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/status"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise"
)

// ownCause is a cause in the CloneSet itself.
func (a *assessor) ownCause(reason, label, message, evidence string) decision.Cause {
	return decision.Cause{Object: a.set.Ref, Reason: reason, Label: label, Message: message, Evidence: evidence, Next: a.describe("cloneset", a.set.GetName())}
}

// stopped is the cause that no sync gets any further.
func (a *assessor) stopped(label, evidence string) decision.Cause {
	return a.options.Judge(a.ownCause(a.d.Gate.Rule, label, a.d.Gate.Message, evidence), health.CreateForbidden, time.Time{})
}

// failing are the causes that syncs end early, or don't come about.
func (a *assessor) failing() []decision.Cause {
	var causes []decision.Cause
	switch a.d.Gate.Rule {
	case rules.ClaimRefused:
		causes = append(causes, a.stopped("the sync fails", "the predicted sync"))
	case rules.RollbackPanics:
		c := a.stopped("the sync crashes the kruise-manager", "the predicted sync")
		c.Briefs = []string{"kruise-manager crashes"}
		causes = append(causes, c)
	}
	for _, e := range a.d.Evidence {
		if lease.Tells(e.Rule) {
			return causes // who does not act observes nothing
		}
	}
	for _, e := range a.d.Evidence {
		if e.Rule == rules.SpecNotObserved {
			causes = append(causes, a.unobserved(e.Message))
		}
	}
	return causes
}

// unobserved is the cause that the controller has not looked at the spec since it was
// changed. While it waits for what it wrote before, it does not write status either.
func (a *assessor) unobserved(message string) decision.Cause {
	c := a.ownCause("GenerationNotObserved", fmt.Sprintf("generation %d not observed", a.set.GetGeneration()), message, "status.observedGeneration")
	for _, f := range a.set.GetManagedFields() {
		if f.Subresource == "" && f.Time != nil && f.Time.After(c.Since) {
			c.Since = f.Time.Time
		}
	}
	c.Next = fmt.Sprintf("kubectl ctrl expectations %s -n %s", a.set.Ref, a.set.GetNamespace())
	c.Stops = true
	return a.options.Judge(c, health.Expectation, c.Since)
}

// refused is what refuses the Pods that a sync is to delete or to update in place.
func (a *assessor) refused() (causes []decision.Cause) {
	for _, of := range a.attempts() {
		causes = append(causes, of.Refused(a.r, a.options)...)
	}
	return causes
}

// budgetWebhook refuses what a PodUnavailableBudget has no room for, which is decided by the
// budget (pkg/webhook/pod/validating/webhooks.go, v1.9.1).
const budgetWebhook = `admission webhook "vpod.kb.io"`

// attempts are the deletions and updates in place of a sync (deletePods of
// sync/cloneset_scale.go and updatePod of sync/cloneset_update.go, v1.9.1).
func (a *assessor) attempts() []health.Attempt {
	deletes := health.Deletions(view.CloneSets, a.set)
	deletes.Decision, deletes.Events, deletes.Asked = a.d, a.set.EventsNeed(), budgetWebhook
	updates := deletes
	updates.Verb, updates.Failed, updates.Succeeded = decision.UpdateInPlace, "FailedUpdatePodInPlace", "SuccessfulUpdatePodInPlace"
	updates.Noun, updates.Label = "update", "updating Pods in place fails"
	for _, r := range a.d.Revisions {
		if slices.Contains(r.Roles, "update") {
			updates.About = "(revision " + r.Name + ")"
		}
	}
	marks := updates
	marks.Verb, marks.Failed, marks.Succeeded = decision.Recreate, "FailedUpdatePodReCreate", "SuccessfulUpdatePodReCreate"
	return []health.Attempt{deletes, updates, marks}
}

// uncreated is what refuses the Pods that a sync is to create. What maxSurge alone asks for is
// not waited for by an update in place, which follows in the same sync; one that recreates
// Pods only marks them, and deletes none before (syncCloneSet of cloneset_controller.go and
// Scale of sync/cloneset_scale.go, v1.9.1).
func (a *assessor) uncreated() []decision.Cause {
	causes := a.namesTaken()
	if len(a.d.NamedAlike) == 0 {
		causes = health.Creations(a.r, a.creator(), a.options)
	}
	if a.n.Current < a.n.Desired || !a.updatesInPlace() {
		return causes
	}
	for i, c := range causes {
		c.Message += "; the update in place goes on without maxSurge"
		c.Stops, c.Blocked, c.BlockedAt, c.Class = false, false, time.Time{}, ""
		c.Named, c.Next = true, "" // the Pods that are updated come first
		causes[i] = c
	}
	return causes
}

// updatesInPlace reports whether Pods are updated in place, as far as maxUnavailable lets.
func (a *assessor) updatesInPlace() (possible bool) {
	for _, why := range a.d.Reasons {
		switch why.Rule {
		case rules.InPlaceImpossible:
			return false
		case rules.InPlacePossible:
			possible = true
		}
	}
	limits, _ := core.LimitsOf(a.set)
	return possible && limits.MaxUnavailable > a.n.Desired-a.n.Current
}

// paused is the cause that updates are outstanding and the update is paused.
func (a *assessor) paused() []decision.Cause {
	if !a.set.Spec.UpdateStrategy.Paused || !a.n.Outdated() {
		return nil
	}
	c := a.ownCause("Paused", "paused with outstanding updates", "Pods are not updated while spec.updateStrategy.paused is true", "spec.updateStrategy.paused")
	c.Briefs = []string{"paused"}
	if noted := status.Progressing(a.set.Status.Conditions); noted != nil && noted.Reason == "CloneSetPaused" {
		c.Since = noted.LastTransitionTime.Time
	}
	c.Next = a.patch(`"paused":false`)
	return []decision.Cause{a.options.Judge(c, health.Paused, c.Since)}
}

// budgets are the PodUnavailableBudgets that refuse what is due.
func (a *assessor) budgets() []decision.Cause {
	refused := map[string]decision.Refusal{}
	for _, r := range a.d.Refusals {
		refused[r.Budget] = r
	}
	var causes []decision.Cause
	for _, name := range slices.Sorted(maps.Keys(refused)) {
		causes = append(causes, a.budget(refused[name]))
	}
	return causes
}

// budget is the cause that one refuses: for good where it has to have all Pods
// available, else until more of them are.
func (a *assessor) budget(r decision.Refusal) decision.Cause {
	class := health.Budget
	if r.Desired >= max(a.n.Desired, a.n.Current) {
		class = health.BudgetNever
	}
	return a.options.Judge(decision.Cause{
		Object: decision.Ref{APIVersion: view.PodUnavailableBudgets.GroupVersion().String(), Kind: view.PodUnavailableBudgets.Kind, Namespace: a.set.GetNamespace(), Name: r.Budget},
		Reason: "PodUnavailableBudget", Label: "PodUnavailableBudget " + r.Budget + " allows none", Evidence: "status.unavailableAllowed",
		Message: fmt.Sprintf("%d of its Pods are available, and %d have to be", r.Available, r.Desired), Next: a.describe("podunavailablebudget", r.Budget),
	}, class, time.Time{})
}

// hooks are the Pods that a lifecycle hook holds.
func (a *assessor) hooks() []decision.Cause {
	held := map[string]decision.Cause{}
	for _, h := range a.d.Hooked {
		held[h.Pod] = decision.Cause{Reason: "LifecycleHook", Label: "held by the " + h.Hook + " hook", Message: "hook " + h.Hook + ": " + h.By, Briefs: []string{h.Hook + " hook"}}
	}
	var causes []decision.Cause
	for _, m := range a.pods {
		c, ok := held[m.Ref.Name]
		if !ok {
			continue
		}
		c.Object, c.Pod, c.Since, c.Evidence = m.Ref, health.ColumnsOf(m.Pod), kruise.StateSince(m.Pod), "metadata.labels["+kruise.StateLabel+"]"
		c.Next = health.Whole("pod", m.Pod.Namespace, m.Ref.Name) // hooks are finalizers and labels
		causes = append(causes, a.options.Judge(c, health.Hook, c.Since))
	}
	health.Sort(causes)
	return causes
}

// named are the ready Pods that are named for deletion, and that maxUnavailable keeps: until
// others are available, or for good where all are (Scale of sync/cloneset_scale.go, v1.9.1).
func (a *assessor) named() (causes []decision.Cause) {
	class, next := health.Step, fmt.Sprintf("kubectl ctrl explain %s -n %s", a.set.Ref, a.set.GetNamespace())
	if a.n.Available == a.n.Current {
		class, next = health.CreateForbidden, a.allowOne()
	}
	for _, m := range a.pods {
		why := a.d.DeletionHeld[m.Ref.Name]
		if why == "" || m.State == kruise.PreparingDelete || !m.Marked && !slices.Contains(a.set.Spec.ScaleStrategy.PodsToDelete, m.Ref.Name) {
			continue
		}
		causes = append(causes, a.options.Judge(decision.Cause{
			Object: m.Ref, Reason: rules.DeleteReadyLimited, Label: "named for deletion, kept by maxUnavailable", Briefs: []string{"named for deletion"},
			Message: why, Evidence: "spec.updateStrategy.maxUnavailable", Pod: health.ColumnsOf(m.Pod), Next: next,
		}, class, time.Time{}))
	}
	return causes
}

// remedy is the command that lets an update go on which a rule holds.
func (a *assessor) remedy(rule string) string {
	switch rule {
	case rules.InPlaceOnlyRefused:
		return a.patch(`"type":"`+api.InPlaceIfPossible+`"`) + " # recreates its Pods"
	case rules.MaxUnavailableReached, rules.TargetUnavailable:
		return a.allowOne()
	}
	return a.describe("cloneset", a.set.GetName())
}

// allowOne is the command by which one Pod may be unavailable, where none may.
func (a *assessor) allowOne() string {
	if limits, _ := core.LimitsOf(a.set); limits.MaxUnavailable > 0 || limits.MaxSurge > 0 {
		return a.describe("cloneset", a.set.GetName())
	}
	return a.patch(`"maxUnavailable":1`)
}

// patch is the command that changes a field of the updateStrategy.
func (a *assessor) patch(field string) string {
	return fmt.Sprintf(`kubectl patch cloneset %s -n %s --type merge -p '{"spec":{"updateStrategy":{%s}}}'`, a.set.GetName(), a.set.GetNamespace(), field)
}

// overdue is the cause that progressDeadlineSeconds are over. They count from the first progress,
// so that Pods may come up as they should; the condition stays until all that are to be updated are
// available (calculateProgressingStatus of cloneset_status.go, v1.9.1).
func (a *assessor) overdue(others []decision.Cause) []decision.Cause {
	for _, c := range a.d.Status.Conditions {
		if c.Type != status.ProgressingType || c.Reason != status.DeadlineExceeded || a.n.Complete() {
			continue
		}
		cause := a.ownCause(c.Reason, "", fmt.Sprintf("no progress within progressDeadlineSeconds (%d)", *a.set.Spec.ProgressDeadlineSeconds), "")
		cause.Since = c.Since
		return []decision.Cause{a.options.Overdue(cause, others, time.Time{}, "all Pods that are to be updated are available")}
	}
	return nil
}

// failsAgain reports whether a sync fails on the first Pod that it is to update, and does
// nothing else: so does each one after it (refreshPodState and updatePod of
// sync/cloneset_update.go, v1.9.1).
func (a *assessor) failsAgain() bool {
	if a.d.Requeue != decision.RequeueFailed || a.d.Doubted || len(a.d.Actions) > 0 {
		return false
	}
	for i := range a.d.Updates {
		if rule := a.d.Updates[i].Rule; rule == rules.StateRefused || rule == rules.InPlaceOnlyRefused {
			return true
		}
	}
	return false
}

// held is why a sync leaves something undone that no Pod explains: a limit of the
// spec, or a refusal that every sync meets again.
func (a *assessor) held(again bool) []decision.Cause {
	why := answer.Stuck(a.d)
	if why == "" || a.n.Complete() {
		return nil
	}
	c := a.ownCause("UpdateHeld", "the update is held back", why, "spec.updateStrategy")
	if a.d.Requeue == decision.RequeueFailed {
		c.Reason, c.Label, c.Evidence = "SyncFails", "the sync fails", "the predicted sync"
	}
	for _, l := range a.d.Limits {
		if by, ok := limitedBy[l.Rule]; ok && l.Message == why {
			c.Reason, c.Label, c.Evidence = l.Rule, by[0], by[1]
		}
	}
	for _, u := range a.d.Updates {
		if label := heldBy[u.Rule]; label != "" {
			c.Reason, c.Label, c.Next = u.Rule, label, a.remedy(u.Rule)
			break
		}
	}
	class := health.CreateForbidden // all Pods are available: waiting changes nothing
	if a.n.Available < a.n.Desired && !again {
		class = health.Step
	}
	return []decision.Cause{a.options.Judge(c, class, time.Time{})}
}

// limitedBy are the limits of a scale-out and a scale-in, each with the field that sets it.
var limitedBy = map[string][2]string{
	rules.ScaleUpLimited:   {"scaleStrategy.maxUnavailable holds creations back", "spec.scaleStrategy.maxUnavailable"},
	rules.ScaleInLimited:   {"maxUnavailable holds the scale-in back", "spec.updateStrategy.maxUnavailable"},
	rules.ScaleInSuspended: {"named Pods suspend the scale-in", "spec.scaleStrategy.podsToDelete"},
}

// heldBy are the rules that hold every Pod of an update.
var heldBy = map[string]string{
	rules.InPlaceOnlyRefused: "type InPlaceOnly, and not possible in place", rules.StateRefused: "a Pod is in an unexpected state",
	rules.UpdateFailed:          "the update is refused",
	rules.MaxUnavailableReached: "maxUnavailable allows no update", rules.TargetUnavailable: "maxUnavailable allows no update",
}
