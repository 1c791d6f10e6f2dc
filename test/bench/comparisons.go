package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/test/controlplane"
)

// command is a process to time; title is what the table calls it.
type command struct {
	title string
	path  string
	args  []string
}

// comparison is one command of the tool, and what it is held against: nothing
// where only its memory counts.
type comparison struct {
	subject command
	// memory is the most that it may take, in bytes; 0 without a limit.
	memory  int64
	against []reference
}

// reference is a command with the ratio of times that is aimed at; 0 is none.
type reference struct {
	command
	limit float64
}

// targets are objects whose names the cluster made up.
type targets struct {
	small, big, pod string
	// many and one are manifests of as many workloads.
	many, one string
}

func targetsOf(ctx context.Context, cluster *controlplane.Cluster) (targets, error) {
	client, err := cluster.Client()
	if err != nil {
		return targets{}, err
	}
	find := func(app string) (string, error) {
		list, err := client.AppsV1().ReplicaSets(crowded).List(ctx, metav1.ListOptions{LabelSelector: "app=" + app})
		if err != nil {
			return "", err
		}
		if len(list.Items) != 1 {
			return "", fmt.Errorf("deployment/%s has %d ReplicaSets, want 1", app, len(list.Items))
		}
		return list.Items[0].Name, nil
	}
	var t targets
	if t.small, err = find("small-0"); err != nil {
		return t, err
	}
	if t.big, err = find("big-0"); err != nil {
		return t, err
	}
	list, err := client.CoreV1().Pods(crowded).List(ctx, metav1.ListOptions{LabelSelector: "app=big-0", Limit: 1})
	if err != nil {
		return t, err
	}
	t.pod = list.Items[0].Name
	return t, nil
}

// The resources that questions are about.
const (
	podsResource = "core/v1/pods"
	setsResource = "apps/v1/replicasets"
)

var orphanResources = []string{podsResource, setsResource, "apps/v1/controllerrevisions", "core/v1/persistentvolumeclaims"}

// comparisons are the questions people ask, on the namespace of 10,000 pods
// and on everything.
func comparisons(o options, cluster *controlplane.Cluster, t targets) []comparison {
	ctrl := func(args ...string) command {
		titled := slices.Clone(args)
		if args[0] == "plan" && args[1] == "-f" {
			titled[2] = filepath.Base(args[2])
		}
		return command{"kubectl ctrl " + strings.Join(titled, " "), o.ctrl, args}
	}
	kubectl := func(args ...string) command {
		return command{"kubectl " + strings.Join(args, " "), filepath.Join(cluster.BinDir(), controlplane.Kubectl), args}
	}
	metadata := func(title, namespace string, resources ...string) command {
		self, _ := os.Executable()
		return command{"metadata LIST, " + title, self, append([]string{listArgument, cluster.Kubeconfig(), namespace}, resources...)}
	}
	here := reference{command: metadata("pods of the namespace", crowded, podsResource)}
	names := reference{command: kubectl("get", "pods", "-n", crowded, "-o", "name")}
	usual := []reference{here, names}
	lineage := reference{command{"kube-lineage deploy/big-0", o.lineage, []string{"deploy/big-0", "-n", crowded}}, 0.2}
	everywhere := metadata("pods everywhere", "", podsResource)
	return []comparison{
		{subject: ctrl("version", "--client"), against: []reference{{kubectl("version", "--client"), 0.3}}},
		{subject: ctrl("explain", "rs/"+t.small, "-n", crowded), against: []reference{{here.command, 1.1}, names}},
		{subject: ctrl("plan", "rs/"+t.small, "--replicas", "10", "-n", crowded), against: usual},
		{subject: ctrl("explain", "rs/"+t.big, "-n", crowded), against: usual},
		{subject: ctrl("explain", "deploy/big-0", "-n", crowded), against: usual},
		{subject: ctrl("explain", "sts/"+stateful, "-n", crowded), against: []reference{{here.command, 1.2}}},
		{subject: ctrl("explain", "rs", "-A"), against: []reference{{everywhere, 2}}},
		{subject: ctrl("orphans", "-n", crowded), against: []reference{
			{command: metadata("the four kinds in the namespace", crowded, orphanResources...)}, names}},
		{subject: ctrl("orphans", "-A"), memory: 300_000_000, against: []reference{
			{metadata("the four kinds, everywhere", "", orphanResources...), 1.1},
			{command: kubectl("get", "pods", "-A", "-o", "name")}}},
		{subject: ctrl("owners", "pod/"+t.pod, "-n", crowded), against: usual},
		{subject: ctrl("owners", "deploy/big-0", "--dependents", "-n", crowded), against: []reference{{here.command, 1.2}, names, lineage}},
		{subject: ctrl("snapshot", "rs/"+t.small, "-n", crowded), against: usual},
		{subject: ctrl("snapshot", "rs/"+t.big, "-n", crowded), against: []reference{{here.command, 2}}},
		{subject: ctrl("plan", "-f", t.many), against: []reference{{ctrl("plan", "-f", t.one), 2}}},
		{subject: ctrl("trace", "-A", "--duration", "30s"), memory: 500_000_000},
	}
}
