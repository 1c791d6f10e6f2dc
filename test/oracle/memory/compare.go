package memory

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	clocktesting "k8s.io/utils/clock/testing"
)

// product is a family of expectations: the steps it knows, and our own.
type product struct {
	kinds   []func(draw) string
	newOurs func(*clocktesting.FakePassiveClock) ours
}

// products are by the beginning of an oracle's version.
func productOf(version string) product {
	if strings.HasPrefix(version, "kruise-") {
		return product{kruise, newKruise}
	}
	return product{kubernetes, newKubernetes}
}

// Result is what a run came to.
type Result struct {
	Steps int
	// Chances are the steps after which there was more than one answer.
	Chances int
	Found   []string
}

// Check takes at least n steps on oracle-version of dir and on our own.
func Check(dir, version string, first, n int) (*Result, error) {
	cmd := exec.Command(filepath.Join(dir, "oracle-"+version), "memory")
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("oracle %s: %w; build it with test/oracle/build.sh", version, err)
	}
	r := &Result{}
	to, from := json.NewEncoder(in), json.NewDecoder(out)
	for seed := first; r.Steps < n && err == nil; seed++ {
		err = r.sequence(productOf(version), seed, to, from)
	}
	if err != nil {
		return nil, fmt.Errorf("oracle %s: %w", version, err)
	}
	if err := in.Close(); err != nil {
		return nil, err
	}
	return r, cmd.Wait()
}

// sequence takes one sequence on both.
func (r *Result) sequence(p product, seed int, to *json.Encoder, from *json.Decoder) error {
	steps := newDraw(seed).sequence(p.kinds)
	if err := to.Encode(steps); err != nil {
		return err
	}
	var theirs []string
	if err := from.Decode(&theirs); err != nil {
		return err
	}
	if len(theirs) != len(steps) {
		return fmt.Errorf("%d answers to %d steps", len(theirs), len(steps))
	}
	for i, may := range takeAll(p.newOurs, steps) {
		r.Steps++
		if len(may) > 1 {
			r.Chances++
		}
		if !slices.Contains(may, theirs[i]) {
			r.Found = append(r.Found, fmt.Sprintf("seed %d, after\n  %s\nupstream shows %q, ours %q", seed, strings.Join(steps[:i+1], "\n  "), theirs[i], may))
			return nil // what follows may differ because of this
		}
	}
	return nil
}
