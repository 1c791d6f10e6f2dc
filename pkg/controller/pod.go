package controller

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/health"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/whatif"
)

// Pod reports on one Pod: why it is not available, who controls and counts it, and
// at how many replicas it is deleted.
func (all Registry) Pod(v *view.View, prof profile.Profile, t Target) (_ *decision.PodReport, _ []*view.Reader, err error) {
	defer Caught(t, &err)
	p := &podReport{all: all, v: v, profile: prof, r: v.LookedAtClosely().Reader()}
	p.used = []*view.Reader{p.r}
	need := view.Need{Kind: view.Pods, Namespace: t.Namespace, Name: t.Name, Detail: view.Full}
	pod, found := view.Get[*corev1.Pod](p.r, need)
	switch err := p.r.Err(need); {
	case err != nil:
		return nil, p.used, err
	case !found:
		return nil, p.used, &view.NotFound{Target: t}
	}
	p.pod = pod
	p.out = &decision.PodReport{Target: decision.Ref{APIVersion: "v1", Kind: t.Kind.Kind, Namespace: t.Namespace, Name: t.Name, UID: string(pod.UID)}, AsOf: v.Now()}
	if p.climb(); len(p.out.Owners) == 0 && pod.DeletionTimestamp == nil {
		p.absentOwner()
	}
	if err := p.decide(); err != nil {
		return nil, p.used, err
	}
	p.settle()
	for _, c := range p.out.Caveats {
		p.out.Partial = p.out.Partial || c.Partial
	}
	return p.out, p.used, nil
}

// podReport is a report in the making.
type podReport struct {
	all     Registry
	v       *view.View
	profile profile.Profile
	r       *view.Reader
	used    []*view.Reader
	pod     *corev1.Pod
	// chain are the modelled controllers above it, the one that counts it first.
	chain []link
	// orphan: it has no controller, and chain is of the one that may adopt it. adopters names
	// those that may where that is another one, or not the only one.
	orphan   bool
	adopters string
	// orphaner is its controller, where that is being deleted and lets it stay.
	orphaner string
	// alike are controllers that make Pods of its name, of one that none adopts.
	alike []decision.Ref
	// cause is what its controller knows of why it is not available.
	cause *decision.Cause
	// holds is what of it holds its controller up, such as an update of its own.
	holds *decision.Cause
	// above says who adopts the top of its chain, and to how many replicas that scales it, if
	// rescaled.
	above    string
	rescaled bool
	// below is what is decided about its controller, nil where that is not known.
	below *decision.Decision
	// collected: the garbage collector deletes it. unknown: whether its controller
	// exists was not read.
	collected, unknown bool
	// once is what its controllers wait for to do anything at all, empty for nothing.
	once string
	// ranked: its controllers choose by an order which Pods a scale-down deletes.
	ranked bool
	out    *decision.PodReport
}

// link is an object with the controller that decides it.
type link struct {
	controller Controller
	Target
	obj metav1.Object
}

// decide asks the controllers of the chain.
func (p *podReport) decide() error {
	if len(p.chain) == 0 {
		return p.holdsName()
	}
	r := p.v.Reader()
	p.used = append(p.used, r)
	d, err := p.chain[0].controller.Run(r, p.profile, p.chain[0].Target, nil)
	if err != nil || r.Provisional() {
		return err
	}
	for i := range d.Claims {
		if c := &d.Claims[i]; c.Object.Name == p.pod.Name {
			p.out.Claim = c
		}
	}
	if p.orphan && !p.claimed(decision.ToAdopt) {
		p.left()
		return nil
	}
	p.out.Modelled, p.out.Revision = d.Modelled, d.RevisionOf(p.pod.Labels[appsv1.ControllerRevisionHashLabelKey])
	p.warn(d, "")
	if p.collected {
		return nil
	}
	for _, c := range d.Causes() {
		switch {
		case c.Object.Kind != view.Pods.Kind || c.Object.Name != p.pod.Name:
		case c.Pod != nil:
			p.cause = &c
		case c.Next != "":
			p.holds = &c
		}
	}
	p.below = d
	top := p.chain[len(p.chain)-1]
	if by, n, scaled := top.controller.adopted(r, p.profile, top.Target); n > 1 || scaled != "" {
		p.above, p.rescaled = fmt.Sprintf("%s adopts %s%s", format.OneOf(names(by), n), top.ref(), scaled), scaled != ""
	}
	if !p.counted() || p.pod.DeletionTimestamp != nil || d.Replicas == nil || !top.controller.Knows(whatif.Replicas) {
		return nil
	}
	return p.deletion(top, d)
}

// warn adds the caveats of a decision that have a code, all where it is empty.
func (p *podReport) warn(d *decision.Decision, code string) {
	for _, c := range d.Caveats {
		if (code == "" || code == c.Code) && !c.In(p.out.Caveats) {
			p.out.Caveats = append(p.out.Caveats, c)
		}
	}
}

