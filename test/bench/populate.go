package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/test/controlplane"
)

const (
	nodes = 40
	// crowded is the namespace with half of all pods.
	crowded = "crowded"
	// stateful is the name of the StatefulSet there.
	stateful = "db"
	// inCrowded is how many workloads are there; they come first.
	inCrowded = 44
	// others is how many namespaces share the other half.
	others = 20
)

// workload is one Deployment, and with it one ReplicaSet, or a StatefulSet.
type workload struct {
	namespace, name string
	replicas        int
	stateful        bool
}

// workloads are 20,000 pods in 444 sets: 10,000 in one namespace, by 39 sets of 250, one of
// them a StatefulSet, and five of 50, and 10,000 in twenty, by sets of 25.
func workloads(scale int) []workload {
	var all []workload
	all = append(all, workload{crowded, stateful, 250 / scale, true})
	for i := range 38 {
		all = append(all, workload{crowded, fmt.Sprintf("big-%d", i), 250 / scale, false})
	}
	for i := range 5 {
		all = append(all, workload{crowded, fmt.Sprintf("small-%d", i), 50 / scale, false})
	}
	for i := range 400 {
		all = append(all, workload{fmt.Sprintf("team-%d", i%others), fmt.Sprintf("app-%d", i), max(1, 25/scale), false})
	}
	return all
}

func pods(all []workload) int {
	n := 0
	for _, w := range all {
		n += w.replicas
	}
	return n
}

// populate lets the cluster's own controllers make the pods, so that they are
// as large as real ones, their managed fields included.
func populate(ctx context.Context, cluster *controlplane.Cluster, all []workload) error {
	start := time.Now()
	for _, batch := range manifests(all) {
		if _, err := cluster.Kubectl(ctx, strings.NewReader(batch), "create", "-f", "-"); err != nil {
			return err
		}
	}
	client, err := cluster.Client()
	if err != nil {
		return err
	}
	// A WaitFor gives up after seconds; this takes minutes.
	for {
		available := 0
		deployments, err := client.AppsV1().Deployments("").List(ctx, metav1.ListOptions{})
		if err != nil {
			return err
		}
		for _, d := range deployments.Items {
			available += int(d.Status.AvailableReplicas)
		}
		sets, err := client.AppsV1().StatefulSets("").List(ctx, metav1.ListOptions{})
		if err != nil {
			return err
		}
		for _, s := range sets.Items {
			available += int(s.Status.AvailableReplicas)
		}
		fmt.Fprintf(os.Stderr, "\r%d of %d pods after %s ", available, pods(all), time.Since(start).Round(time.Second))
		if available == pods(all) {
			fmt.Fprintln(os.Stderr)
			return settle(ctx)
		}
		if err := pause(ctx, 3*time.Second); err != nil {
			return err
		}
	}
}

// settle waits until events and leases of the start are written.
func settle(ctx context.Context) error { return pause(ctx, 15*time.Second) }

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// manifests are the namespaces, then the workloads.
func manifests(all []workload) []string {
	var namespaces, deployments strings.Builder
	seen := map[string]bool{}
	for _, w := range all {
		if !seen[w.namespace] {
			seen[w.namespace] = true
			fmt.Fprintf(&namespaces, "{apiVersion: v1, kind: Namespace, metadata: {name: %s}}\n---\n", w.namespace)
		}
		deployments.WriteString(w.manifest())
	}
	return []string{namespaces.String(), deployments.String()}
}

// grow writes manifests of workloads with a replica more to a file.
func grow(path string, all []workload) error {
	var text strings.Builder
	for _, w := range all {
		w.replicas++
		text.WriteString(w.manifest())
	}
	return os.WriteFile(path, []byte(text.String()), 0o600)
}

func (w workload) manifest() string {
	kind, of := "Deployment", ""
	if w.stateful {
		kind, of = "StatefulSet", "  serviceName: "+w.name+"\n  podManagementPolicy: Parallel\n"
	}
	return fmt.Sprintf(`apiVersion: apps/v1
kind: %[4]s
metadata: {name: %[2]s, namespace: %[1]s, labels: {app: %[2]s}}
spec:
%[5]s  replicas: %[3]d
  selector: {matchLabels: {app: %[2]s}}
  template:
    metadata: {labels: {app: %[2]s, tier: web}}
    spec:
      containers:
      - name: app
        image: registry.example/shop/app:1.27
        env: [{name: TIER, value: web}]
        ports: [{containerPort: 8080}]
        resources: {requests: {cpu: 1m, memory: 1Mi}}
        readinessProbe: {httpGet: {path: /ready, port: 8080}}
      - name: proxy
        image: registry.example/mesh/proxy:2.4
        args: [--level=info]
        resources: {requests: {cpu: 1m, memory: 1Mi}}
---
`, w.namespace, w.name, w.replicas, kind, of)
}
