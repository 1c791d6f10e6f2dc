package contract

import (
	"strings"
	"testing"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/controller"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/contract/job"
)

// TestWhole: what is said of a controller's rounds, what-ifs, states and expectations.
func TestWhole(t *testing.T) {
	all := controller.NewRegistry(append(plugins.All(), job.Whole())...)
	files := "--from testdata/cluster.yaml --from testdata/whole.yaml "
	server := "--kubeconfig " + serve(t, "testdata/whole.yaml") + " -n shop"
	for _, c := range []struct {
		args, of string
		status   int
		want     []string
	}{
		{"explain jobs/load", files, 0, []string{"job/load in shop: reconciling, 0 of 2 available; next sync creates 2 Pods."}},
		{"explain jobs/run", files, 0, []string{"job/run in shop: blocked, 1 of 2 available; 1 image not found.", "run-2 0/1 ImagePullBackOff 30m run: image run:1 not found"}},
		{"explain jobs", files, 0, []string{"job/run 1/2 Blocked 29m 1 image not found", "job/stopped 0/0 Stable"}},
		{"explain -A", files, 0, []string{"1 of 4 workloads blocked, 1 progressing, 1 reconciling, 1 stable."}},
		{"plan jobs/run --paused", files, 0, []string{"job/run in shop would delete 2 of its Pods: suspended, 2 active.", "job/run spec.suspend: false → true", "Plan: 0 to create, 2 to delete"}},
		{"plan jobs/stopped --paused=false", files, 0, []string{"Plan: 2 to create, 0 to delete"}},
		{"plan jobs/stopped --paused", files, 0, []string{"job/stopped in shop has nothing to do"}},
		{"plan jobs/run --replicas 3", files, 2, []string{"--replicas: jobs have no such field"}},
		{"plan jobs/run --paused --keep run-1", files, 0, []string{"Would delete run-1."}},
		{"plan jobs/load --until-stable", files, 0, []string{
			"job/load in shop would create 2 Pods in 1 round (about 30s); what follows depends on when its Pods succeed.",
			"1 0s create <new 1>, <new 2> 2 0 ██ 2", "– 30s unfinished 2 2 0",
		}},
		{"plan jobs/load --until-stable", files + "--from testdata/quota.yaml", 0, []string{
			"job/load in shop would create 2 Pods in 1 round (about 30s) if new Pods are admitted;", "create <new 1>, <new 2> (possible)", "they are assumed to be accepted",
		}},
		{"plan jobs/load --until-stable", files + "--from testdata/lease.yaml", 0, []string{"job/load in shop: no active leader; the controller manager's lease was last renewed 20m ago."}},
		{"plan jobs/run --paused --until-stable", files, 0, []string{"job/run in shop would delete 2 Pods in 1 round, then be stable: 0 of 0 Pods available.", "1 0s delete run-1, run-2"}},
		{"plan jobs/stopped --paused=false --rounds 1 -o json", files, 0, []string{`"rule": "EndBeyond"`}},
		{"expectations jobs/load", files, 0, []string{"job/load may wait: nothing outstanding can be seen", "created 1 Pod 30m ago: load-1", "will create 2 of its Pods"}},
		{"expectations jobs/load", files + "--from testdata/lease.yaml", 0, []string{"no active leader"}},
		{"expectations", "--from testdata/cluster.yaml", 2, []string{"statefulsets (sts), clonesets (clone), jobs"}},
		{"wait jobs/run", server, 3, []string{"job/run in shop: blocked, 1 of 2 available; 1 image not found."}},
		{"wait jobs/stopped", server, 0, []string{"job/stopped in shop: stable, 0 of 0 replicas available."}},
	} {
		t.Run(c.args+" "+c.of, func(t *testing.T) {
			got := runOf(t, all, strings.Fields(c.args+" "+c.of))
			check(t, question{status: c.status}, got)
			text := strings.Join(strings.Fields(got.text), " ")
			for _, want := range c.want {
				if !strings.Contains(text, want) {
					t.Errorf("the answer lacks %q:\n%s", want, got.text)
				}
			}
		})
	}
}
