package handlers

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/handlers"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle"
)

// TestKruiseHandlers asks the handlers and predicates that the real CloneSet
// controllers registered.
func TestKruiseHandlers(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs upstream's controllers")
	}
	n, versions := events(t), []string{"kruise-1.8", "kruise-1.9"}
	dir, err := oracle.BinariesOf("..", versions...)
	if err != nil {
		t.Fatal(err)
	}
	for _, version := range versions {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			c := kruiseCheck{version: version, fired: map[string]int{}}
			c.ask(t, filepath.Join(dir, "oracle-"+version), n)
			for _, branch := range c.unfired() {
				t.Errorf("no event takes the branch %s", branch)
			}
			tally.Add(oracle.Compared{Version: version, Count: c.events, Differences: len(c.found)})
			t.Logf("%d events, %d sequences disagree", c.events, len(c.found))
			for _, found := range c.found[:min(3, len(c.found))] {
				t.Error(found)
			}
		})
	}
}

// kruiseCheck is the comparison with one version.
type kruiseCheck struct {
	version string
	events  int
	found   []string
	fired   map[string]int
}

// ask lets a driver answer to n events.
func (c *kruiseCheck) ask(t *testing.T, program string, n int) {
	t.Helper()
	cmd := exec.Command(program, "events")
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	c.converse(t, in, out, n)
	if err := in.Close(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
}

func (c *kruiseCheck) converse(t *testing.T, in io.Writer, out io.Reader, n int) {
	t.Helper()
	to, from := json.NewEncoder(in), json.NewDecoder(out)
	for seed := 0; seed*length < n; seed++ {
		req := kruiseQuestion(seed)
		if err := to.Encode(req); err != nil {
			t.Fatal(err)
		}
		var runs []kruiseRun
		if err := from.Decode(&runs); err != nil || len(runs) != length {
			t.Fatalf("seed %d: %d answers: %v", seed, len(runs), err)
		}
		if err := c.compare(seed, req, runs); err != nil {
			c.found = append(c.found, err.Error())
		}
	}
}

// compare goes event by event, up to the first difference.
func (c *kruiseCheck) compare(seed int, req *kruiseRequest, runs []kruiseRun) error {
	p, err := profile.New(profile.Options{Programs: map[string]profile.ProgramOptions{kruise.Program.Name: {Version: strings.TrimPrefix(c.version, "kruise-"), Gates: req.Gates}}})
	if err != nil {
		return err
	}
	o := newKruise(p, req, c.fired)
	for i, theirs := range runs {
		c.events++
		run, err := o.see(req.Events[i], slices.Collect(maps.Keys(req.Memory)))
		if err != nil {
			return err
		}
		if want, got := showKruise(theirs), showKruise(run); want != got {
			return fmt.Errorf("seed %d, event %d, gates %v:\n  %s\nupstream %s\nours     %s", seed, i, req.Gates, describe(req.Events[i]), want, got)
		}
	}
	return nil
}

// unfired are the branches of this version that no event took.
func (c *kruiseCheck) unfired() []string {
	others := []string{handlers.TargetReplaced, handlers.BecameReady, handlers.RecreatePodDeleted, handlers.RecreatePodsLeft, // of ReplicaSets and Deployments
		handlers.UpdateUnsure} // of Pods from saved files, which have values left out
	var branches []string
	for _, rule := range handlers.Rules.IDs() {
		if !slices.Contains(others, rule) && rule != handlers.UpdateUnheard {
			branches = append(branches, rule)
		}
	}
	for _, why := range []string{
		handlers.NoOwner, handlers.GenerationChanged, handlers.PreDeleteMoved, handlers.InPlaceUpdateMoved,
		handlers.ReadinessChanged, handlers.InPlaceDone, handlers.MayBeResized,
	} {
		branches = append(branches, handlers.DependentUpdated+": "+why)
	}
	for _, why := range []string{handlers.NothingChanged, handlers.StateUnreadable, handlers.InPlaceGoesOn, handlers.ConditionTrue} {
		branches = append(branches, handlers.UpdateUnheard+": "+why)
	}
	if c.version != "kruise-1.8" {
		branches = append(branches, handlers.DependentUpdated+": "+handlers.PreNormalMoved, handlers.DependentUpdated+": "+handlers.ActivityChanged)
	}
	return slices.DeleteFunc(branches, func(branch string) bool { return c.fired[branch] > 0 })
}

// TestKruiseQuestionsAreSteady: a seed names its events.
func TestKruiseQuestionsAreSteady(t *testing.T) {
	if !reflect.DeepEqual(kruiseQuestion(3), kruiseQuestion(3)) || reflect.DeepEqual(kruiseQuestion(3), kruiseQuestion(4)) {
		t.Error("a request depends on its seed alone")
	}
}
