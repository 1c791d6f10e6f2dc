package main

import (
	"bytes"
	"context"
	"embed"
	"fmt"
	"io/fs"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/test/controlplane"
)

//go:embed manifests
var manifests embed.FS

const (
	settled  = "manifests"        // what stays as it is
	fleeting = "manifests/paused" // what the controllers change at once
	clones   = "manifests/kruise" // what only a cluster with OpenKruise takes
)

// populate applies the lasting workloads and waits for the largest of them.
func populate(ctx context.Context, cluster *controlplane.Cluster, kruise bool) error {
	if err := apply(ctx, cluster, settled); err != nil {
		return err
	}
	if kruise {
		if err := apply(ctx, cluster, clones); err != nil {
			return err
		}
		if err := cluster.WaitForReadyPods(ctx, "shop", "app=sample", 10); err != nil {
			return err
		}
	}
	return cluster.WaitForReadyPods(ctx, "shop", "app=web", 5)
}

// apply goes file by file in the order of the names, and by the order within
// each file: where a set shall adopt pods, they come first.
func apply(ctx context.Context, cluster *controlplane.Cluster, folder string) error {
	text, err := read(folder)
	if err != nil {
		return fmt.Errorf("read the workloads: %w", err)
	}
	if _, err := cluster.Kubectl(ctx, bytes.NewReader(text), "apply", "-f", "-"); err != nil {
		return fmt.Errorf("apply the workloads: %w", err)
	}
	return nil
}

func read(folder string) ([]byte, error) {
	files, err := fs.Glob(manifests, folder+"/*.yaml")
	if err != nil {
		return nil, err
	}
	var documents [][]byte
	for _, file := range files {
		data, err := manifests.ReadFile(file)
		if err != nil {
			return nil, err
		}
		documents = append(documents, data)
	}
	return bytes.Join(documents, []byte("---\n")), nil
}

// webSet is the name of the ReplicaSet of the Deployment web, which ends in a
// hash.
func webSet(ctx context.Context, cluster *controlplane.Cluster) (string, error) {
	client, err := cluster.Client()
	if err != nil {
		return "", err
	}
	sets, err := client.AppsV1().ReplicaSets("shop").List(ctx, metav1.ListOptions{LabelSelector: "app=web"})
	if err != nil {
		return "", err
	}
	if len(sets.Items) != 1 {
		return "", fmt.Errorf("deployment/shop/web has %d ReplicaSets, expected 1", len(sets.Items))
	}
	return sets.Items[0].Name, nil
}