// replacement says what stands for a Pod that has ended: the one that its controller has
// created since, or so many others. It is empty where the controller counts the Pod.
func (p *podReport) replacement() string {
	d := p.below
	ended := view.Ended(p.pod) && p.pod.DeletionTimestamp == nil && p.cause != nil
	if !ended || d == nil || d.Replicas == nil || p.counted() || d.FateOf(p.out.Target).Fate != decision.Safe {
		return ""
	}
	var since []string
	for _, other := range p.r.ControlledBy(p.siblings(), p.chain[0].obj.GetUID()) {
		if !p.cause.Since.IsZero() && !other.GetCreationTimestamp().Time.Before(p.cause.Since) {
			since = append(since, other.GetName())
		}
	}
	if len(since) == 1 {
		return "replaced by " + since[0]
	}
	return fmt.Sprintf("%s has %d of %s without it", p.chain[0].ref(), d.Replicas.Current, format.Plural(d.Replicas.Desired, "Pod"))
}

// over is the state of a Pod that does not block by its cause, and what stands for it: one that
// has ended and of which its controller has others, creates them, or deletes it next, or one that
// is deleted without any change. It is empty for another one.
func (p *podReport) over() (state decision.State, instead string) {
	if p.pod.DeletionTimestamp != nil || p.cause == nil || !view.Ended(p.pod) && !p.doomed() {
		return "", ""
	}
	if view.Ended(p.pod) {
		instead = p.replacement()
	}
	switch {
	case instead != "" && p.below.Replicas.Current < p.below.Replicas.Desired:
		return decision.StateProgressing, instead
	case instead != "":
		return decision.StateStable, instead
	}
	if instead = p.leaves(); instead != "" {
		return decision.StateReconciling, instead
	}
	return "", ""
}

// doomed reports whether the Pod is deleted without any change: by the next sync of its
// controller, or once the owner of that one has scaled it down.
func (p *podReport) doomed() bool {
	if p.below == nil || p.out.Deletion == nil || p.out.Deletion.Now != decision.Doomed || p.once != "" {
		return false
	}
	return len(p.chain) > 1 || slices.ContainsFunc(p.below.Actions, func(a decision.Action) bool {
		return a.Verb == decision.Delete && a.Object.Name == p.pod.Name
	})
}

// add files the cause, which does not block a Pod that is over.
func (p *podReport) add(s *decision.Standing, over decision.State) {
	c := *p.cause
	if over != "" {
		c.Blocked, c.BlockedAt = false, time.Time{}
	}
	s.Add(c)
}

// counted reports whether its controller counts the Pod, or will.
func (p *podReport) counted() bool {
	return p.claimed(decision.Owned) || p.claimed(decision.ToAdopt)
}

func (p *podReport) claimed(as decision.ClaimDecision) bool {
	return p.out.Claim != nil && p.out.Claim.Decision == as
}

// next is the command that shows more: about the cause, about how to keep it, or about
// who may adopt it.
func (p *podReport) next() string {
	in := " -n " + p.pod.Namespace
	switch d := p.out.Deletion; {
	case p.holds != nil:
		return p.holds.Next
	case p.cause != nil && !p.collected:
		return cmp.Or(p.cause.Next, "kubectl describe pod "+p.pod.Name+in)
	case len(p.out.Owners) == 0 || p.orphan || p.claimed(decision.ToRelease):
		return "kubectl ctrl orphans pods" + in
	case d != nil && d.Scaled.Name != "" && (d.Replaced || d.Now != decision.Safe):
		return fmt.Sprintf("kubectl ctrl explain %s%s", d.Scaled, in)
	case p.above != "":
		return fmt.Sprintf("kubectl ctrl explain %s%s", p.chain[len(p.chain)-1].ref(), in)
	case d != nil && d.PossibleAt != nil && !p.ranked: // no choice could spare it
		return fmt.Sprintf("kubectl ctrl plan %s --replicas %d%s", d.Scaled, *d.PossibleAt, in)
	case d != nil && d.PossibleAt != nil:
		return fmt.Sprintf("kubectl ctrl plan %s --replicas %d --keep %s%s", d.Scaled, *d.PossibleAt, p.pod.Name, in)
	}
	return "kubectl ctrl owners " + p.out.Target.String() + in
}

// find looks for why the Pod is not available where no controller knows it.
func (p *podReport) find() {
	o := health.Options{Now: p.r.Now()}
	switch {
	case p.cause != nil:
	case p.completed():
	case view.Ended(p.pod) && p.pod.DeletionTimestamp == nil:
		c, _ := health.Pod(p.pod, nil, o)
		p.cause = &c
	default:
		for _, c := range health.Pods(p.r, []*corev1.Pod{p.pod}, o) {
			p.cause = &c
		}
	}
}

