package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/kubectl-ctrl/kubectl-ctrl/test/controlplane"
)

// stop is a command to try, and what it shows.
type stop struct{ command, shows string }

// lasting are worth a look at any time. WEB is the set of the Deployment web.
var lasting = []stop{
	{"explain rs WEB -n shop", "a Deployment's set that has nothing to do"},
	{"plan rs WEB -n shop --replicas 3", "a scale-down, by co-location"},
	{"plan rs cost -n shop --replicas 1", "deletion costs, and a pod on no node"},
	{"plan rs packed -n shop --replicas 3", "without a Deployment there is no co-location: which is not deterministic"},
	{"plan rs slow -n shop --replicas 2", "minReadySeconds"},
	{"explain rs stuck -n tight", "a set that a ResourceQuota stops"},
	{"explain rs blue -n shop", "overlapping selectors"},
	{"explain rc old -n shop", "a ReplicationController"},
}

// withKruise are worth a look where OpenKruise runs.
var withKruise = []stop{
	{"explain clone sample -n shop", "a CloneSet that has nothing to do"},
	{"plan clone sample -n shop --replicas 7", "which pods of it go"},
	{"plan clone stored -n shop --replicas 2", "a pod that goes with its volume claim"},
	{"plan clone guarded -n shop --replicas 2", "a pod that a hook holds before it goes"},
}

// whilePaused are worth a look without an active leader.
var whilePaused = []stop{
	{"explain rs adopter -n shop", "a pod to adopt, which is then one too many"},
	{"explain rs releaser -n shop", "a pod to release and to replace"},
	{"explain rs green -n shop", "a pod that two sets may adopt"},
}

func printTour(ctx context.Context, out io.Writer, cluster *controlplane.Cluster, kruise bool) error {
	web, err := webSet(ctx, cluster)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, `
In another terminal, from the root of the repository:

  go build -o bin/ ./cmd/kubectl-ctrl
  export KUBECONFIG='%s'
  export PATH="$PWD/bin:%s:$PATH"

Then try:

`, cluster.Kubeconfig(), cluster.BinDir())
	stops := lasting
	if kruise {
		stops = slices.Concat(stops, withKruise)
	}
	printStops(out, stops, web)
	fmt.Fprint(out, `
Here, type p and Enter to pause the controller manager and to change what it
would answer at once, r to resume it; Ctrl-C ends the playground.
`)
	return nil
}

func printStops(out io.Writer, stops []stop, web string) {
	table := tabwriter.NewWriter(out, 0, 0, 3, ' ', 0)
	for _, s := range stops {
		fmt.Fprintf(table, "  kubectl ctrl %s\t# %s\n", strings.ReplaceAll(s.command, "WEB", web), s.shows)
	}
	_ = table.Flush()
}
