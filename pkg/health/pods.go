package health

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// fewPods is up to how many Pods are asked for their own events: beyond it, those
// of all Pods of the namespace are one read.
const fewPods = 3

// Pods returns why Pods are not available, the most frequent causes first. Pods that
// have ended are left out: their controller counts and keeps them no longer. Those
// that are being deleted are among the causes, also when they have ended. Events are read only for
// Pods that are not available, and of those that are being deleted once they are overdue.
func Pods(r *view.Reader, pods []*corev1.Pod, o Options) []decision.Cause {
	lacking := make([]*corev1.Pod, 0, len(pods))
	starting, overdue := 0, 0
	for _, p := range pods {
		if view.Ended(p) && p.DeletionTimestamp == nil || o.available(p) && !o.Restarts(p) {
			continue
		}
		lacking = append(lacking, p)
		switch {
		case p.DeletionTimestamp == nil:
			starting++
		case o.pastGrace(p):
			overdue++
		}
	}
	if len(lacking) == 0 {
		return slices.DeleteFunc(o.failed(pods), func(c decision.Cause) bool { return !c.Stops })
	}
	read := o.eventsOf(r, lacking, starting+overdue)
	o.node, o.startNode = nodes(r), moreNodes(r, starting)
	o.claimEvent, o.attached = claimEvents(r, pods[0].Namespace), attachments(r)
	o.selected = selected(r, pods[0].Namespace, starting)
	o.pinned, o.tainted, o.untolerated = pinned(r, pods[0].Namespace), taintedNodes(r), untolerated(r)
	o.vacated, o.unmoved = vacated(r, pods[0].Namespace, pods, o)
	o.runOn, o.idle, o.preempted = runningOn(pods), o.idleScheduler(r, pods), preemptions(r, lacking)
	o.usedBy = func(claim string) string { return userOf(r, pods[0].Namespace, claim, "") }
	all := make([]decision.Cause, 0, len(lacking))
	for _, p := range lacking {
		if c, ok := Pod(p, read(p), o); ok {
			all = append(all, c)
		} else {
			all = append(all, flapping(p, read(p), o))
		}
	}
	onOneNode(all, lacking, pods, &o)
	Sort(all)
	return append(all, o.failed(pods)...)
}

// Count counts Pods of a target that wants so many: those that have not ended and
// are not being deleted.
func Count(pods []*corev1.Pod, desired int, o Options) *decision.Replicas {
	n := &decision.Replicas{Desired: desired}
	for _, p := range pods {
		if view.Ended(p) || p.DeletionTimestamp != nil {
			continue
		}
		n.Current++
		if o.ready(p) {
			n.Ready++
		}
		if o.available(p) {
			n.Available++
		}
	}
	return n
}

// terminating counts the Pods that are being deleted and have not ended yet.
func terminating(pods []*corev1.Pod) int {
	n := 0
	for _, p := range pods {
		if !view.Ended(p) && p.DeletionTimestamp != nil {
			n++
		}
	}
	return n
}

// pastGrace reports whether a Pod is being deleted for longer than it was given.
func (o Options) pastGrace(p *corev1.Pod) bool {
	return p.DeletionTimestamp != nil && p.DeletionTimestamp.Time.Before(o.Now)
}

// eventsOf reads the events of the Pods, but for those that are still given time to end. asked
// is how many the others are.
func (o Options) eventsOf(r *view.Reader, pods []*corev1.Pod, asked int) func(*corev1.Pod) []*corev1.Event {
	need := view.Need{
		Kind: view.Events, Namespace: pods[0].Namespace, Fields: "involvedObject.kind=Pod",
		IfMissing: "why Pods are not available is known from their status alone", Explains: true,
	}
	if asked > fewPods {
		byPod := map[string][]*corev1.Event{}
		for _, e := range view.List[*corev1.Event](r, need, nil) {
			byPod[string(e.InvolvedObject.UID)] = append(byPod[string(e.InvolvedObject.UID)], e)
		}
		return func(p *corev1.Pod) []*corev1.Event { return byPod[string(p.UID)] }
	}
	return func(p *corev1.Pod) []*corev1.Event {
		if p.DeletionTimestamp != nil && !o.pastGrace(p) {
			return nil
		}
		own := need
		own.Fields += ",involvedObject.name=" + p.Name
		return view.List[*corev1.Event](r, own, nil)
	}
}

// rank orders causes by what has to be changed first.
type rank int

const (
	// rootRank is a node that is not ready: what lacks on others may follow from it.
	rootRank rank = iota
	// causeRank is what says what to change.
	causeRank
	// symptomRank is what only lasts: a Pod that is not ready, or a deadline.
	symptomRank
	// deletionRank is of Pods that are being deleted: their like is not what lacks. What else is
	// being deleted may be.
	deletionRank
	// silentRank is what follows from others, and is left out without a word.
	silentRank
)

// symptoms are the classes that don't say what to change.
var symptoms = []Class{Step, MinReady, Queued, Deadline}

//go:noinline // it is called at many places
func rankOf(c decision.Cause) rank {
	switch class := Class(c.Class); {
	case c.Root:
		return rootRank
	case class == Deletion && c.Pod != nil:
		return deletionRank
	case c.Follows || slices.Contains(symptoms, class):
		return symptomRank
	}
	return causeRank
}

// Sort orders causes of Pods by what has to be changed first, then the most frequent label
// first, then the oldest.
func Sort(causes []decision.Cause) {
	type group struct {
		n     int
		since time.Time
	}
	groups := map[string]group{}
	for _, c := range causes {
		g := groups[c.Label]
		if g.n++; g.n == 1 || c.Since.Before(g.since) {
			g.since = c.Since
		}
		groups[c.Label] = g
	}
	sort.SliceStable(causes, func(i, j int) bool {
		a, b := &causes[i], &causes[j]
		ga, gb := groups[a.Label], groups[b.Label]
		return cmp.Or(
			cmp.Compare(rankOf(*a), rankOf(*b)), cmp.Compare(gb.n, ga.n), ga.since.Compare(gb.since), cmp.Compare(a.Label, b.Label),
			a.Since.Compare(b.Since), cmp.Compare(a.Object.Name, b.Object.Name),
		) < 0
	})
}

// Whole is the command that shows an object with its finalizers, which kubectl describe
// leaves out for most kinds.
//
//go:noinline // it is called at many places
func Whole(kind, namespace, name string) string {
	return fmt.Sprintf("kubectl get %s %s -n %s -o yaml", kind, name, namespace)
}

// describe is the command that shows one object with its events.
func describe(kind, namespace, name string) string {
	command := fmt.Sprintf("kubectl describe %s %s", kind, name)
	if namespace != "" {
		command += " -n " + namespace
	}
	return command
}
