package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/ptr"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/controller"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/manager"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/trace"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view/live"
)

// metrics reads what the managers of controllers count, each manager once a call.
func metrics(cluster *live.Source, traced []controller.Running) func(context.Context) trace.Metrics {
	type answer struct {
		counted manager.Counted
		err     error
	}
	return func(ctx context.Context) trace.Metrics {
		of := map[*controller.Program]answer{}
		for _, c := range traced {
			if _, read := of[c.Agent.Program]; !read {
				all, err := countedOf(ctx, cluster, c.Agent)
				of[c.Agent.Program] = answer{all, err}
			}
		}
		return func(c controller.Running) (manager.Counted, error) {
			a := of[c.Agent.Program]
			return a.counted, a.err
		}
	}
}

// countedOf reads the metrics of the process that leads.
func countedOf(ctx context.Context, cluster *live.Source, a *controller.Agent) (c manager.Counted, err error) {
	program, needs := manager.Kubernetes, managerPods()
	if a.Program != nil {
		program, needs = a.Program.Program.Program, []view.Need{a.Program.Pods}
	}
	leads, err := leadingPod(ctx, cluster, a.Lease, needs)
	if err != nil {
		return c, err
	}
	port, err := program.Metrics.Served(flagsOf(leads, program))
	if err != nil {
		return c, err
	}
	text, err := cluster.Metrics(ctx, live.Endpoint{Namespace: leads.Namespace, Pod: leads.Name, Scheme: program.Metrics.Scheme, Port: port})
	if err != nil {
		return c, err
	}
	c, err = manager.Read(bytes.NewReader(text))
	if err != nil {
		err = fmt.Errorf("/metrics of Pod %s/%s: %w", leads.Namespace, leads.Name, err)
	}
	return c, err
}

// leadingPod is the Pod whose host name holds the Lease.
func leadingPod(ctx context.Context, src view.Source, lease view.Need, needs []view.Need) (*corev1.Pod, error) {
	host := leaderHost(ctx, src, lease)
	if host == "" {
		return nil, fmt.Errorf("who leads is not known: Lease %s/%s was not read", lease.Namespace, lease.Name)
	}
	var unread error
	for _, need := range needs {
		pods, err := podsOf(ctx, src, need)
		unread = errors.Join(unread, err)
		if p := onHost(pods, host); p != nil {
			return p, nil
		}
	}
	if unread != nil {
		return nil, unread
	}
	return nil, fmt.Errorf("no Pod of it is seen that leads as %s", host)
}

// onHost is the first of some Pods that has a host name: its own, or with the network of its
// node that of the node; nil for none, and for a host that is not known.
func onHost(pods []*corev1.Pod, host string) *corev1.Pod {
	i := slices.IndexFunc(pods, func(p *corev1.Pod) bool { return p.Name == host || p.Spec.NodeName == host })
	if i < 0 || host == "" {
		return nil
	}
	return pods[i]
}

// flagsOf are a program's, of all containers of a Pod.
func flagsOf(p *corev1.Pod, of manager.Program) map[string]string {
	var m profile.Manager
	for _, c := range p.Spec.Containers {
		m.Args = slices.Concat(m.Args, c.Command, c.Args)
	}
	return m.Settings(of).Flags
}

// leaderHost is the host in the identity of a Lease's holder, host_uuid; empty where it is
// not known.
func leaderHost(ctx context.Context, src view.Source, lease view.Need) string {
	objs, err := src.Once(ctx, lease)
	if err != nil || len(objs) != 1 {
		return ""
	}
	l, ok := objs[0].(*coordinationv1.Lease)
	if !ok {
		return ""
	}
	host, _, _ := strings.Cut(ptr.Deref(l.Spec.HolderIdentity, ""), "_")
	return host
}
