package main

import (
	"context"
	"fmt"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/tools/clientcmd"
)

// listArgument makes this program the reference: a process that lists the
// metadata of some resources, by protobuf, and does nothing with them.
const listArgument = "list-metadata"

// listMetadata takes a kubeconfig, a namespace ("" for all) and resources of
// the form group/version/resource, with "core" for the empty group.
func listMetadata(args []string) error {
	config, err := clientcmd.BuildConfigFromFlags("", args[0])
	if err != nil {
		return err
	}
	config.QPS = -1
	client, err := metadata.NewForConfig(config)
	if err != nil {
		return err
	}
	for _, name := range args[2:] {
		list, err := client.Resource(resource(name)).Namespace(args[1]).List(context.Background(), metav1.ListOptions{})
		if err != nil {
			return fmt.Errorf("list %s: %w", name, err)
		}
		fmt.Println(name, len(list.Items))
	}
	return nil
}

func resource(name string) schema.GroupVersionResource {
	parts := strings.Split(name, "/")
	return schema.GroupVersionResource{Group: strings.TrimPrefix(parts[0], "core"), Version: parts[1], Resource: parts[2]}
}
