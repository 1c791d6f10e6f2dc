// Package filed asks the whole command about a state in a file: what the oracles are
// compared with has to be what users get.
package filed

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/cli-runtime/pkg/genericiooptions"
	"k8s.io/utils/clock"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cli"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/controller"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view/bundle"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/subset"
)

// states are how many states of a version are asked of the whole command.
const states = 30

// Case is a state, and what is compared with the oracles.
type Case struct {
	Question
	View     *view.View
	Decision *decision.Decision
}

// Check draws states for each version, and demands of each that what is compared with the
// oracles is what the command says of the same state in a file, and that files which lack
// an object say nothing for certain that is not so.
func Check(t *testing.T, versions []string, draw func(version string, seed int) (Case, error)) {
	for _, version := range versions {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			doubted := 0
			for seed := 1; seed <= states; seed++ {
				c, err := draw(version, seed)
				if err != nil {
					t.Fatal(err)
				}
				want, err := c.parts()
				if err != nil {
					t.Fatal(err)
				}
				said, err := c.ask(filepath.Join(t.TempDir(), fmt.Sprintf("%d.yaml", seed)))
				if err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
				if diff := cmp.Diff(want, said); diff != "" {
					t.Errorf("seed %d (-compared +said by the command):\n%s", seed, diff)
				}
				n, err := c.lacking()
				if err != nil {
					t.Errorf("seed %d: %v", seed, err)
				}
				doubted += n
			}
			if doubted == 0 {
				t.Error("no answer lacks anything")
			}
		})
	}
}

// Question is what is asked of a file.
type Question struct {
	// Object is the command's argument, such as "rs/web".
	Object, Namespace, Version string
	Gates                      map[string]bool
	// Manager is the namespace of another product's manager, empty for the built-in
	// controllers.
	Manager string
	// Told are the parts of an answer that count, as its JSON names them.
	Told []string
}

// ask writes all that the View holds of the namespaces to a file, as if all of it had been
// read, and returns what the command says of that.
func (c Case) ask(file string) (map[string]any, error) {
	if err := c.write(file); err != nil {
		return nil, err
	}
	var out, failed bytes.Buffer
	root := cli.New(cli.Env{
		Controllers: plugins.All(), IOStreams: genericiooptions.IOStreams{In: strings.NewReader(""), Out: &out, ErrOut: &failed},
		Clock: clock.RealClock{}, Getenv: func(string) string { return "" }, Width: func() int { return 0 }, Name: "kubectl ctrl", Version: "test",
	})
	args := []string{"explain", c.Object, "-n", c.Namespace, "--from", file, "--at", c.View.Now().Format(time.RFC3339), "--emulate-version", c.Version, "-o", "json"}
	for _, gate := range slices.Sorted(maps.Keys(c.Gates)) {
		args = append(args, fmt.Sprintf("--feature-gates=%s=%t", gate, c.Gates[gate]))
	}
	root.SetArgs(args)
	if err := root.Execute(); err != nil {
		return nil, fmt.Errorf("%w: %s", err, failed.String())
	}
	return c.partsOf(out.Bytes())
}

// lacking leaves out one object after the other.
func (c Case) lacking() (doubted int, err error) {
	all, prof, err := c.models()
	if err != nil {
		return 0, err
	}
	return subset.Case{Controllers: all, Profile: prof, Whole: c.View}.Check()
}

func (c Case) models() (controller.Registry, profile.Profile, error) {
	all := plugins.All()
	prof, err := profile.New(profile.Options{Emulate: c.Version, Gates: c.Gates, Releases: all.Releases()})
	return all, prof, err
}

// swept is what the garbage collector deletes besides, which no controller decides.
func (c Case) swept() (decision.Total, error) {
	all, prof, err := c.models()
	if err != nil {
		return decision.Total{}, err
	}
	word, name, _ := strings.Cut(c.Object, "/")
	of, kind, _ := all.ForKind(word)
	d, err := of.Run(c.View.Reader(), prof, view.Target{Kind: kind, Namespace: c.Namespace, Name: name}, nil)
	if err != nil {
		return decision.Total{}, err
	}
	return d.Swept, nil
}

// parts are those of the Decision in the same form.
func (c Case) parts() (_ map[string]any, err error) {
	if c.Decision.Swept, err = c.swept(); err != nil {
		return nil, err
	}
	c.Decision.Sum() // as the command does
	text, err := json.Marshal(c.Decision.Listed())
	if err != nil {
		return nil, err
	}
	return c.partsOf(text)
}

func (q Question) partsOf(text []byte) (map[string]any, error) {
	var all map[string]any
	if err := json.Unmarshal(text, &all); err != nil {
		return nil, fmt.Errorf("%w in %s", err, text)
	}
	maps.DeleteFunc(all, func(key string, _ any) bool { return !slices.Contains(q.Told, key) })
	return all, nil
}

func (c Case) write(file string) error {
	r := c.View.Reader()
	for _, k := range view.Kinds() {
		need := view.Need{Kind: k, IfMissing: "it is not written"}
		if k.Namespaced {
			need.Namespace = c.Namespace
		}
		view.List[metav1.Object](r, need, nil)
		if k.Namespaced && c.Manager != "" {
			need.Namespace = c.Manager
			view.List[metav1.Object](r, need, nil)
		}
	}
	out, err := os.Create(file)
	if err != nil {
		return err
	}
	server := view.ServerVersion{Version: "v1.37.1"}
	return errors.Join(bundle.Write(out, c.View, r.Asked(), bundle.WriteOptions{Unredacted: true, Server: server}), out.Close())
}
