package e2e

import (
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// TestExplainDeployment is about the chain from a Deployment down to the pods.
func TestExplainDeployment(t *testing.T) {
	t.Run("scaled down: the pods that go", func(t *testing.T) {
		w := newWorld(t, t.Name())
		w.check(env.kcm.release(t.Context()))
		create(w, deploymentOf(web, 4, runs))
		w.waitForRollout(false)
		w.kubectl("annotate", "pod", w.anyPod(), "controller.kubernetes.io/pod-deletion-cost=-5")
		w.check(env.kcm.hold(t.Context(), killed))
		w.kubectl("scale", "deploy/"+web, "--replicas", "2")
		w.holdToExplained()
	})
	t.Run("paused and scaled to nothing: all pods go", func(t *testing.T) {
		w := newWorld(t, t.Name())
		w.check(env.kcm.release(t.Context()))
		create(w, deploymentOf(web, 2, runs))
		w.waitForRollout(false)
		w.check(env.kcm.hold(t.Context(), killed))
		w.kubectl("rollout", "pause", "deploy/"+web)
		w.kubectl("scale", "deploy/"+web, "--replicas", "0")
		w.holdToExplained()
	})
	t.Run("a quota has no room for the new pods", func(t *testing.T) {
		w := newWorld(t, t.Name())
		w.check(env.kcm.release(t.Context()))
		create(w, deploymentOf(web, 2, runs, steps("1", "0")))
		w.waitForRollout(false)
		w.limit("pods", "2")
		w.check(env.kcm.hold(t.Context(), killed))
		image("main:2")(w)
		d := w.explain("deploy/" + web)
		if len(d.Follows) != 1 || !strings.Contains(d.Follows[0].Answer, "refused by resource quota") {
			t.Fatalf("the answer does not say that the new pod is refused: %s %+v", d.Answer, d.Follows)
		}
		before := w.population()
		w.holdTo(newForecast(d.Answer+" "+d.Follows[0].Answer), before)
		if made := madeBy(before, w.population()); len(made) != 1 || made["deployment/"+web] != 1 {
			t.Errorf("want the new ReplicaSet and no pod, got %v", made)
		}
	})
}

// holdToExplained holds the ReplicaSets to what the Deployment's explanation
// says that they will do.
func (w *world) holdToExplained() {
	w.Helper()
	d := w.explain("deploy/" + web)
	answer, before := d.Answer, w.population()
	f := newForecast(answer)
	for _, e := range d.Follows {
		f.answer += " " + e.Answer
		f.deletions(e)
	}
	if len(f.fates) == 0 {
		w.Fatalf("the explanation does not come down to pods: %s %+v", d.Answer, d.Follows)
	}
	w.holdTo(f, before)
}

func (f *forecast) deletions(e decision.Effect) {
	var among []types.UID
	for _, a := range e.Actions {
		switch {
		case a.Verb != decision.Delete:
		case a.Certainty == decision.Certain:
			f.only(uid(a.Object), "deleted")
		default:
			f.also(uid(a.Object), "deleted")
			among = append(among, uid(a.Object))
		}
	}
	if len(among) > 0 {
		f.choices = append(f.choices, choice{e.Summary.DeletePossible, among})
	}
}

// explain asks the tool while the controller manager is killed, again where a ranking
// changes before that acts.
func (w *world) explain(target string) *decision.Decision {
	w.Helper()
	for {
		var d struct {
			APIVersion string `json:"apiVersion"`
			Kind       string `json:"kind"`
			decision.Decision
		}
		w.check(strictly(w.run(true, "explain", target, "-o", "json"), &d))
		changes := func(e decision.Effect) bool { return outlived(killed, e.Ranking) }
		if !slices.ContainsFunc(d.Follows, changes) {
			return &d.Decision
		}
	}
}
