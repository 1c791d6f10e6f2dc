package job

import (
	"fmt"

	batchv1 "k8s.io/api/batch/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/controller"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/health"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/inference"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/lease"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/simulate"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/whatif"
)

// Whole is the toy with all that a controller may offer.
func Whole() controller.Controller {
	c := Controller()
	c.Step, c.Assess, c.Subject = step, assess, subject
	c.WhatIf = &controller.WhatIf{Fields: []string{whatif.Paused}, Change: change}
	return c
}

// change suspends or resumes a Job.
func change(obj metav1.Object, f whatif.Fields) (metav1.Object, []decision.Change, error) {
	job, ok := obj.(*batchv1.Job)
	if !ok || f.Paused == nil {
		return obj, nil, nil
	}
	from := ptr.Deref(job.Spec.Suspend, false)
	if from == *f.Paused {
		return obj, nil, nil
	}
	job = job.DeepCopy()
	job.Spec.Suspend = f.Paused
	job.Generation++
	return job, []decision.Change{{Object: ownership.RefTo(view.Jobs, job), Path: "spec.suspend", From: fmt.Sprint(from), To: fmt.Sprint(*f.Paused)}}, nil
}

// step decides, and brings the requests together with the actions that name them.
func step(r *view.Reader, p profile.Profile, t view.Target) (*simulate.Sync, error) {
	s, err := look(r, p, t)
	if err != nil {
		return nil, err
	}
	d, log := s.decide(), &cluster.Log{}
	for i := range d.Actions {
		d.Actions[i].Write = log.Add(s.write(&d.Actions[i]))
	}
	return &simulate.Sync{
		Decision: d, Wanted: s.wanted(), Pods: s.standing(), Terminating: s.terminating(), Writes: *log,
		Begin:    func(m *cluster.Model) { cluster.BeginPods(m, s.pods, nil) },
		StartUps: s.startUps,
		Beyond:   s.beyond,
		Say:      func(r decision.Ruling) string { return Rules.Say(r.Rule, r.Facts) },
	}, nil
}

// beyond: that Pods succeed is not simulated.
func (s *sync) beyond() string {
	if s.wanted() == 0 {
		return ""
	}
	return "when its Pods succeed"
}

func (s *sync) write(a *decision.Action) cluster.Write {
	if a.Verb == decision.Delete {
		return cluster.Write{Verb: cluster.Delete, Kind: view.Pods, Namespace: a.Object.Namespace, Name: a.Object.Name}
	}
	owner := *metav1.NewControllerRef(s.job, s.kind.GroupVersionKind)
	return cluster.Write{
		Verb: cluster.Create, Kind: view.Pods, Namespace: s.job.Namespace, Name: s.job.Name + "-", Generate: true, Count: a.Count,
		Object: cluster.PodOf(s.job.Namespace, s.job.Name+"-", &s.job.Spec.Template, owner),
	}
}

func (s *sync) standing() (all []simulate.Pod) {
	for _, p := range s.active {
		if p.DeletionTimestamp == nil {
			ready, _ := view.Readiness(p)
			all = append(all, simulate.Pod{Name: p.Name, Ready: ready, Available: ready})
		}
	}
	return all
}

func (s *sync) startUps() (seen []simulate.StartUp) {
	for _, p := range s.active {
		if took, ok := cluster.PodStartUp(p); ok {
			seen = append(seen, simulate.StartUp{Took: took})
		}
	}
	return seen
}

func (s *sync) terminating() (n int) {
	for _, p := range s.pods {
		if p.DeletionTimestamp != nil {
			n++
		}
	}
	return n
}

func assess(r *view.Reader, p profile.Profile, t view.Target, _ *decision.Decision) health.Assessment {
	s, err := look(r, p, t)
	if err != nil {
		return health.Unassessed()
	}
	o := health.Options{Now: r.Now()}
	return health.Assessment{
		Deleting: s.job.DeletionTimestamp != nil, Replicas: health.Count(s.pods, s.wanted(), o), Causes: health.Pods(r, s.pods, o),
	}
}

// subject is what is asked about what the real controller waits for.
func subject(r *view.Reader, p profile.Profile, t view.Target) (*inference.Subject, error) {
	s, err := look(r, p, t)
	if err != nil {
		return nil, err
	}
	of := &inference.Subject{
		Target: ownership.RefTo(t.Kind, s.job), Kind: t.Kind, Object: s.job, Wanted: s.wanted(), Active: len(s.active), Observed: s.job.Generation,
		Controller: inference.Controller{
			Name: "Job controller", Program: lease.ControllerManager, Unelected: p.Unelected, Refused: "FailedCreate",
			Events: map[string]inference.Event{
				"SuccessfulCreate": {Verb: decision.Create, Before: "Created pod: "},
				"SuccessfulDelete": {Verb: decision.Delete, Before: "Deleted pod: "},
			},
		},
		Counts: []inference.Count{{Field: "active", Stored: int(s.job.Status.Active), Actual: len(s.active)}},
	}
	for _, p := range s.pods {
		of.Pods = append(of.Pods, p)
	}
	return of, nil
}
