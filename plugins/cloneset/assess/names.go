package assess

import (
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/health"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/rules"
)

// namesTaken are the causes that objects have the names of Pods and volume claims that a sync
// is to create. The controller deletes none of them, nor takes another instance ID
// (getOrGenAvailableIDs and createOnePod of sync/cloneset_scale.go, v1.9.1). Its own Pods that
// are being deleted are causes already.
func (a *assessor) namesTaken() (causes []decision.Cause) {
	for _, by := range a.d.NamedAlike {
		i := slices.IndexFunc(a.all, func(p *corev1.Pod) bool { return by.Kind == view.Pods.Kind && p.Name == by.Name })
		switch {
		case i < 0:
			causes = append(causes, a.namedAlike(by))
		case a.all[i].DeletionTimestamp == nil:
			causes = append(causes, a.keepsName(by, a.all[i]))
		}
	}
	for i := range causes {
		causes[i].Stops = a.d.Summary.Create == 0
	}
	return causes
}

// keepsName is the cause that one of its Pods, which ended, has the name.
func (a *assessor) keepsName(by decision.Ref, p *corev1.Pod) decision.Cause {
	phase := string(p.Status.Phase)
	return a.options.Judge(decision.Cause{
		Object: by, Reason: rules.NameTaken, Label: fmt.Sprintf("name %s is taken by a %s Pod", p.Name, phase), Evidence: "status.phase",
		Message: "the next Pod reuses the volume claims of " + p.Name + ", and so its name, and the controller deletes no " + phase + " Pod: delete it, and it is created again",
		Next:    fmt.Sprintf("kubectl delete pod %s -n %s", p.Name, p.Namespace),
	}, health.CreateForbidden, time.Time{})
}

// namedAlike is the cause that an object has the name that is not its own.
func (a *assessor) namedAlike(by decision.Ref) decision.Cause {
	noun, need := "Pod", a.set.PodsNeed()
	if by.Kind != view.Pods.Kind {
		noun, need = "volume claim", a.set.ClaimsNeed()
	}
	c := decision.Cause{
		Object: by, Reason: rules.NameTaken, Label: "name " + by.Name + " is taken by another " + noun, Evidence: "metadata.ownerReferences",
		Message: "the next Pod reuses volume claims that are left, and so their instance ID, and the CloneSet does not own the " + noun + " of this name: the creation is refused until that is deleted",
		Next:    a.describe(strings.ToLower(by.Kind), by.Name),
	}
	all := a.r.Metadata(need)
	i := slices.IndexFunc(all, func(o metav1.Object) bool { return o.GetName() == by.Name })
	if i < 0 {
		return a.options.Judge(c, health.CreateForbidden, time.Time{})
	}
	if at := all[i].GetDeletionTimestamp(); at != nil {
		c.Label, c.Evidence = c.Label+", which is being deleted", "metadata.deletionTimestamp"
		return a.options.Judge(c, health.Deletion, at.Time)
	}
	if of := metav1.GetControllerOfNoCopy(all[i]); of != nil && of.Kind == view.CloneSets.Kind && of.Name == a.set.GetName() && of.UID != a.set.GetUID() {
		c.Message += "; its owner was another CloneSet of this name, and the garbage collector deletes it"
		return a.options.Judge(c, health.Step, time.Time{})
	}
	return a.options.Judge(c, health.CreateForbidden, time.Time{})
}
