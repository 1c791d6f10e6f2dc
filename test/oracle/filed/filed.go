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
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/cli-runtime/pkg/genericiooptions"
	"k8s.io/utils/clock"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cli"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view/bundle"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins"
)

// States are how many states of a version are asked of the whole command.
const States = 12

// Question is what is asked of a file.
type Question struct {
	// Object is the command's argument, such as "rs/web".
	Object, Namespace, Version string
	Gates                      map[string]bool
	// Told are the parts of an answer that count, as its JSON names them.
	Told []string
}

// Ask writes all that a View holds of the namespace to a file, as if all of it had been read,
// and returns what the command says of that.
func (q Question) Ask(file string, v *view.View) (map[string]any, error) {
	if err := q.write(file, v); err != nil {
		return nil, err
	}
	var out, failed bytes.Buffer
	root := cli.New(cli.Env{
		Controllers: plugins.All(), IOStreams: genericiooptions.IOStreams{In: strings.NewReader(""), Out: &out, ErrOut: &failed},
		Clock: clock.RealClock{}, Getenv: func(string) string { return "" }, Width: func() int { return 0 }, Name: "kubectl ctrl", Version: "test",
	})
	args := []string{"explain", q.Object, "-n", q.Namespace, "--from", file, "--at", v.Now().Format(time.RFC3339), "--emulate-version", q.Version, "-o", "json"}
	for _, gate := range slices.Sorted(maps.Keys(q.Gates)) {
		args = append(args, fmt.Sprintf("--feature-gates=%s=%t", gate, q.Gates[gate]))
	}
	root.SetArgs(args)
	if err := root.Execute(); err != nil {
		return nil, fmt.Errorf("%w: %s", err, failed.String())
	}
	return q.partsOf(out.Bytes())
}

// Parts are those of a Decision in the same form.
func (q Question) Parts(d *decision.Decision) (map[string]any, error) {
	d.Sum() // as the command does
	text, err := json.Marshal(d)
	if err != nil {
		return nil, err
	}
	return q.partsOf(text)
}

func (q Question) partsOf(text []byte) (map[string]any, error) {
	var all map[string]any
	if err := json.Unmarshal(text, &all); err != nil {
		return nil, fmt.Errorf("%w in %s", err, text)
	}
	maps.DeleteFunc(all, func(key string, _ any) bool { return !slices.Contains(q.Told, key) })
	return all, nil
}

func (q Question) write(file string, v *view.View) error {
	r := v.Reader()
	for _, k := range view.Kinds() {
		if k.Namespaced {
			view.List[metav1.Object](r, view.Need{Kind: k, Namespace: q.Namespace, IfMissing: "it is not written"}, nil)
		}
	}
	out, err := os.Create(file)
	if err != nil {
		return err
	}
	server := view.ServerVersion{Version: "v1.37.1"}
	return errors.Join(bundle.Write(out, v, r.Asked(), bundle.WriteOptions{Unredacted: true, Server: server}), out.Close())
}
