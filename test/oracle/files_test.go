package oracle

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
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view/bundle"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/contract"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/states"
)

// filed are the states of a version that are asked of the whole command.
const filed = 12

// told are the parts of an answer that the oracles are compared with.
var told = []string{"summary", "actions", "claims", "ranking", "status", "nextSync"}

// TestFiles: what the oracles are compared with is what the command says of the same
// state in a file.
func TestFiles(t *testing.T) {
	for _, version := range []string{"1.23", "1.31", "1.34", "1.37"} {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			for seed := 1; seed <= filed; seed++ {
				req := states.Draw(version, seed)
				req.Faults, req.Expectations, req.Live, req.Behind = nil, nil, nil, nil
				d, err := Predict(version, req)
				if err != nil {
					t.Fatal(err)
				}
				d.Sum() // as the command does
				said, err := asked(filepath.Join(t.TempDir(), fmt.Sprintf("%d.yaml", seed)), version, req)
				if err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
				if diff := cmp.Diff(parts(t, d), said); diff != "" {
					t.Errorf("seed %d (-compared +said by the command):\n%s\n%s", seed, diff, Report(req))
				}
			}
		})
	}
}

// parts are what of an answer is compared, as its JSON says it.
func parts(t *testing.T, d any) map[string]any {
	t.Helper()
	text, err := json.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	all, err := partsOf(text)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func partsOf(text []byte) (map[string]any, error) {
	var all map[string]any
	if err := json.Unmarshal(text, &all); err != nil {
		return nil, fmt.Errorf("%w in %s", err, text)
	}
	maps.DeleteFunc(all, func(key string, _ any) bool { return !slices.Contains(told, key) })
	return all, nil
}

// asked writes a state to a file, and asks the command about it.
func asked(file, version string, req *contract.Request) (map[string]any, error) {
	if err := writeBundle(file, req); err != nil {
		return nil, err
	}
	var out, failed bytes.Buffer
	root := cli.New(cli.Env{
		Controllers: plugins.All(), IOStreams: genericiooptions.IOStreams{In: strings.NewReader(""), Out: &out, ErrOut: &failed},
		Clock: clock.RealClock{}, Getenv: func(string) string { return "" }, Width: func() int { return 0 }, Name: "kubectl ctrl", Version: "test",
	})
	kind := map[string]string{contract.KindReplicaSet: "rs", contract.KindReplicationController: "rc"}[req.Kind]
	args := []string{"explain", kind + "/" + states.Name, "-n", states.Namespace, "--from", file, "--at", states.Now.Format(time.RFC3339), "--emulate-version", version, "-o", "json"}
	for _, gate := range slices.Sorted(maps.Keys(req.Gates)) {
		args = append(args, fmt.Sprintf("--feature-gates=%s=%t", gate, req.Gates[gate]))
	}
	root.SetArgs(args)
	if err := root.Execute(); err != nil {
		return nil, fmt.Errorf("%w: %s", err, failed.String())
	}
	return partsOf(out.Bytes())
}

// writeBundle writes all that a state holds, as if all of it had been read.
func writeBundle(file string, req *contract.Request) error {
	v := View(req)
	r := v.Reader()
	for _, k := range view.Kinds() {
		if k.Namespaced {
			view.List[metav1.Object](r, view.Need{Kind: k, Namespace: states.Namespace, IfMissing: "it is not written"}, nil)
		}
	}
	out, err := os.Create(file)
	if err != nil {
		return err
	}
	server := view.ServerVersion{Version: "v1.37.1"}
	return errors.Join(bundle.Write(out, v, r.Asked(), bundle.WriteOptions{Unredacted: true, Server: server}), out.Close())
}
