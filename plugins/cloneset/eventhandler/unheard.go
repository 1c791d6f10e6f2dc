package eventhandler

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/handlers"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/core"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise"
)

// podUpdated says whether the update of a pod that kept its labels and its
// owner is listened to while the gate CloneSetEventHandlerOptimization is on
// (shouldIgnoreUpdate of cloneset_event_handler.go, and IgnorePodUpdateEvent of
// core/cloneset_core.go, v1.9.1). Whether the update of a pod is paused is not
// asked: a CloneSet pauses that of none.
func podUpdated(b core.Behaviour, c handlers.Cluster, ev handlers.Event, owner view.Target) handlers.Effect {
	why := handlers.NoOwner
	set, there := c.Get(owner.Kind, owner.Namespace, owner.Name)
	was, isPod := ev.Old.(*corev1.Pod)
	is, arePods := ev.New.(*corev1.Pod)
	if there && isPod && arePods {
		if why = difference(b, kruise.HooksOf(set), was, is); why == "" {
			return inPlaceUpdated(b, is, owner)
		}
	}
	return heard(owner, why)
}

// difference is what is listened to of two states of a pod, empty for nothing.
func difference(b core.Behaviour, hooks kruise.Lifecycle, was, is *corev1.Pod) string {
	wasReady, _ := kruise.Ready(was)
	isReady, _ := kruise.Ready(is)
	switch {
	case was.Generation != is.Generation:
		return handlers.GenerationChanged
	case hooks.PreDelete.Moved(was, is):
		return handlers.PreDeleteMoved
	case hooks.InPlaceUpdate.Moved(was, is):
		return handlers.InPlaceUpdateMoved
	case b.HearsEnds && hooks.PreNormal.Moved(was, is):
		return handlers.PreNormalMoved
	case wasReady != isReady:
		return handlers.ReadinessChanged
	case b.HearsEnds && kruise.Active(was) != kruise.Active(is):
		return handlers.ActivityChanged
	}
	return ""
}

// inPlaceUpdated listens to pods whose update in place is done as long as
// InPlaceUpdateReady is not True.
func inPlaceUpdated(b core.Behaviour, p *corev1.Pod, owner view.Target) handlers.Effect {
	text := kruise.Annotation(p, kruise.UpdateAnnotation, kruise.OldUpdate)
	if text == "" || !kruise.HasGate(p, kruise.InPlaceReady) && !inOtherState(b, p) {
		return unheard(owner, handlers.NothingChanged)
	}
	st, err := b.ReadState(text)
	if err != nil {
		return unheard(owner, handlers.StateUnreadable)
	}
	done, unknown := b.ContainersUpdated(p, st)
	c := kruise.InPlaceCondition(p)
	open := c != nil && c.Status == corev1.ConditionTrue
	switch {
	case open && !b.Vertical:
		return unheard(owner, handlers.ConditionTrue)
	case unknown != "":
		return handlers.Effect{Ruling: ruled(handlers.UpdateUnsure, owner, unknown), Target: owner, Enqueue: true}
	case !done:
		return unheard(owner, handlers.InPlaceGoesOn)
	case open:
		return heard(owner, handlers.MayBeResized)
	default:
		return heard(owner, handlers.InPlaceDone)
	}
}

// inOtherState takes a pod that has labels, but none with its state, for one
// that is not Normal.
func inOtherState(b core.Behaviour, p *corev1.Pod) bool {
	return b.HearsStates && len(p.Labels) > 0 && p.Labels[kruise.StateLabel] != kruise.Normal
}

func heard(owner view.Target, why string) handlers.Effect {
	return handlers.Effect{Ruling: ruled(handlers.DependentUpdated, owner, why), Target: owner, Enqueue: true}
}

func unheard(owner view.Target, why string) handlers.Effect {
	return handlers.Effect{Ruling: ruled(handlers.UpdateUnheard, owner, why), Target: owner}
}

func ruled(rule string, owner view.Target, why string) decision.Ruling {
	return decision.Ruled(rule, decision.F(handlers.KeyOwner, handlers.Name(owner)), decision.F(handlers.KeyWhy, why))
}
