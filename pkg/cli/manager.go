package cli

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"sync"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/lease"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/trace/entry"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// controllerManager is how the controller manager's container is called, and what
// labels its pods.
const controllerManager = "kube-controller-manager"

// managerPods are the controller manager's pods, where those can be read: kubeadm
// and what builds on it use the first label, kops and Talos the second.
func managerPods() []view.Need {
	var needs []view.Need
	for _, key := range []string{"component", "k8s-app"} {
		needs = append(needs, view.Need{
			Kind: view.Pods, Namespace: "kube-system", Selector: key + "=" + controllerManager, Detail: view.Full,
			IfMissing: "the server's version stands for that of its controller manager",
		})
	}
	return needs
}

// findManager looks for the controller manager that leads. It is the zero Manager
// where none is seen: many clusters hide it, or run it otherwise than as a pod.
// That it may not be read is worth a caveat. A read that fails otherwise, twice,
// makes the answer partial: another version may decide otherwise.
func findManager(ctx context.Context, src view.Source) (m profile.Manager) {
	needs := managerPods()
	pods, errs := make([][]*corev1.Pod, len(needs)), make([]error, len(needs))
	var reading sync.WaitGroup
	for i, need := range needs {
		reading.Go(func() {
			if pods[i], errs[i] = podsOf(ctx, src, need); serverFailed(errs[i]) {
				pods[i], errs[i] = podsOf(ctx, src, need)
			}
		})
	}
	reading.Wait()
	if all := slices.Concat(pods...); len(all) > 0 {
		return leading(ctx, src, all)
	}
	m.Hidden = "no Pod of it is seen"
	for i, err := range errs {
		if err != nil && !errors.As(err, new(*view.NotInInput)) && m.Caveat == "" {
			m.Caveat, m.Unread = fmt.Sprintf("%v: %s", err, needs[i].IfMissing), passing(err)
			m.Hidden = err.Error()
		}
	}
	return m
}

// serverFailed reports whether the server said that it could not do its work.
func serverFailed(err error) bool {
	var status apierrors.APIStatus
	return errors.As(err, &status) && status.Status().Code >= http.StatusInternalServerError
}

// passing reports whether a read failed for another reason than that this user
// may not read it, or that there is nothing to read.
func passing(err error) bool {
	return err != nil && !apierrors.IsForbidden(err) && !apierrors.IsNotFound(err) && !errors.As(err, new(*view.NotInInput))
}

func podsOf(ctx context.Context, src view.Source, need view.Need) (pods []*corev1.Pod, err error) {
	objs, err := src.Once(ctx, need)
	for _, obj := range objs {
		if p, ok := obj.(*corev1.Pod); ok {
			pods = append(pods, p)
		}
	}
	return pods, err
}

// leading is the manager whose host holds the Lease; where all are alike that
// does not matter.
func leading(ctx context.Context, src view.Source, pods []*corev1.Pod) profile.Manager {
	first := managerOf(pods[0])
	differs := func(how func(profile.Manager) []string) bool {
		return slices.ContainsFunc(pods, func(p *corev1.Pod) bool { return !slices.Equal(how(managerOf(p)), how(first)) })
	}
	if !differs(func(m profile.Manager) []string { return append(m.Args, m.Image) }) {
		return first
	}
	if p := onHost(pods, leaderHost(ctx, src, lease.ControllerManager.Lease)); p != nil {
		return managerOf(p)
	}
	if !differs(func(m profile.Manager) []string { return append(m.Deciding(), m.Image) }) {
		first.Hidden = "controller managers with several settings run, and which one leads is not known"
		return first
	}
	first.Caveat = fmt.Sprintf("controller managers of several versions or arguments run, and which one leads is not known; that of Pod %s is modelled", pods[0].Name)
	return first
}

// managerOf is the container of the controller manager; of arguments only those
// that this tool reads, for the others differ from host to host.
func managerOf(p *corev1.Pod) profile.Manager {
	for _, c := range p.Spec.Containers {
		if c.Name == controllerManager {
			m := profile.Manager{Pod: p.Name, Image: c.Image, Args: slices.Concat(c.Command, c.Args), Mutations: mutationsOf(c)}
			m.Args = m.Arguments()
			return m
		}
	}
	return profile.Manager{Hidden: "Pod " + p.Name + " has no container " + controllerManager}
}

// mutationsOf reads from the environment of a container what client-go reads there
// (init of tools/cache/mutation_detector.go, v0.37.1).
func mutationsOf(c corev1.Container) profile.Mutations {
	const name = "KUBE_CACHE_MUTATION_DETECTOR"
	for _, v := range slices.Backward(c.Env) { // the last one counts
		switch {
		case v.Name == name && v.ValueFrom != nil:
			return profile.Mutations{Hidden: "its Pod takes " + name + " from another object"}
		case v.Name == name:
			on, err := strconv.ParseBool(v.Value)
			return profile.Mutations{On: on && err == nil}
		}
	}
	if len(c.EnvFrom) > 0 {
		return profile.Mutations{Hidden: "its Pod takes its environment from another object"}
	}
	return profile.Mutations{}
}

// detector is what is known of the mutation detector of the controller manager.
func (o *opened) detector() (d entry.Detector) {
	switch m := o.manager; {
	case m.Hidden != "":
		d.Reason = m.Hidden
	case m.Mutations.Hidden != "":
		d.Reason = m.Mutations.Hidden
	case m.Mutations.On:
		d.Manager = "on"
	default:
		d.Manager = "off"
	}
	return d
}
