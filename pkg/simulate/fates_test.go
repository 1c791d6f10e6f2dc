package simulate_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/simulate"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/clusterdsl"
)

// drawTied are Pods few things tell apart.
func drawTied(t *rapid.T, b *strings.Builder, format string, n int) {
	for i := range n {
		fmt.Fprintf(b, format+" age=9h %s node=n1\n", i, rapid.SampledFrom([]string{"ready=8h", "ready=8h", "notready"}).Draw(t, "ready"))
	}
}

func drawTiedDeployment(t *rapid.T) (string, view.Kind) {
	var b strings.Builder
	number := func(name string, low, high int) int { return rapid.IntRange(low, high).Draw(t, name) }
	replicas, old, fresh := number("replicas", 0, 5), number("old", 0, 5), number("fresh", 0, 4)
	fmt.Fprintf(&b, "deploy web replicas=%d image=web:2 revision=2 surge=%d unavailable=1 status=%d/%d/%d/%d\n", replicas, number("surge", 0, 2), fresh+old, fresh, fresh+old, fresh+old)
	fmt.Fprintf(&b, "set web-a of=deployment/web app=web image=web:1 revision=1 desired=%d max=%d replicas=%d age=9h\n", replicas, replicas+2, old)
	fmt.Fprintf(&b, "set web-b of=deployment/web app=web image=web:2 revision=2 desired=%d max=%d replicas=%d age=8h\n", replicas, replicas+2, fresh)
	drawTied(t, &b, "pod web-a-%d of=replicaset/web-a app=web pod-template-hash=a", old)
	drawTied(t, &b, "pod web-b-%d of=replicaset/web-b app=web pod-template-hash=b", fresh)
	return b.String(), view.Deployments
}

func drawTiedCloneSet(t *rapid.T) (string, view.Kind) {
	var b strings.Builder
	number := func(name string, low, high int) int { return rapid.IntRange(low, high).Draw(t, name) }
	fmt.Fprintf(&b, "manager v1.9.1\ncs web selector=app=web image=web:2 tlabel=app:web current=web-a replicas=%d type=%s partition=%d maxUnavailable=%d maxSurge=%d\n",
		number("replicas", 0, 5), rapid.SampledFrom([]string{"ReCreate", "InPlaceIfPossible"}).Draw(t, "type"), number("partition", 0, 4), number("maxUnavailable", 1, 3), number("maxSurge", 0, 1))
	b.WriteString("rev web-a of=cs/web number=1 app=web image=web:1 tlabel=app:web\nrev web-b of=cs/web number=2 app=web image=web:2 tlabel=app:web\n")
	old := number("old", 0, 5)
	for i := range old + number("fresh", 0, 4) {
		rev, image := "web-b", "web:2"
		if i < old {
			rev, image = "web-a", "web:1"
		}
		fmt.Fprintf(&b, "kpod web-%d of=cs/web app=web rev=%s state=Normal age=9h ready=8h node=n1 id=%d image=%s running=old gate inplace=True\n", i, rev, i, image)
	}
	return b.String(), view.CloneSets
}

// shuffled puts what shares a choice in another order, at the places that it has.
func shuffled(seed uint64) func([]decision.Action) []decision.Action {
	random := rand.New(rand.NewPCG(seed, 1))
	return func(actions []decision.Action) []decision.Action {
		places := map[decision.Pool][]int{}
		var pools []decision.Pool
		for i := range actions {
			if pool, shared := actions[i].Pool(); shared {
				if places[pool] == nil {
					pools = append(pools, pool)
				}
				places[pool] = append(places[pool], i)
			}
		}
		for _, pool := range pools {
			at := places[pool]
			random.Shuffle(len(at), func(i, j int) { actions[at[i]], actions[at[j]] = actions[at[j]], actions[at[i]] })
		}
		return actions
	}
}

// TestFatesHoldOnEveryPath: whichever of tied Pods are chosen, none is deleted of which it is
// said that it is not, and each is that is certain to be.
func TestFatesHoldOnEveryPath(t *testing.T) {
	p, err := profile.New(profile.Options{Emulate: "1.36", Releases: plugins.All().Releases()})
	if err != nil {
		t.Fatal(err)
	}
	var spared, chance int
	for name, draw := range map[string]func(*rapid.T) (string, view.Kind){"deployment": drawTiedDeployment, "cloneset": drawTiedCloneSet} {
		t.Run(name, rapid.MakeCheck(func(t *rapid.T) {
			text, k := draw(t)
			v, err := clusterdsl.Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			c, _, _ := plugins.All().ForKind(k.GroupResource())
			of := view.Target{Kind: k, Namespace: "shop", Name: "web"}
			run := func(o simulate.Options) *decision.Decision {
				d, _, err := c.Simulate(v, p, of, nil, o)
				if err != nil {
					t.Fatal(err)
				}
				return d
			}
			d := run(simulate.Options{})
			for seed := range uint64(4) {
				gone := map[string]bool{}
				other := run(simulate.Options{}.Ordered(shuffled(seed))).Timeline
				for _, r := range other.Rounds {
					for _, a := range r.Actions {
						gone[a.Object.Name] = gone[a.Object.Name] || a.Object.Kind == "Pod" && (a.Verb == decision.Delete || a.Verb == decision.Recreate)
					}
				}
				for _, pod := range v.AllMetadata(view.Pods) {
					fate := d.FateOf(decision.Ref{APIVersion: "v1", Kind: "Pod", Namespace: pod.GetNamespace(), Name: pod.GetName()}).Fate
					if fate == decision.Safe && gone[pod.GetName()] || fate == decision.Doomed && !gone[pod.GetName()] && other.End.Outcome == decision.Stable {
						t.Errorf("%s is %s, and gone: %t, on path %d\n%s\n%s\n%s", pod.GetName(), fate, gone[pod.GetName()], seed, text, clusterdsl.Timeline(d.Timeline), clusterdsl.Timeline(other))
					}
					if fate == decision.AtRisk {
						chance++
					} else if fate == decision.Safe && len(d.Timeline.Unforeseen) > 0 {
						spared++
					}
				}
			}
		}))
	}
	if spared == 0 || chance == 0 {
		t.Errorf("%d Pods are safe beside a choice, %d at risk", spared, chance)
	}
}
