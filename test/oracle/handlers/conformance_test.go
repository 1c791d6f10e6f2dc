package handlers

import (
	"fmt"
	"iter"
	"maps"
	"os"
	"reflect"
	"slices"
	"strconv"
	"testing"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/handlers"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/contract"
)

// share is how many events per version an everyday run takes;
// $ORACLE_EVENTS sets another number.
const share = 25_000

// tally is for $ORACLE_REPORT.
var tally oracle.Tally

func TestMain(m *testing.M) { tally.Run(m) }

func TestHandlers(t *testing.T) { eachVersion(t, setHandlers) }

func TestDeploymentHandlers(t *testing.T) { eachVersion(t, deploymentHandlers) }

func TestStatefulSetHandlers(t *testing.T) { eachVersion(t, statefulSetHandlers) }

// suite is the handlers of a family of controllers.
type suite struct {
	// name is added to the version in the report.
	name     string
	question func(seed int) *contract.Request
	ours     func(profile.Profile, *contract.Request, map[string]int) model
	// since is the minor release from which on oracles have the controller.
	since int
	// not are the branches that no event of this version takes.
	not func(profile.Profile) []string
}

// model are our handlers with what they remember.
type model interface {
	see(ev contract.Event, keys []string) (contract.EventRun, error)
}

// kruiseOnly are branches of CloneSets' handlers.
var kruiseOnly = []string{handlers.ExistingDependent, handlers.UpdateUnheard, handlers.UpdateUnsure}

var setHandlers = suite{
	question: question,
	ours: func(p profile.Profile, req *contract.Request, fired map[string]int) model {
		return newOurs(p, req, fired)
	},
	not: func(profile.Profile) []string {
		return append([]string{handlers.RecreatePodDeleted, handlers.RecreatePodsLeft}, kruiseOnly...)
	},
}

var deploymentHandlers = suite{
	name: " Deployments", question: deploymentQuestion,
	ours: func(p profile.Profile, _ *contract.Request, fired map[string]int) model {
		return newDeployments(p, fired)
	},
	not: func(p profile.Profile) []string {
		not := append([]string{handlers.TargetReplaced, handlers.BecameReady}, kruiseOnly...)
		if p.Kubernetes.AtLeast(37, 0) {
			not = append(not, handlers.RecreatePodsLeft)
		}
		return not
	},
}

var statefulSetHandlers = suite{
	name: " StatefulSets", question: statefulSetQuestion, since: 29,
	ours: func(p profile.Profile, _ *contract.Request, fired map[string]int) model {
		return newStatefulSets(p, fired)
	},
	not: func(profile.Profile) []string {
		return append([]string{handlers.TargetReplaced, handlers.RecreatePodDeleted, handlers.RecreatePodsLeft}, kruiseOnly...)
	},
}

// eachVersion compares a family's handlers with those of every version.
func eachVersion(t *testing.T, s suite) {
	if testing.Short() {
		t.Skip("builds and runs upstream's controllers")
	}
	n := events(t)
	versions, err := oracle.Versions("..")
	if err != nil {
		t.Fatal(err)
	}
	dir, err := oracle.Binaries("..")
	if err != nil {
		t.Fatal(err)
	}
	for _, version := range versions {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			p, err := profile.New(profile.Options{Emulate: version, Releases: plugins.All().Releases()})
			if err != nil {
				t.Fatal(err)
			}
			if !p.Kubernetes.AtLeast(s.since, 0) {
				t.Skip("not modelled of this version")
			}
			c := check{suite: s, profile: p, fired: map[string]int{}}
			c.run(t, dir, version, n)
		})
	}
}

// events is how many each version takes.
func events(t *testing.T) int {
	t.Helper()
	text := os.Getenv("ORACLE_EVENTS")
	if text == "" {
		return share
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// check is the comparison with one version.
type check struct {
	suite
	profile profile.Profile
	events  int
	found   []string
	fired   map[string]int
}

func (c *check) run(t *testing.T, dir, version string, n int) {
	t.Helper()
	p, err := oracle.Start(dir, version)
	if err != nil {
		t.Fatal(err)
	}
	if err := oracle.Ask(p, c.questions(n), c.answer); err != nil {
		t.Fatal(err)
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	for _, found := range c.found[:min(3, len(c.found))] {
		t.Error(found)
	}
	for _, rule := range c.unfired() {
		t.Errorf("no event takes the branch %s", rule)
	}
	tally.Add(oracle.Compared{Version: version + c.name, Count: c.events, Differences: len(c.found)})
	t.Logf("%d events, %d sequences disagree, branches %v", c.events, len(c.found), c.fired)
}

func (c *check) questions(n int) iter.Seq2[*contract.Request, int] {
	return func(yield func(*contract.Request, int) bool) {
		for seed := 0; seed*length < n; seed++ {
			if !yield(c.question(seed), seed) {
				return
			}
		}
	}
}

// answer compares event by event, up to the first difference.
func (c *check) answer(req *contract.Request, seed int, resp *contract.Response) {
	o := c.ours(c.profile, req, c.fired)
	for i, theirs := range resp.Events {
		c.events++
		run, err := o.see(req.Events[i], slices.Collect(maps.Keys(req.Memory)))
		if err != nil {
			c.found = append(c.found, err.Error())
			return
		}
		if want, got := show(theirs), show(run); want != got {
			c.found = append(c.found, fmt.Sprintf("seed %d, event %d:\n  %s\nupstream %s\nours     %s", seed, i, describe(req.Events[i]), want, got))
			return
		}
	}
	if len(resp.Events) != len(req.Events) {
		c.found = append(c.found, fmt.Sprintf("seed %d: %d answers to %d events", seed, len(resp.Events), len(req.Events)))
	}
}

// show is a run without the ages of records.
func show(r contract.EventRun) string {
	text := fmt.Sprint("adds ", r.Added, " later ", r.After)
	for _, key := range slices.Sorted(maps.Keys(r.Memory)) {
		e := r.Memory[key]
		text += fmt.Sprint("; ", key, " ", e.Adds, " ", e.Dels, " ", e.DeleteKeys)
	}
	return text
}

// unfired are the branches that these controllers have and no event took.
func (c *check) unfired() []string {
	not := c.not(c.profile)
	var missing []string
	for _, rule := range handlers.Rules.IDs() {
		if c.fired[rule] == 0 && !slices.Contains(not, rule) {
			missing = append(missing, rule)
		}
	}
	return missing
}

// TestQuestionsAreSteady: a seed names its events.
func TestQuestionsAreSteady(t *testing.T) {
	for _, ask := range []func(int) *contract.Request{question, deploymentQuestion, statefulSetQuestion} {
		if !reflect.DeepEqual(ask(3), ask(3)) || reflect.DeepEqual(ask(3), ask(4)) {
			t.Error("a request depends on its seed alone")
		}
	}
}
