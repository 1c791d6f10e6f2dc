package health

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// collecting is when Pods are deleted that have ended, as long as their owner is there
// (pkg/controller/podgc/gc_controller.go gcTerminated and gcOrphaned, and
// config/v1alpha1/defaults.go, v1.37.1).
const collecting = "; the Pod garbage collector starts beyond 12500 ended Pods in the cluster (default of --terminated-pod-gc-threshold), and deletes any whose node does not exist"

// NoteEnded warns of Pods that have ended, for controllers that neither count nor delete
// those (FilterActivePods of pkg/controller/controller_utils.go, v1.37.1).
func NoteEnded(d *decision.Decision, pods []*corev1.Pod) {
	var last *corev1.Pod
	count, total, at := map[string]int{}, 0, time.Time{}
	for _, p := range pods {
		if view.Ended(p) && p.DeletionTimestamp == nil {
			last, total = p, total+1
			if ended := endedAt(p); ended.After(at) {
				at = ended
			}
			count[string(p.Status.Phase)+"/"+p.Status.Reason]++
		}
	}
	var text, since string
	if !at.IsZero() {
		since = " since " + format.Instant(at)
	}
	switch total {
	case 0:
		return
	case 1:
		why := last.Status.Reason
		if node := last.Spec.NodeName; node != "" {
			why = both(columns, why, "on node "+node)
		}
		text = inBrackets(fmt.Sprintf("%s Pod %s", last.Status.Phase, last.Name), why) + since + " is not counted, and stays until it is deleted"
	default:
		var kinds []string
		for _, kind := range slices.Sorted(maps.Keys(count)) {
			phase, reason, _ := strings.Cut(kind, "/")
			kinds = append(kinds, inBrackets(format.Plural(count[kind], phase+" Pod"), reason))
		}
		if since != "" {
			since = ", the last one" + since + ","
		}
		text = format.Some(kinds, len(kinds)) + since + " are not counted, and stay until they are deleted"
	}
	d.AddCaveat("EndedPodsStay", text+collecting)
}

func inBrackets(text, more string) string {
	if more == "" {
		return text
	}
	return text + " (" + more + ")"
}
