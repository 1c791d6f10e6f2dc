package plugins

import (
	"fmt"
	"slices"

	appsv1 "k8s.io/api/apps/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/lease"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/replicaset"
)

// followSet decides on a ReplicaSet in the View that a Deployment leaves, in
// which it changed this set and others. What it reads is noted in r, so that it
// is loaded and saved with what the Deployment itself needs.
func followSet(r *view.Reader, p profile.Profile, of *appsv1.ReplicaSet, left *view.View, doubt *decision.Caveat) (*decision.Decision, error) {
	over := left.Reader()
	t := view.Target{Kind: view.ReplicaSets, Namespace: of.Namespace, Name: of.Name}
	d, err := replicaset.Decide(over, p, t, replicaset.Given{})
	for _, read := range over.Asked() {
		required := read.Required()
		if required {
			read.Without = "what " + of.Name + " does to its pods is not known"
		}
		if failed := r.Err(read.Need); failed != nil && required && err == nil {
			err = failed
		}
	}
	if err != nil {
		return nil, fmt.Errorf("replicaset/%s: %w", of.Name, err)
	}
	if r.WhatIf() { // so that the sentence says would, not will
		d.WhatIf = []decision.Change{{Object: d.Target}}
	}
	if doubt != nil {
		d.Doubt(*doubt)
	}
	// The Deployment's own answer says whether anybody acts.
	d.Evidence = slices.DeleteFunc(d.Evidence, func(e decision.Evidence) bool { return lease.Tells(e.Rule) })
	replicaset.Rules.Phrase(d)
	d.Answer = replicaset.Answer(d)
	return d, nil
}
