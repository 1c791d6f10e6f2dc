package cli

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"k8s.io/cli-runtime/pkg/genericiooptions"
	"k8s.io/utils/clock"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cli"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view/bundle"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins"
	kubeapi "github.com/kubectl-ctrl/kubectl-ctrl/test/apiserver"
)

// TestContextsAreReadAtOnce has twelve clusters that answer only when as many
// are asked at the same time as may be: eight, then the other four.
func TestContextsAreReadAtOnce(t *testing.T) {
	const clusters, bound = 12, 8
	objs, err := bundle.ReadObjects([]string{"testdata/cluster.yaml"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	config := filepath.Join(t.TempDir(), "kubeconfig")
	var asked, answered atomic.Int32
	for i := range clusters {
		s := kubeapi.New(objs)
		web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/version" {
				n := asked.Add(1)
				for deadline := time.Now().Add(patience); asked.Load() < bound && time.Now().Before(deadline); {
					time.Sleep(time.Millisecond)
				}
				time.Sleep(20 * time.Millisecond) // for a ninth to come, if it may
				if now := asked.Load() - answered.Load(); now > bound {
					t.Errorf("request %d: %d clusters are asked at once, want at most %d", n, now, bound)
				}
				answered.Add(1)
			}
			s.ServeHTTP(w, r)
		}))
		t.Cleanup(web.Close)
		t.Cleanup(web.CloseClientConnections)
		if err := kubeapi.AddContext(config, fmt.Sprintf("c%02d", i), web.URL); err != nil {
			t.Fatal(err)
		}
	}
	var out, errs bytes.Buffer
	root := cli.New(cli.Env{
		Controllers: plugins.All(),
		IOStreams:   genericiooptions.IOStreams{In: strings.NewReader(""), Out: &out, ErrOut: &errs},
		Clock:       clock.RealClock{}, Getenv: none, Width: func() int { return 0 }, Name: "kubectl ctrl", Version: "v0.0.0-test",
	})
	root.SetArgs([]string{"explain", "rs/web-7b46c4b544", "--contexts", "all", "--kubeconfig", config, "-o", "jsonpath={.items[*].context}"})
	if err := root.Execute(); err != nil {
		t.Fatalf("%v\n%s", err, &errs)
	}
	if want := "c00 c01 c02 c03 c04 c05 c06 c07 c08 c09 c10 c11"; out.String() != want {
		t.Errorf("got %s, want %s", &out, want)
	}
	if asked.Load() != clusters {
		t.Errorf("%d clusters were asked, want %d", asked.Load(), clusters)
	}
}
