package cloneset

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/api"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/core"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/reconcile"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/revision"
)

// DiffsOf is the arithmetic of a sync alone, for a set and its claimed pods:
// as scaling counts them, and as updating does. An oracle compares it with
// upstream's. Errors: an object that is no CloneSet of a known version.
func DiffsOf(k profile.Installed, now time.Time, obj *unstructured.Unstructured, pods []*corev1.Pod, current, update string) (scaling, updating core.Diffs, err error) {
	set, err := api.Read(obj)
	if err != nil {
		return core.Diffs{}, core.Diffs{}, err
	}
	none := view.NewBuilder(now).View().Reader()
	s := &sync{Run: reconcile.New(none, profile.Version{}, k, set, reconcile.Given{})}
	s.Revisions = revision.Named(current, update)
	s.Pods = s.States(pods)
	s.readLimits()
	fresh, old := core.GroupPods(s.Pods, false)
	scaling = core.CalculateDiffs(s.Limits, fresh, old)
	fresh, old = core.GroupPods(s.Pods, true)
	return scaling, core.CalculateDiffs(s.Limits, fresh, old), nil
}
