package assess

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/admission"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/health"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/api"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/core"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/scale"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise/inplace"
)

// Of finds out why Pods of the target are missing, not available or not updated.
func Of(r *view.Reader, p profile.Profile, t view.Target, d *decision.Decision) health.Assessment {
	set, err := api.Get(r, t)
	if err != nil {
		return health.Unassessed()
	}
	a := newAssessor(r, p, set, d)
	switch {
	case set.Deleting() && set.Invalid != nil:
		return health.Deleted(set.Ref, set, nil)
	case set.Deleting():
		return health.Deleted(set.Ref, set, health.Remaining(r, a.set.Controlled(a.r), a.options))
	case set.Invalid != nil:
		return health.Assessment{Causes: []decision.Cause{a.stopped("its selector is invalid", "spec.selector")}}
	}
	if a.look(); r.Closely() {
		health.NoteEnded(d, a.all)
	}
	return a.assess()
}

// RefusedBefore is what refused the last creation, or else the last deletion or update in
// place; none where one was accepted since.
func RefusedBefore(r *view.Reader, p profile.Profile, set *api.Set, d *decision.Decision) (why decision.Cause, found bool) {
	a := newAssessor(r, p, set, d)
	if d.Summary.Create > 0 {
		a.look()
		return health.RefusedBefore(r, a.creator(), a.options)
	}
	for _, of := range a.attempts() {
		if why, found = of.Again(r, a.options); found {
			break
		}
	}
	return why, found
}

// MayFit reports whether what refused a Pod may accept the next one once Pods are gone.
func MayFit(why decision.Cause) bool { return health.MayFit(why) }

// Retried reports whether what refused a Pod is known to accept the next one.
func Retried(why decision.Cause) bool { return health.Retried(why) }

// newAssessor is one that has not looked yet.
func newAssessor(r *view.Reader, p profile.Profile, set *api.Set, d *decision.Decision) *assessor {
	a := &assessor{
		r: r, set: set, d: d, profile: p,
		options: health.Options{Running: true, Now: r.Now(), MinReady: time.Duration(set.Spec.MinReadySeconds) * time.Second},
	}
	if set.Spec.ProgressDeadlineSeconds != nil {
		a.options.Deadline = time.Duration(*set.Spec.ProgressDeadlineSeconds) * time.Second
	}
	return a
}

// assessor is what is known of one CloneSet.
type assessor struct {
	r       *view.Reader
	set     *api.Set
	d       *decision.Decision
	profile profile.Profile
	options health.Options
	// pods are those that are active, all are its Pods, those among them that are being deleted or have ended.
	pods []*core.PodState
	all  []*corev1.Pod
	n    *decision.Replicas
}

// look finds the Pods and counts them as the controller does.
func (a *assessor) look() {
	a.all = a.set.Controlled(a.r)
	a.n = &decision.Replicas{Desired: a.set.Desired()}
	for _, p := range a.all {
		if !kruise.Active(p) {
			continue
		}
		m := &core.PodState{Looked: core.Look(p, ownership.RefTo(view.Pods, p))}
		m.Judge(a.set.Spec.MinReadySeconds, a.r.Now())
		a.pods = append(a.pods, m)
		a.n.Current++
		if m.Ready {
			a.n.Ready++
		}
		if m.Available {
			a.n.Available++
		}
	}
	if r := a.d.Rollout; r != nil && !r.Doubted {
		updated, desired := r.Updated, r.Desired
		if a.set.Spec.UpdateStrategy.Type == api.OnDelete {
			desired = min(desired, updated) // whoever deletes Pods decides
		}
		a.n.Updated, a.n.UpdatedDesired = &updated, &desired
	}
}

func (a *assessor) assess() health.Assessment {
	causes := a.failing()
	causes = append(causes, a.uncreated()...)
	causes = append(causes, a.refused()...)
	causes = append(causes, a.paused()...)
	causes = append(causes, a.budgets()...)
	hooked := a.hooks()
	causes = append(causes, hooked...)
	causes = append(causes, a.ofPods(hooked, len(causes) > 0)...)
	named := a.named()
	causes = append(causes, named...)
	causes = append(causes, a.overdue(causes)...)
	if again := a.failsAgain(); again || len(causes) == 0 {
		causes = append(a.held(again), causes...)
	}
	return health.Assessment{Replicas: a.n, Causes: causes, Undone: len(named) > 0, Note: a.note()}
}

