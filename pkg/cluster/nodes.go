package cluster

import (
	"fmt"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/places"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// nodes are what is known of those that new Pods may get.
type nodes struct {
	// all are the nodes, where known is true.
	all   []*corev1.Node
	known bool
	// verdicts are why none fits the Pods of a controller and revision, empty where one may.
	verdicts map[string]string
	// unfit are the Pods that fit none, assumed is true where no Pod shows that one may,
	// or Pods are crowded out that ask for more.
	unfit   []*corev1.Pod
	assumed bool
	// kept are the Pods of the start that the scheduler keeps from all nodes, whoever goes,
	// and as are the new ones that wait as one of them does.
	kept, as []*corev1.Pod
}

// look reads them for the first new Pod, where they are in hand.
func (n *nodes) look(v *view.View) {
	if n.verdicts != nil {
		return
	}
	n.known, n.verdicts = v.Knows(view.Need{Kind: view.Nodes, Detail: view.Full}), map[string]string{}
	if n.known {
		for _, obj := range v.All(view.Nodes) {
			if node, whole := obj.(*corev1.Node); whole {
				n.all = append(n.all, node)
			}
		}
	}
}

// misfit is why no node fits a new Pod, empty where one may: as far as nodes are known, or
// as the scheduler says of one that the same rules keep from nodes.
func (n *nodes) misfit(v *view.View, p *corev1.Pod) string {
	n.look(v)
	key := p.Labels[appsv1.ControllerRevisionHashLabelKey]
	if of := metav1.GetControllerOfNoCopy(p); of != nil {
		key += " " + string(of.UID)
	}
	claims := view.ClaimsOf(p)
	if len(claims) > 0 {
		key += " " + p.Name
	}
	why, judged := n.verdicts[key]
	if !judged {
		if why = places.Unfit(p, n.all); why == "" && n.known {
			why = n.pinned(v, p, claims)
		}
		n.verdicts[key] = why
		n.assumed = n.assumed || !n.known && !placed(v, p)
	}
	if i := slices.IndexFunc(n.kept, func(w *corev1.Pod) bool { return places.WantsNoOther(w, p) }); i >= 0 {
		n.as = append(n.as, p)
		message, _ := places.Unschedulable(n.kept[i])
		return places.Reasons(message)
	}
	if why != "" {
		n.unfit = append(n.unfit, p)
	}
	return why
}

// pinned is why no node fits a Pod on which alone a volume of it can be used, as far as claims
// and volumes are in hand.
func (n *nodes) pinned(v *view.View, p *corev1.Pod, claims []string) string {
	for _, name := range claims {
		obj, _ := v.Held(view.PersistentVolumeClaims, p.Namespace, name)
		claim, whole := obj.(*corev1.PersistentVolumeClaim)
		if !whole || claim.Spec.VolumeName == "" {
			continue
		}
		obj, _ = v.Held(view.PersistentVolumes, "", claim.Spec.VolumeName)
		volume, whole := obj.(*corev1.PersistentVolume)
		if !whole {
			continue
		}
		hosts := places.HostsOf(volume)
		hosting, why := places.Hosting(n.all, hosts), "it is not there"
		if len(hosts) == 0 {
			continue
		}
		if len(hosting) > 0 {
			why = places.Unfit(p, hosting)
		}
		if why != "" {
			return fmt.Sprintf("PersistentVolume %s of claim %s can be used only on node %s: %s", volume.Name, name, format.Some(hosts, len(hosts)), why)
		}
	}
	return ""
}

// beside assumes that a node fits a new Pod though others are crowded out.
func (n *nodes) beside(crowded []*corev1.Pod) { n.assumed = n.assumed || len(crowded) > 0 }

// placed reports whether a Pod is on a node that asks the scheduler for no less.
func placed(v *view.View, p *corev1.Pod) bool {
	for _, obj := range v.AllMetadata(view.Pods) {
		other, whole := view.Decoded(obj).(*corev1.Pod)
		if whole && other.Spec.NodeName != "" && !strings.HasPrefix(other.Spec.NodeName, madeUp) && places.AsksNoMore(p, other) {
			return true
		}
	}
	return false
}

// NodesAssumed reports whether new Pods got nodes though nothing shows that one fits them.
func (m *Model) NodesAssumed() bool { return m.nodes.assumed }

// Nodeless is how many new Pods are there that no known node fits, and why, as the scheduler
// will say.
func (m *Model) Nodeless() (n int, why string) { return m.unplaced(m.nodes.unfit) }

// Refused is how many Pods are there for which the scheduler has found no node, and why, as it
// says: those that no node has room for, those that it keeps from all nodes, and the new ones
// that wait as these do.
func (m *Model) Refused() (n int, why string) {
	return m.unplaced(slices.Concat(m.places.waiting, m.nodes.kept, m.nodes.as))
}

// unplaced is how many of the Pods are still there, and why, as the scheduler says.
func (m *Model) unplaced(pods []*corev1.Pod) (n int, why string) {
	counted := map[types.UID]bool{} // one that is created anew may be among them again
	for _, p := range pods {
		now, there := GetPod(m, p.Namespace, p.Name)
		if !there || now.UID != p.UID || now.DeletionTimestamp != nil || counted[p.UID] {
			continue
		}
		counted[p.UID] = true
		n++
		message, _ := places.Unschedulable(now)
		if message = places.Reasons(message); !strings.Contains(why, message) {
			if why != "" {
				why += "; "
			}
			why += message
		}
	}
	return n, why
}