// leaves says that the Pod is deleted without any change; empty for one that is not.
func (p *podReport) leaves() string {
	switch d := p.out.Deletion; {
	case d == nil || d.Scaled.Name == "":
		return ""
	case d.Replaced:
		return "the rollout of " + d.Scaled.String() + " replaces it" + p.once
	case d.Now == decision.Doomed:
		return d.Scaled.String() + " deletes it" + p.once
	case d.Now == decision.AtRisk:
		return d.Scaled.String() + " may delete it" + p.once
	}
	return ""
}

// completed reports whether the Pod ran to its end as it is meant to, such as that of a
// Job. Controllers that want their Pods available want them restarted always.
func (p *podReport) completed() bool {
	if p.pod.Status.Phase != corev1.PodSucceeded || p.pod.DeletionTimestamp != nil || len(p.chain) > 0 {
		return false
	}
	ends := p.pod.Spec.RestartPolicy == corev1.RestartPolicyNever || p.pod.Spec.RestartPolicy == corev1.RestartPolicyOnFailure
	owners := p.out.Owners
	return ends || len(owners) > 0 && owners[len(owners)-1].Kind == "Job"
}

// homeless says of a Pod that its node does not exist, and what that comes to.
func (p *podReport) homeless() {
	message, certain := health.OfAbsentNode(p.r, p.pod)
	switch {
	case message == "" || p.cause != nil:
	case certain:
		p.cause, p.collected = &decision.Cause{
			Object: p.out.Target, Reason: "NodeNotReady", Label: "its node does not exist: the Pod garbage collector deletes it", Message: message, Evidence: "spec.nodeName",
		}, true
		p.out.Deletion = &decision.PodDeletion{Now: decision.Doomed, Message: message}
	default:
		p.out.Caveats = append(p.out.Caveats, decision.Caveat{Code: "NodeLacking", Message: message})
	}
}

// settle draws the state and the first line.
func (p *podReport) settle() {
	p.find()
	p.homeless()
	p.out.TaintEviction = health.Eviction(p.r, p.pod)
	s := decision.Standing{State: decision.StateStable, Next: p.next()}
	adoption := p.adoption()
	over, instead := p.over()
	switch c := p.cause; {
	case adoption != "" && !p.collected:
		s.State = decision.StateReconciling
	case c == nil && p.unknown:
		s.State = decision.StateUnknown
	case c == nil:
		if s.Cause = p.leaves(); s.Cause != "" {
			s.State = decision.StateReconciling
		}
	case p.pod.DeletionTimestamp != nil:
		s.State = decision.StateTerminating
	case p.collected:
		s.State = decision.StateReconciling
	case over != "":
		s.State = over
	case c.Blocked:
		s.State = decision.StateBlocked
	default:
		s.State = decision.StateProgressing
	}
	if c := p.cause; c != nil {
		s.Cause, s.Since = c.Alone(), c.Since.UTC()
		p.add(&s, over)
	}
	if c := p.holds; c != nil {
		s.Add(*c)
		s.Cause = strings.TrimPrefix(s.Cause+"; "+strings.TrimPrefix(c.Shortest(), p.pod.Name+" "), "; ")
	}
	if instead != "" {
		s.Cause += "; " + instead
	}
	if p.above != "" {
		s.Cause = strings.TrimPrefix(s.Cause+"; "+p.above, "; ")
		if s.State == decision.StateStable && p.rescaled {
			s.State = decision.StateReconciling
		}
	}
	switch {
	case adoption != "" && s.Cause != "":
		s.Cause = adoption + "; " + s.Cause
	case adoption != "":
		s.Cause = adoption
	}
	if with := emptied(p.r, Target{Kind: view.Pods, Namespace: p.pod.Namespace, Name: p.pod.Name}, nil); with != nil {
		s.Add(*with)
		if p.pod.DeletionTimestamp == nil && p.cause == nil {
			p.out.Deletion, s.Next = &decision.PodDeletion{Now: decision.Doomed, Message: with.Label}, with.Next
		}
		if s.Cause = strings.TrimPrefix(s.Cause+"; "+with.Label, "; "); s.State == decision.StateStable {
			s.State, s.Since = decision.StateReconciling, with.Since.UTC()
		}
	}
	s.Headline = p.out.Target.String() + " in " + p.pod.Namespace + ": " + strings.ToLower(string(s.State))
	if len(p.pod.Status.ContainerStatuses) > 0 {
		s.Headline += ", " + health.Ready(p.pod) + " containers ready"
	}
	switch {
	case s.Cause != "":
		s.Headline += "; " + s.Cause
	case p.completed():
		s.Headline += "; completed"
	}
	s.Headline += "."
	p.out.Standing, p.out.Adopters = s, p.adopters
}
