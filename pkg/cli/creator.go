package cli

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/admission"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// creator is an object of manifests for which others are created.
type creator struct {
	// by is its name as messages have it.
	by string
	form
}

// form is what all workloads have in common, as far as they have it.
type form struct {
	Metadata metav1.ObjectMeta `json:"metadata"`
	Spec     struct {
		corev1.PodSpec
		Replicas    *int64                  `json:"replicas"`
		Parallelism *int64                  `json:"parallelism"`
		Template    *corev1.PodTemplateSpec `json:"template"`
	} `json:"spec"`
}

// pods are Pods of its template.
func (c creator) pods(n int64) view.Demand {
	d := view.Demand{By: c.by, Resource: groupResource(view.Pods), Count: n, Pod: &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: c.Metadata.Namespace}}}
	if t := c.Spec.Template; t != nil {
		d.Pod.Labels, d.Pod.Spec = t.Labels, t.Spec
	}
	return d
}

func groupResource(k view.Kind) schema.GroupResource { return k.GVR().GroupResource() }

// planned are the creations of a plan: those of the next sync and of what follows at once,
// or, of Pods, by how many more all its rounds come to than they delete. Of Pods that it only
// deletes, or deletes before it creates others, the count is negative.
func (c creator) planned(d *decision.Decision) []view.Demand {
	counts, gone := map[string]int64{}, int64(0)
	count := func(actions []decision.Action) {
		for _, a := range actions {
			switch {
			case a.Verb == decision.Create:
				counts[a.Object.Kind] += int64(a.Count)
			case a.Deletes() && a.Object.Kind == view.Pods.Kind:
				gone += int64(a.Count)
			}
		}
	}
	count(d.Actions)
	for _, e := range d.Follows {
		count(e.Actions)
	}
	if d.Timeline != nil {
		all := d.Timeline.Totals
		counts[view.Pods.Kind] = max(counts[view.Pods.Kind], int64(all.Create-max(all.Delete, all.Recreate)))
		if gone = int64(all.Delete - all.Create); gone == 0 {
			gone = int64(all.Delete) // which others may come before its own
		}
	}
	if counts[view.Pods.Kind] == 0 && gone > 0 {
		counts[view.Pods.Kind] = -gone
	}
	var demands []view.Demand
	for _, k := range view.Kinds() {
		switch n := counts[k.Kind]; {
		case n == 0:
		case k.Same(view.Pods):
			demands = append(demands, c.pods(n))
		default:
			demands = append(demands, view.Demand{By: c.by, Resource: groupResource(k), Count: n})
		}
	}
	return demands
}

// unplanned are the Pods that are created for an object of which no controller is modelled,
// and which the manifests change: at most all of them, which may be any number.
func (c creator) unplanned(k view.Kind, changes []decision.Change) []view.Demand {
	changed := slices.ContainsFunc(changes, func(change decision.Change) bool {
		return change.Object.Kind == k.Kind && change.Object.Namespace == c.Metadata.Namespace && change.Object.Name == c.Metadata.Name
	})
	switch spec := c.Spec; {
	case !changed:
		return nil
	case k.Same(view.Pods):
		d := c.pods(1)
		d.Pod.Spec = spec.PodSpec
		return []view.Demand{d}
	case spec.Template == nil:
		return nil
	case spec.Replicas != nil:
		return []view.Demand{c.pods(*spec.Replicas)}
	case spec.Parallelism != nil:
		return []view.Demand{c.pods(*spec.Parallelism)}
	case k.Same(view.Jobs):
		return []view.Demand{c.pods(1)}
	}
	return []view.Demand{c.pods(admission.Unlimited)}
}
