package replicaset_test

import (
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/replicaset"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/clusterdsl"
)

// TestScaledByHand: a ReplicaSet that is larger than its Deployment allows may be scaled back
// before it creates Pods.
func TestScaledByHand(t *testing.T) {
	p, err := profile.New(profile.Options{Emulate: "1.37"})
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]decision.Certainty{
		"of=deploy/web replicas=5 most=4": decision.Possible,
		"of=deploy/web replicas=4 most=4": decision.Certain,
		"of=deploy/web replicas=5 most=":  decision.Certain,
		"of=job/web replicas=5 most=4":    decision.Certain,
		"replicas=5 most=4":               decision.Certain,
	} {
		words, most, _ := strings.Cut(text, " most=")
		v, err := clusterdsl.Parse("rs web selector=app=web " + words + "\npod a of=rs/web app=web node=n1 ready=1h")
		if err != nil {
			t.Fatal(err)
		}
		set, _ := view.Get[*appsv1.ReplicaSet](v.Reader(), view.Need{Kind: view.ReplicaSets, Namespace: clusterdsl.Namespace, Name: "web"})
		set = set.DeepCopy()
		set.Annotations = map[string]string{"deployment.kubernetes.io/max-replicas": most}
		d, err := replicaset.Decide(v.With(view.ReplicaSets, set).Reader(), p, view.Target{Kind: view.ReplicaSets, Namespace: clusterdsl.Namespace, Name: "web"}, replicaset.Given{})
		if err != nil {
			t.Fatal(err)
		}
		if a := d.Actions[0]; a.Verb != decision.Create || a.Certainty != want {
			t.Errorf("%s: %s %s", text, a.Verb, a.Certainty)
		}
	}
}
