package oracle

import (
	"fmt"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/expectations"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/replicaset"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/contract"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/states"
)

// Predict is the plugin's answer to a sync request: the Decision as users get
// it, sentences included.
func Predict(version string, req *contract.Request) (*decision.Decision, error) {
	given, err := Given(req)
	if err != nil {
		return nil, err
	}
	return predict(version, req, given)
}

func predict(version string, req *contract.Request, given replicaset.Given) (*decision.Decision, error) {
	p, err := profile.New(profile.Options{Emulate: version, Gates: req.Gates})
	if err != nil {
		return nil, err
	}
	d, err := replicaset.Decide(View(req).Reader(), p, Target(req), given)
	if err != nil {
		return nil, err
	}
	replicaset.Rules.Phrase(d)
	d.Answer = replicaset.Answer(d)
	return d, nil
}

// Target is the set that a request is about.
func Target(req *contract.Request) view.Target {
	namespace, name, _ := strings.Cut(req.Key, "/")
	return view.Target{Kind: kindOf(req), Namespace: namespace, Name: name}
}

func kindOf(req *contract.Request) view.Kind {
	if req.Kind == contract.KindReplicationController {
		return view.ReplicationControllers
	}
	return view.ReplicaSets
}

// View holds the objects of a request and nothing else.
func View(req *contract.Request) *view.View { return ViewAt(req, states.Now) }

// ViewAt is View with another now.
func ViewAt(req *contract.Request, now time.Time) *view.View {
	b := view.NewBuilder(now)
	for _, k := range view.Kinds() {
		b.Reads(view.Need{Kind: k, Detail: view.Full}, nil)
	}
	for _, rs := range req.ReplicaSets {
		b.Add(view.ReplicaSets, rs)
	}
	for _, rc := range req.ReplicationControllers {
		b.Add(view.ReplicationControllers, rc)
	}
	for _, pod := range req.Pods {
		b.Add(view.Pods, pod)
	}
	return b.View()
}

// Given is what a request says besides its objects.
func Given(req *contract.Request) (replicaset.Given, error) {
	record, err := recordOf(req.Expectations)
	if err != nil {
		return replicaset.Given{}, fmt.Errorf("expectations: %w", err)
	}
	return replicaset.Given{Expectations: record, Behind: behind(req), API: apiOf(req), Alone: true}, nil
}

func behind(req *contract.Request) []*expectations.Stale {
	var all []*expectations.Stale
	for _, resource := range req.Behind {
		all = append(all, &expectations.Stale{Resource: schema.ParseGroupResource(resource), Read: contract.ReadVersion, Wrote: contract.WroteVersion})
	}
	return all
}

func recordOf(e *contract.Expectations) (*expectations.Record, error) {
	if e == nil {
		return nil, nil
	}
	age, err := time.ParseDuration(e.Age)
	if err != nil {
		return nil, err
	}
	r := &expectations.Record{Adds: e.Adds, Dels: e.Dels, Keys: map[string]bool{}, Recorded: states.Now.Add(-age)}
	for _, key := range e.DeleteKeys {
		r.Keys[key] = true
	}
	return r, nil
}
