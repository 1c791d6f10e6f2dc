// Package job is a toy: a controller shaped like that of Jobs. It creates Pods
// until so many have succeeded, and shows what adding a controller takes.
package job

import (
	"fmt"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/controller"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/handlers"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/lease"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/whatif"
)

// The rules' IDs.
const (
	CreateUntilComplete = "CreateUntilComplete"
	JobComplete         = "JobComplete"
	JobSuspended        = "JobSuspended"
	NextOnEvent         = "NextOnEvent"
	NoExpectations      = "NoExpectations"
)

// replacesFailed is the gate of spec.podReplacementPolicy.
const replacesFailed = "JobPodReplacementPolicy"

// releases are what differs between releases of the toy.
var releases = profile.Releases{
	Gates:   []profile.Gate{{Name: replacesFailed, Since: 28, On: 29, Locked: 34}},
	Changes: []profile.Change{{Since: profile.V1(34, 0), What: "Jobs: the toy of 1.34"}},
}

const source = "pkg/controller/job/job_controller.go "

// Rules is the catalogue.
var Rules = decision.Catalogue{
	{ID: CreateUntilComplete, Title: "Pods are created until enough have succeeded", Source: source + "manageJob",
		Text: "As many Pods run at once as spec.parallelism says, but no more than are still to succeed.",
		Line: func(f decision.Facts) string {
			return fmt.Sprintf("%d of %d succeeded, %d active", f.Int("succeeded"), f.Int("completions"), f.Int("active"))
		}},
	{ID: JobComplete, Title: "Enough Pods have succeeded", Source: source + "syncJob", Text: "The Job is complete, and creates no more Pods.",
		Line: func(decision.Facts) string { return "never: the Job is complete" }},
	{ID: JobSuspended, Title: "A suspended Job has no active Pods", Source: source + "manageJob", Text: "With spec.suspend they are deleted, and none is created.",
		Line: func(f decision.Facts) string { return fmt.Sprintf("suspended, %d active", f.Int("active")) }},
	{ID: NextOnEvent, Title: "An event brings the next sync", Source: source + "updatePod", Text: "Changes of the Job and of its Pods queue it.",
		Line: func(decision.Facts) string { return "on the next change of the Job or its Pods" }},
	{ID: NoExpectations, Title: "The toy remembers nothing", Source: source + "syncJob", Text: "Each sync looks at the Pods afresh.",
		Line: func(decision.Facts) string { return "open: this controller keeps no expectations" }},
}

// Controller is the toy.
func Controller() controller.Controller {
	return controller.Controller{
		ID: "job", Kinds: []view.Kind{view.Jobs}, Rules: Rules, Decide: decide, Answer: answer,
		Releases: releases,
		Admit:    controller.Admission{Default: generateSelector, Validated: validated},
		Agent: &controller.Agent{
			Handle: handle, Watches: []view.Kind{view.Pods},
			Manager: "kube-controller-manager", Lease: lease.ControllerManager.Lease,
		},
	}
}

// generateSelector does what generateSelector of pkg/registry/batch/job/strategy.go does, with
// the name in place of the UID, which is made up here.
func generateSelector(obj, old metav1.Object) {
	job, ok := obj.(*batchv1.Job)
	if !ok || old != nil || ptr.Deref(job.Spec.ManualSelector, false) || job.Spec.Selector != nil {
		return
	}
	job.Spec.Selector = &metav1.LabelSelector{MatchLabels: map[string]string{batchv1.JobNameLabel: job.Name}}
	metav1.SetMetaDataLabel(&job.Spec.Template.ObjectMeta, batchv1.JobNameLabel, job.Name)
}

// validated mirrors a part of validateJobSpec (pkg/apis/batch/validation/validation.go).
func validated(obj metav1.Object) *whatif.Workload {
	job, ok := obj.(*batchv1.Job)
	if !ok {
		return nil
	}
	return &whatif.Workload{
		Selector: job.Spec.Selector, Template: &job.Spec.Template, Ends: true, Fixed: []string{"spec.selector", "spec.template"},
		Spec: func(v *whatif.Validation) { v.Least("spec.parallelism", ptr.Deref(job.Spec.Parallelism, 1)) },
	}
}

func handle(k view.Kind) handlers.Handle {
	pods := handlers.Dependents{Owner: k, Resolve: handlers.ByNameAndUID(k)}
	return func(c handlers.Cluster, _ profile.Profile, ev handlers.Event) []handlers.Effect {
		switch {
		case ev.Kind.Same(k):
			return handlers.Targets{}.Handle(ev)
		case ev.Kind.Same(view.Pods):
			return pods.Handle(c, ev)
		}
		return nil
	}
}

