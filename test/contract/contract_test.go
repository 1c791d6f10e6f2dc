package contract

import (
	"context"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"k8s.io/cli-runtime/pkg/genericiooptions"
	"k8s.io/utils/clock"

	"github.com/kubectl-ctrl/kubectl-ctrl/docs/examples/pvcprotection"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cli"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/controller"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view/bundle"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins"
	kubeapi "github.com/kubectl-ctrl/kubectl-ctrl/test/apiserver"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/contract/job"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/schema"
)

// question is a command line about the controllers that were added, and what
// its answer has to say.
type question struct {
	args   string
	status int
	want   string
}

// offered are the verbs that every controller gets for its required parts, and
// those that say what is not offered.
var offered = []question{
	{"explain pvc", 0, "persistentvolumeclaim/used   -       Unknown       -       stays as it is"},
	{"explain pvc/data", 0, "persistentvolumeclaim/data is released for deletion: no Pod uses it.\n"},
	{"explain pvc/used -o wide", 0, "when pod db on node-1 is gone"},
	{"explain pvc/data -o json", 0, `"rule": "FinalizerRemoved"`},
	{"explain pvc/data -o yaml", 0, "rule: FinalizerRemoved"},
	{"explain pvc -o name", 0, "persistentvolumeclaim/data\n"},
	{"explain pvc/data -o jsonpath={.summary.modify}", 0, "1"},
	{"explain pvc/data -o go-template={{.pending}}", 0, "true"},
	{"explain pvc/data -o html", 0, "no Pod uses it"},
	{"plan pvc/data", 0, "Plan: 1 to modify, 0 to create, 0 to delete"},
	{"plan -f testdata/labelled.yaml", 0, `metadata.labels: unset → {"a":"b"}`},
	{"plan pvc/data --replicas 2", 2, "--replicas: persistentvolumeclaims have no such field"},
	{"plan pvc/data --until-stable", 2, "the rounds of a PersistentVolumeClaim are not simulated"},
	{"orphans", 0, "No orphans in shop"},
	{"owners pvc/data", 0, "persistentvolumeclaim/data"},
	{"expectations pvc/data", 2, "the pvcprotection controller keeps no expectations\n"},
	{"trace pvc/data", 2, "persistentvolumeclaims are not traced; traced kinds: replicasets (rs)"},
	{"wait pvc/data", 2, "there is no waiting for persistentvolumeclaims: the pvcprotection controller tells no states; kinds: replicasets (rs)"},
	{"snapshot pvc/data", 0, "name: data"},
	{"snapshot", 0, "name: load"},
	{"rules UsedByPod", 0, "a pod uses the claim"},
	{"rules NoExpectations", 0, "Rule: pvcprotection/NoExpectations (PersistentVolumeClaim)"},
	{"rules NoExpectations", 0, "Rule: cloneset/NoExpectations (CloneSet)"},
	{"rules pvcprotection", 0, "FinalizerRemoved"},
	{"rules pvcprotection/FinalizerRemoved -o json", 0, `"group": "pvcprotection"`},
	{"explain -A", 0, "persistentvolumeclaim/data"},
	{"explain -A -o json", 0, `"kind": "ExplanationList"`},
	{"explain pvc/data pvc/used -o yaml", 0, "rule: UsedByPod"},
	{"explain pvc -o custom-columns=NAME:.target.name,ACTS:.pending", 0, "data   true"},
	{"plan pvc/data -o json", 0, `"modify": 1`},
	{"plan pvc/data -o html", 0, "1 to modify"},
	{"plan pvc/data --watch-lag 2s", 2, "--watch-lag"},
	{"plan pvc/data --keep db", 2, "--keep"},
	{"owners pvc/data -o html", 0, "persistentvolumeclaim/data"},
	{"orphans -o json", 0, `"kind": "Orphans"`},
	{"expectations -A", 0, "Nothing found whose controller keeps expectations."},
	{"controllers", 0, "kube-controller-manager"},

	{"__complete rules", 0, "pvcprotection\n"},
	{"__complete explain", 0, "persistentvolumeclaims\n"},
	{"__complete wait", 0, "deployments\n"},
	{"__complete trace", 0, "jobs\n"},

	{"explain jobs/load", 0, "job/load will create 2 of its Pods: 1 of 3 succeeded, 0 active.\n"},
	{"explain jobs", 0, "job/load"},
	{"explain jobs/load -o json", 0, `"rule": "CreateUntilComplete"`},
	{"plan jobs/load", 0, "Plan: 2 to create, 0 to delete"},
	{"plan -f testdata/job.yaml", 0, "job/load in shop will create 5 of its Pods"},
	{"plan -f testdata/job-new.yaml", 0, "job/fresh in shop will create 1 of its Pods"},
	{"plan -f testdata/job-refused.yaml", 2, `spec.parallelism: -1 is less than 0; spec.template.spec.restartPolicy: neither Never nor OnFailure: the API server refuses that`},
	{"plan -f testdata/job-template.yaml", 2, "the API server refuses to change the template"},
	{"plan jobs/load --replicas 4", 2, "--replicas: jobs have no such field"},
	{"plan jobs/load --rounds 2", 2, "the rounds of a Job are not simulated"},
	{"owners jobs/load --dependents", 0, "pod/load-1"},
	{"wait jobs/load", 2, "there is no waiting for jobs: the job controller tells no states"},
	{"expectations jobs/load", 2, "the job controller keeps no expectations\n"},
	{"rules JobComplete", 0, "Enough Pods have succeeded"},
	{"rules job", 0, "CreateUntilComplete"},
	{"explain pod/load-1", 0, "pod/load-1"},
	{"explain pod/load-1 -o json", 0, `"kind": "PodExplanation"`},
	{"explain jobs -o custom-columns=NAME:.target.name,MISSING:.summary.create", 0, "load   2"},
	{"explain jobs/swap --emulate-version 1.33", 0, "job/swap has nothing to do"},
	{"explain jobs/swap --emulate-version 1.28", 0, "job/swap will create 1 of its Pods"},
	{"explain jobs/swap --emulate-version 1.33 --feature-gates JobPodReplacementPolicy=false", 0, "job/swap will create 1 of its Pods"},
	{"explain jobs/swap --emulate-version 1.34 --feature-gates JobPodReplacementPolicy=false", 2, "can't be switched off since Kubernetes 1.34"},
	{"explain jobs/swap --emulate-version 1.33 -o json", 0, `"JobPodReplacementPolicy": true`},
	{"__complete explain --feature-gates", 0, "JobPodReplacementPolicy=true\n"},
	{"explain jobs/load -o html", 0, "will create 2 of its Pods"},
	{"plan jobs/load -o html", 0, "2 to create"},
	{"plan jobs/load --keep load-1", 0, "Keeps load-1"},
	{"owners pod/load-1", 0, "job/load"},
	{"snapshot jobs/load -o json", 0, `"name": "load"`},
}

