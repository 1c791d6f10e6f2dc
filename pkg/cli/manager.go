package cli

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// controllerManager is how the controller manager's container and its Lease are
// called, and what labels its pods.
const controllerManager = "kube-controller-manager"

// managerLabels are on the controller manager's pods where those can be read:
// the first with kubeadm and what builds on it, the second with kops and Talos.
var managerLabels = []string{"component", "k8s-app"}

// foundManager is the controller manager that leads, and what was read for it.
type foundManager struct {
	profile.Manager
	reads []view.Read
}

// findManager looks for the pods of the controller manager. A source that can't
// be read at all tells when it is asked for its version.
func findManager(ctx context.Context, src view.Source) (found foundManager) {
	_, err := view.Settle(ctx, src, func(v *view.View) ([]*view.Reader, error) {
		r := v.Reader()
		found = foundManager{managerIn(r), r.Asked()}
		return []*view.Reader{r}, nil
	})
	if err != nil {
		return foundManager{}
	}
	return found
}

// managerIn is the zero Manager where none is seen: many clusters hide it, or run
// it otherwise than as a pod. That it may not be read is worth a caveat.
func managerIn(r *view.Reader) (m profile.Manager) {
	var pods []*corev1.Pod
	for _, key := range managerLabels {
		sel := labels.SelectorFromSet(labels.Set{key: controllerManager})
		need := view.Need{
			Kind: view.Pods, Namespace: "kube-system", Selector: view.SelectorText(sel), Detail: view.Full,
			Without: "the server's version stands for that of its controller manager",
		}
		pods = append(pods, view.List[*corev1.Pod](r, need, sel)...)
		if err := r.Err(need); m.Caveat == "" && apierrors.IsForbidden(err) {
			m.Caveat = fmt.Sprintf("%v: %s", err, need.Without)
		}
	}
	if len(pods) > 0 {
		return leading(r, pods)
	}
	return m
}

// leading is the manager whose host holds the Lease; where all are alike that
// does not matter.
func leading(r *view.Reader, pods []*corev1.Pod) profile.Manager {
	first := managerOf(pods[0])
	if !slices.ContainsFunc(pods, func(p *corev1.Pod) bool { return !reflect.DeepEqual(managerOf(p), first) }) {
		return first
	}
	lease, _ := view.Get[*coordinationv1.Lease](r, view.Need{
		Kind: view.Leases, Namespace: "kube-system", Name: controllerManager, Without: "which of several controller managers leads is not known",
	})
	if lease != nil && lease.Spec.HolderIdentity != nil {
		host, _, _ := strings.Cut(*lease.Spec.HolderIdentity, "_")
		for _, p := range pods {
			if p.Spec.NodeName == host {
				return managerOf(p)
			}
		}
	}
	first.Caveat = fmt.Sprintf("controller managers of several versions or arguments run, and which one leads is not known; that of pod %s is modelled", pods[0].Name)
	return first
}

// managerOf is the container of the controller manager; of arguments only those
// that this tool reads, for the others differ from host to host.
func managerOf(p *corev1.Pod) profile.Manager {
	for _, c := range p.Spec.Containers {
		if c.Name == controllerManager {
			return profile.Manager{Image: c.Image, Args: slices.DeleteFunc(slices.Concat(c.Command, c.Args), func(arg string) bool {
				return !strings.HasPrefix(strings.TrimLeft(arg, "-"), "feature-gates=")
			})}
		}
	}
	return profile.Manager{}
}