func decide(r *view.Reader, p profile.Profile, t view.Target) (*decision.Decision, error) {
	s, err := look(r, p, t)
	if err != nil {
		return nil, err
	}
	return s.decide(), nil
}

// sync is one of a Job.
type sync struct {
	r         *view.Reader
	profile   profile.Profile
	kind      view.Kind
	job       *batchv1.Job
	pods      []*corev1.Pod // its own, whatever became of them
	active    []*corev1.Pod
	succeeded int
}

// look reads what a sync goes by.
func look(r *view.Reader, p profile.Profile, t view.Target) (*sync, error) {
	need := view.Need{Kind: t.Kind, Namespace: t.Namespace, Name: t.Name, Detail: view.Full}
	job, found := view.Get[*batchv1.Job](r, need)
	if err := r.Err(need); err != nil {
		return nil, err
	}
	if !found {
		return nil, &view.NotFound{Target: t}
	}
	s := &sync{r: r, profile: p, kind: t.Kind, job: job}
	waits := p.On(replacesFailed) && ptr.Deref(job.Spec.PodReplacementPolicy, "") == batchv1.Failed
	for _, pod := range view.List[*corev1.Pod](r, view.Need{Kind: view.Pods, Namespace: t.Namespace, Detail: view.Full}, nil) {
		if !metav1.IsControlledBy(pod, job) {
			continue
		}
		s.pods = append(s.pods, pod)
		switch {
		case pod.Status.Phase == corev1.PodSucceeded:
			s.succeeded++
		case pod.Status.Phase != corev1.PodFailed && (waits || pod.DeletionTimestamp == nil):
			s.active = append(s.active, pod)
		}
	}
	return s, nil
}

func (s *sync) completions() int { return int(ptr.Deref(s.job.Spec.Completions, 1)) }

// wanted is how many Pods are to run at once.
func (s *sync) wanted() int {
	if ptr.Deref(s.job.Spec.Suspend, false) {
		return 0
	}
	return max(0, min(int(ptr.Deref(s.job.Spec.Parallelism, 1)), s.completions()-s.succeeded))
}

func (s *sync) decide() *decision.Decision {
	d := &decision.Decision{
		Target: ownership.RefTo(s.kind, s.job), AsOf: s.r.Now(),
		Modelled: decision.Modelled{Controller: "Job controller", Version: s.profile.Kubernetes.String(), Basis: s.profile.Basis, Gates: s.profile.Of(releases.Gates), GatesBasis: s.profile.GatesBasis},
		Gate:     decision.Gate{Open: true, Basis: "computed", Ruling: decision.Ruled(NoExpectations)},
		NextSync: decision.Ruled(NextOnEvent),
	}
	if s.succeeded >= s.completions() {
		d.NextSync = decision.Ruled(JobComplete)
		return d
	}
	facts := []decision.Fact{decision.F("succeeded", s.succeeded), decision.F("completions", s.completions()), decision.F("active", len(s.active))}
	if n := s.wanted() - len(s.active); n > 0 {
		d.Actions = []decision.Action{{
			Verb: decision.Create, Count: n, Certainty: decision.Certain,
			Object: decision.Ref{APIVersion: "v1", Kind: "Pod", Namespace: s.job.Namespace, Name: s.job.Name + "-…"},
			Ruling: decision.Ruled(CreateUntilComplete, facts...),
		}}
	}
	if ptr.Deref(s.job.Spec.Suspend, false) {
		for _, pod := range s.active {
			d.Actions = append(d.Actions, decision.Action{
				Verb: decision.Delete, Count: 1, Certainty: decision.Certain, Object: ownership.RefTo(view.Pods, pod), Ruling: decision.Ruled(JobSuspended, facts...),
			})
		}
	}
	d.Summarize()
	return d
}

func answer(d *decision.Decision) string {
	switch {
	case d.Summary.Create > 0:
		return fmt.Sprintf("%s will create %d of its Pods: %s.", d.Target, d.Summary.Create, d.Actions[0].Message)
	case d.Pending:
		return fmt.Sprintf("%s %s delete %d of its Pods: %s.", d.Target, format.Would(len(d.WhatIf) > 0), d.Summary.Delete(), d.Actions[0].Message)
	}
	return fmt.Sprintf("%s has nothing to do; next sync %s.", d.Target, d.NextSync.Message)
}
