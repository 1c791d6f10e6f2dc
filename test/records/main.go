package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/cli-runtime/pkg/genericiooptions"
	"k8s.io/client-go/kubernetes"
	"k8s.io/utils/clock"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cli"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/controlplane"
)

func main() {
	if err := run(context.Background(), os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "records:", err)
		os.Exit(1)
	}
}

// scene is what one record shows.
type scene struct {
	// before is there when the trace begins: manifests, and how many Pods are ready then.
	before string
	ready  int
	// traced are the arguments of the trace.
	traced []string
	acts   []act
	// kruise: it needs OpenKruise.
	kruise bool
	// gates are those that kube-controller-manager runs with, if not by default.
	gates string
	// metrics: the trace can read those of kube-controller-manager.
	metrics bool
	// page is how many objects a page of a list holds; 0 for as many as the trace asks for.
	page int
}

// act is something that happens while the trace runs.
type act func(ctx context.Context, s *stage) error

// stage is where it happens.
type stage struct {
	*controlplane.Cluster
	proxy  *proxy
	client kubernetes.Interface
}

func run(ctx context.Context, args []string) (err error) {
	if len(args)%2 != 0 || len(args) == 0 {
		return fmt.Errorf("want pairs of a record and a file; records: %s", strings.Join(slices.Sorted(maps.Keys(scenes)), ", "))
	}
	o := controlplane.Options{Nodes: 2, ExtraArgs: map[controlplane.Component][]string{controlplane.ControllerManager: controlplane.ServedMetrics}}
	for pair := range slices.Chunk(args, 2) {
		o.Kruise = o.Kruise || scenes[pair[0]].kruise
		if gates := scenes[pair[0]].gates; gates != "" {
			o.ExtraArgs = map[controlplane.Component][]string{controlplane.ControllerManager: append(controlplane.ServedMetrics, "--feature-gates="+gates)}
		}
	}
	c, err := controlplane.Start(ctx, o)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.Stop()) }()
	client, err := c.Client()
	if err != nil {
		return err
	}
	for pair := range slices.Chunk(args, 2) {
		if err := record(ctx, c, client, pair[0], pair[1]); err != nil {
			return fmt.Errorf("%s: %w", pair[0], err)
		}
	}
	return nil
}

// record plays a scene in a namespace of its own, which is called as the scene.
func record(ctx context.Context, c *controlplane.Cluster, client kubernetes.Interface, name, file string) error {
	what, ok := scenes[name]
	if !ok {
		return errors.New("no such record")
	}
	p, err := newProxy(c.RESTConfig())
	if err != nil {
		return err
	}
	defer p.close()
	p.page = what.page
	s := &stage{c, p, client}
	if _, err := c.Kubectl(ctx, nil, "create", "namespace", name); err != nil {
		return err
	}
	if what.metrics {
		pod, err := c.ManagerPod(ctx)
		if err != nil {
			return err
		}
		defer func() {
			_ = client.CoreV1().Pods(pod.Namespace).Delete(context.WithoutCancel(ctx), pod.Name, metav1.DeleteOptions{GracePeriodSeconds: new(int64)})
		}()
	}
	if err := s.apply(ctx, name, what.before); err != nil {
		return err
	}
	if err := c.WaitForReadyPods(ctx, name, "", what.ready); err != nil {
		return err
	}
	time.Sleep(2 * time.Second)
	traced := make(chan error, 1)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() { traced <- trace(ctx, p.url(), name, file, what.traced) }()
	time.Sleep(3 * time.Second)
	for n, do := range what.acts {
		if err := do(ctx, s); err != nil {
			return fmt.Errorf("act %d: %w", n, err)
		}
		time.Sleep(time.Second)
	}
	time.Sleep(2 * time.Second)
	cancel()
	return <-traced
}

func trace(ctx context.Context, server, namespace, file string, args []string) error {
	var said bytes.Buffer
	root := cli.New(cli.Env{
		Controllers: plugins.All(), IOStreams: genericiooptions.IOStreams{In: strings.NewReader(""), Out: io.Discard, ErrOut: &said},
		Clock: clock.RealClock{}, Getenv: func(string) string { return "" }, Width: func() int { return 0 }, Name: "kubectl ctrl",
	})
	root.SetArgs(append([]string{"trace", "-n", namespace, "--server", server, "--internals", "--record", file}, args...))
	if err := root.ExecuteContext(ctx); err != nil {
		return fmt.Errorf("%w: %s", err, &said)
	}
	return nil
}

func (s *stage) apply(ctx context.Context, namespace, manifests string) error {
	_, err := s.Kubectl(ctx, strings.NewReader(manifests), "apply", "-n", namespace, "-f", "-")
	return err
}

// kubectl runs kubectl in a namespace.
func kubectl(namespace, command string) act {
	return func(ctx context.Context, s *stage) error {
		_, err := s.Kubectl(ctx, nil, append(strings.Fields(command), "-n", namespace)...)
		return err
	}
}

// firstOf runs kubectl on the first Pod with some labels, by name.
func firstOf(namespace, selector, command string) act {
	return func(ctx context.Context, s *stage) error {
		names, err := s.Kubectl(ctx, nil, "get", "pods", "-n", namespace, "-l", selector, "-o", "jsonpath={.items[0].metadata.name}")
		if err != nil {
			return err
		}
		return kubectl(namespace, fmt.Sprintf(command, names))(ctx, s)
	}
}

// applying applies manifests.
func applying(namespace, manifests string) act {
	return func(ctx context.Context, s *stage) error { return s.apply(ctx, namespace, manifests) }
}

// all does several things at once.
func all(acts ...act) act {
	return func(ctx context.Context, s *stage) error {
		for _, do := range acts {
			if err := do(ctx, s); err != nil {
				return err
			}
		}
		return nil
	}
}
