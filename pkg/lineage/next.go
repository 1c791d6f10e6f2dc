package lineage

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// next notes what is about to happen to the references of a node.
func (w *walker) next(n *Node) {
	o, exists := w.objects[types.UID(n.Object.UID)]
	if !exists {
		return
	}
	n.Next = w.claim(o)
	if ruling, acts := Collect(o.Object, w.linksOf(o)); n.Next == nil && acts {
		n.Next = &ruling
	}
}

// claim is the release or adoption that is due for an object, nil for none.
func (w *walker) claim(o object) *decision.Ruling {
	if len(ownership.ClaimerKinds(o.kind)) == 0 {
		return nil
	}
	claimants := w.claimantsOf(o)
	if ref := metav1.GetControllerOfNoCopy(o.Object); ref != nil {
		c := claimants.Of(ref.UID)
		if c == nil {
			return nil
		}
		if v := c.Claim(o.Object, w.ended); v.Hold == decision.ToRelease {
			ruling := v.Ruling
			ruling.Facts = append(ruling.Facts, decision.F("controller", c.Ref.String()))
			return &ruling
		}
		return nil
	}
	return adoption(w.adopters(o, ""))
}

// adopters lists who would take an object without a controller.
func (w *walker) adopters(o object, except string) []string {
	var names []string
	for _, c := range w.claimantsOf(o).Matching(o.Object) {
		if c.Ref.UID != except && c.Claim(o.Object, w.ended).Hold == decision.ToAdopt {
			names = append(names, c.Ref.String())
		}
	}
	return names
}

func adoption(names []string) *decision.Ruling {
	var ruling decision.Ruling
	switch len(names) {
	case 0:
		return nil
	case 1:
		ruling = decision.Ruled(AdoptedNext, decision.F("controller", names[0]))
	default:
		ruling = decision.Ruled(AdoptedByOneOf, decision.F("controllers", strings.Join(names, " or ")))
	}
	return &ruling
}

// claimantsOf reads the controllers that may claim objects like o.
func (w *walker) claimantsOf(o object) *ownership.Claimants {
	key := o.kind.GroupKind().String() + "/" + o.GetNamespace()
	if w.claimants[key] == nil {
		w.claimants[key] = ownership.ClaimantsOf(w.r, o.kind, o.GetNamespace(), w.ByName)
	}
	return w.claimants[key]
}

func (w *walker) ended(obj metav1.Object) bool {
	need := view.Need{Kind: view.Pods, Namespace: obj.GetNamespace(), Name: obj.GetName(), Without: "whether the pod has ended is not known"}
	pod, ok := view.Get[*corev1.Pod](w.r, need)
	return ok && (pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed)
}