// never are texts of answers that a part of the program took for granted what a
// controller need not offer.
var never = []string{"has no sentence", "<nil>", "panic", "internal error", "%!"}

// TestEveryVerb puts every verb to controllers that were added by one line each,
// over files and over a server.
func TestEveryVerb(t *testing.T) {
	server := serve(t)
	for name, source := range map[string][]string{"files": {"--from", "testdata/cluster.yaml"}, "server": {"--kubeconfig", server, "-n", "shop"}} {
		for _, q := range offered {
			t.Run(name+"/"+q.args, func(t *testing.T) {
				args := append(strings.Fields(q.args), source...)
				switch verb := args[0]; {
				case verb == "wait" && name == "files":
					t.Skip("files do not change")
				case verb == "rules", verb == "trace" && name == "files":
					args = strings.Fields(q.args)
				case verb == "__complete":
					args = append(strings.Fields(q.args), "")
				}
				check(t, q, run(t, args))
			})
		}
	}
}

// TestTrace traces the toy on a server, and replays the record.
func TestTrace(t *testing.T) {
	record := filepath.Join(t.TempDir(), "record")
	live := run(t, []string{"trace", "jobs/load", "--kubeconfig", serve(t), "-n", "shop", "--duration", "2s", "--record", record})
	check(t, question{status: 0, want: "will create 2 of its Pods"}, live)
	replayed := run(t, []string{"trace", "--from", record})
	check(t, question{status: 0, want: "will create 2 of its Pods"}, replayed)
	inside := run(t, []string{"trace", "jobs", "--internals", "--kubeconfig", serve(t), "-n", "shop", "--duration", "2s"})
	check(t, question{status: 0, want: "of job-controller"}, inside)
}

// TestReleases: what the toy declares of releases counts where the cluster's controller
// manager says which one runs, and with which gates.
func TestReleases(t *testing.T) {
	server := serve(t, "testdata/manager.yaml")
	for _, q := range []question{
		{"version", 0, "\n  1.34        Jobs: the toy of 1.34\n"},
		{"version", 0, "\n  1.34        feature gate JobPodReplacementPolicy can't be switched off\n"},
		{"explain jobs/swap", 0, "job/swap will create 1 of its Pods"},
		{"explain jobs/swap -o json", 0, `"JobPodReplacementPolicy": false`},
	} {
		check(t, q, run(t, append(strings.Fields(q.args), "--kubeconfig", server, "-n", "shop")))
	}
}

func check(t *testing.T, q question, got said) {
	t.Helper()
	if got.status != q.status || !strings.Contains(got.text, q.want) {
		t.Errorf("exit status %d, want %d with %q:\n%s", got.status, q.status, q.want, got.text)
	}
	for _, text := range never {
		if strings.Contains(got.text, text) {
			t.Errorf("the answer has %q:\n%s", text, got.text)
		}
	}
}

type said struct {
	text   string
	status int
}

// run runs a command of a program in which the two were entered.
func run(t *testing.T, args []string) said {
	t.Helper()
	return runOf(t, controller.NewRegistry(append(plugins.All(), pvcprotection.Controller(), job.Controller())...), args)
}

func runOf(t *testing.T, all controller.Registry, args []string) said {
	t.Helper()
	var out strings.Builder
	root := cli.New(cli.Env{
		Controllers: all,
		IOStreams:   genericiooptions.IOStreams{In: strings.NewReader(""), Out: &out, ErrOut: &out},
		Clock:       clock.RealClock{}, Getenv: func(string) string { return "" }, Width: func() int { return 0 },
		Name: "kubectl ctrl", Version: "v0.0.0-test",
	})
	root.SetArgs(args)
	defer func() {
		documents, err := schema.Of(strings.Join(args, " "), []byte(out.String()))
		if err != nil {
			t.Error(err)
		}
		schema.Check(t, documents)
	}()
	status, message := cli.ExitStatus(root.ExecuteContext(context.WithoutCancel(t.Context())))
	return said{out.String() + message + "\n", status}
}

// serve is the kubeconfig of a server of the same objects, and of those of more files.
func serve(t *testing.T, more ...string) string {
	t.Helper()
	objs, err := bundle.ReadObjects(append(more, "testdata/cluster.yaml"), nil)
	if err != nil {
		t.Fatal(err)
	}
	web := httptest.NewServer(kubeapi.New(objs))
	t.Cleanup(web.Close)
	t.Cleanup(web.CloseClientConnections)
	path := filepath.Join(t.TempDir(), "kubeconfig")
	if err := os.WriteFile(path, []byte(kubeapi.Kubeconfig(web.URL)), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
