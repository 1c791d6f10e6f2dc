package controller

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/health"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/whatif"
)

// Pod reports on one Pod: why it is not available, who controls and counts it, and
// at how many replicas it is deleted.
func (all Registry) Pod(v *view.View, prof profile.Profile, t Target) (_ *decision.PodReport, _ []*view.Reader, err error) {
	defer Caught(t, &err)
	p := &podReport{all: all, v: v, profile: prof, r: v.Reader()}
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
	p.climb()
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
	// cause is what its controller knows of why it is not available.
	cause *decision.Cause
	out   *decision.PodReport
}

// link is an object with the controller that decides it.
type link struct {
	Controller
	Target
	obj metav1.Object
}

// climb follows the controllers above the Pod, as long as each scales the one below.
func (p *podReport) climb() {
	ref := metav1.GetControllerOfNoCopy(p.pod)
	for ref != nil {
		owner := decision.Ref{APIVersion: ref.APIVersion, Kind: ref.Kind, Namespace: p.pod.Namespace, Name: ref.Name, UID: string(ref.UID)}
		p.out.Owners = append([]decision.Ref{owner}, p.out.Owners...)
		c, k, modelled := p.all.ForRef(owner)
		if !modelled {
			return
		}
		need := view.Need{Kind: k, Namespace: p.pod.Namespace, Name: ref.Name, Detail: view.Full, Without: "what its controller makes of the Pod is not known"}
		obj, found := view.Get[metav1.Object](p.r, need)
		scales := len(p.chain) == 0 || slices.ContainsFunc(c.Scales, func(below view.Kind) bool { return below.GroupKind() == p.chain[len(p.chain)-1].Kind.GroupKind() })
		if !found || obj.GetUID() != ref.UID {
			p.lost(owner, k, p.r.Err(need), found)
			return
		}
		if !scales {
			return
		}
		p.chain = append(p.chain, link{c, Target{Kind: k, Namespace: p.pod.Namespace, Name: ref.Name}, obj})
		ref = metav1.GetControllerOfNoCopy(obj)
	}
}

// lost says what is not there of the chain: nothing is known of what counts the Pod,
// or the garbage collector deletes it.
func (p *podReport) lost(owner decision.Ref, k view.Kind, err error, found bool) {
	c := decision.Caveat{Code: "OwnerAbsent", Message: fmt.Sprintf("%s does not exist any more: the garbage collector deletes what refers to it", owner)}
	switch {
	case err != nil:
		c = decision.Caveat{Code: "OwnerNotRead", Partial: true, Message: fmt.Sprintf("what %s makes of the Pod is not known: %v", owner, err)}
	case found:
		c = decision.Caveat{Code: "OwnerReplaced", Message: fmt.Sprintf("%s is another one of the same name, with another UID: the garbage collector deletes what refers to the one before", owner)}
	case !p.r.Vouches(k):
		c = decision.Caveat{Code: "OwnerNotRead", Partial: true, Message: fmt.Sprintf("%s is not in the input: what it makes of the Pod is not known", owner)}
	}
	p.out.Caveats = append(p.out.Caveats, c)
}

// decide asks the controllers of the chain.
func (p *podReport) decide() error {
	if len(p.chain) == 0 {
		return nil
	}
	r := p.v.Reader()
	p.used = append(p.used, r)
	d, err := p.chain[0].Run(r, p.profile, p.chain[0].Target, nil)
	if err != nil || r.Provisional() {
		return err
	}
	p.out.Modelled, p.out.Caveats = d.Modelled, append(p.out.Caveats, d.Caveats...)
	for i := range d.Claims {
		if c := &d.Claims[i]; c.Object.Name == p.pod.Name {
			p.out.Claim = c
		}
	}
	for _, c := range slices.Concat(d.BlockedBy, d.WaitingFor) {
		if c.Pod != nil && c.Object.Name == p.pod.Name {
			p.cause = &c
		}
	}
	top := p.chain[len(p.chain)-1]
	if !p.counted() || d.Replicas == nil || !top.Knows(whatif.Replicas) {
		return nil
	}
	return p.deletion(top, d)
}

// counted reports whether its controller counts the Pod, or will.
func (p *podReport) counted() bool {
	c := p.out.Claim
	return c != nil && (c.Hold == decision.Owned || c.Hold == decision.ToAdopt)
}

// next is the command that shows more: about the Pod, about how to keep it, or about
// who may adopt it.
func (p *podReport) next() string {
	in := " -n " + p.pod.Namespace
	switch d := p.out.Deletion; {
	case p.cause != nil:
		return "kubectl describe pod " + p.pod.Name + in
	case len(p.out.Owners) == 0:
		return "kubectl ctrl orphans pods" + in
	case d != nil && d.PossibleAt != nil:
		return fmt.Sprintf("kubectl ctrl plan %s --replicas %d --keep %s%s", d.Scaled, *d.PossibleAt, p.pod.Name, in)
	}
	return "kubectl ctrl owners " + p.out.Target.String() + in
}

// find looks for why the Pod is not available where no controller knows it.
func (p *podReport) find() {
	o := health.Options{Now: p.r.Now()}
	ended := p.pod.Status.Phase == corev1.PodFailed || p.pod.Status.Phase == corev1.PodSucceeded
	switch {
	case p.cause != nil:
	case ended || p.pod.DeletionTimestamp != nil:
		c, _ := health.Pod(p.pod, nil, o)
		p.cause = &c
	default:
		for _, c := range health.Pods(p.r, []*corev1.Pod{p.pod}, o) {
			p.cause = &c
		}
	}
}

// settle draws the state and the first line.
func (p *podReport) settle() {
	p.find()
	s := decision.Standing{State: decision.StateStable, Next: p.next()}
	switch c := p.cause; {
	case c == nil:
	case p.pod.DeletionTimestamp != nil:
		s.State = decision.StateTerminating
	case c.Blocked:
		s.State = decision.StateBlocked
	default:
		s.State = decision.StateProgressing
	}
	if c := p.cause; c != nil {
		s.Cause, s.Since = c.Label, c.Since
		if c.Blocked {
			s.BlockedBy = []decision.Cause{*c}
		} else {
			s.WaitingFor = []decision.Cause{*c}
		}
	}
	s.Headline = p.out.Target.String() + " in " + p.pod.Namespace + ": " + strings.ToLower(string(s.State))
	if len(p.pod.Status.ContainerStatuses) > 0 {
		s.Headline += ", " + health.Ready(p.pod) + " containers ready"
	}
	if s.Cause != "" {
		s.Headline += "; " + s.Cause
	}
	s.Headline += "."
	p.out.Standing = s
}