// creator is the set as one that creates what is missing, maxSurge included. Its conditions
// of failures may be of any time.
func (a *assessor) creator() health.Creator {
	missing := a.n.Desired - a.n.Current
	if r := a.d.Rollout; r != nil {
		missing = max(missing, r.Creates)
	}
	return health.Creator{
		Kind: view.CloneSets, Object: a.set, Missing: missing, Pods: a.all,
		Pod: scale.NewPod(a.set, &a.set.Spec.Template), Features: admission.FeaturesOf(a.profile.Kubernetes),
		Events: a.set.EventsNeed(),
	}
}

// ofPods are the causes of Pods that no hook holds. Those that the rollout replaces
// block where nothing else explains it.
func (a *assessor) ofPods(hooked []decision.Cause, explained bool) []decision.Cause {
	held, replaced := map[string]bool{}, map[string]bool{}
	for _, c := range hooked {
		held[c.Object.Name] = true
	}
	if u := a.set.Spec.UpdateStrategy; !u.Paused && u.Type != api.OnDelete {
		for _, u := range a.d.Updates {
			replaced[u.Object.Name] = u.State != decision.Updated && u.State != decision.Kept && u.State != decision.Refused
		}
	}
	var stay, going []*corev1.Pod
	for _, p := range a.all {
		switch {
		case held[p.Name]:
		case replaced[p.Name] && p.DeletionTimestamp == nil:
			going = append(going, p)
		default:
			stay = append(stay, p)
		}
	}
	causes := append(a.unfinished(health.Pods(a.r, stay, a.options)), a.inBetween(held)...)
	before := a.unfinished(health.Pods(a.r, going, a.options))
	if len(causes) == 0 && !explained {
		return before
	}
	return health.WithReplaced(causes, before)
}

// unfinished says of Pods whose readiness gate an update in place holds what that waits for.
func (a *assessor) unfinished(causes []decision.Cause) []decision.Cause {
	for i, c := range causes {
		if c.Evidence != "status.conditions["+kruise.InPlaceReady+"]" {
			continue
		}
		for _, p := range a.all {
			if why := inplace.Unfinished(p); p.Name == c.Object.Name && why != "" {
				causes[i] = a.options.Judge(decision.Cause{
					Object: c.Object, Reason: c.Reason, Label: notFinished, Briefs: []string{"update not finished"},
					Message: notFinished + ": " + why + "; " + c.Message, Since: c.Since, Evidence: c.Evidence, Pod: c.Pod, Next: c.Next,
				}, health.Class(c.Class), c.Began)
			}
		}
	}
	return causes
}

const notFinished = "update in place not finished"

// inBetween are Pods that are ready, and in a state of their lifecycle in which the
// controller does not count them as available.
func (a *assessor) inBetween(held map[string]bool) []decision.Cause {
	var causes []decision.Cause
	for _, m := range a.pods {
		if _, lacking := health.Pod(m.Pod, nil, a.options); lacking || held[m.Ref.Name] || m.Available || m.State == "" || m.State == kruise.Normal {
			continue
		}
		since := kruise.StateSince(m.Pod)
		label, message := "in state "+m.State, "ready, and not available while its lifecycle state is "+m.State
		if why := inplace.Unfinished(m.Pod); why != "" {
			label, message = notFinished, notFinished+": "+why+"; "+message
		}
		causes = append(causes, a.options.Judge(decision.Cause{
			Object: m.Ref, Reason: m.State, Label: label, Since: since, Evidence: "metadata.labels[" + kruise.StateLabel + "]",
			Message: message, Pod: health.ColumnsOf(m.Pod), Next: a.describe("pod", m.Ref.Name),
		}, health.Step, since))
	}
	return causes
}

func (a *assessor) describe(kind, name string) string {
	return fmt.Sprintf("kubectl describe %s %s -n %s", kind, name, a.set.GetNamespace())
}

// note says what a stable CloneSet leaves as it is.
func (a *assessor) note() string {
	partition := 0
	if r := a.d.Rollout; r != nil {
		partition = r.Partition
	}
	switch {
	case a.set.Spec.UpdateStrategy.Paused:
		return "it is paused"
	case a.set.Spec.UpdateStrategy.Type == api.OnDelete && a.n.Updated != nil && *a.n.Updated < a.n.Desired:
		return "with type OnDelete, Pods are updated when they are deleted"
	case partition > 0 && a.n.Updated != nil && *a.n.Updated < a.n.Desired:
		return fmt.Sprintf("partition %d is reached", partition)
	}
	return ""
}
