package assess

import (
	"fmt"
	"strings"
	"time"

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
		need := a.set.PodsNeed()
		if by.Kind != view.Pods.Kind {
			need = a.set.ClaimsNeed()
		}
		for _, o := range a.r.Metadata(need) {
			own := metav1.IsControlledBy(o, a.set)
			if o.GetName() == by.Name && (!own || by.Kind != view.Pods.Kind || o.GetDeletionTimestamp() == nil) {
				causes = append(causes, a.nameTaken(by, o, own))
			}
		}
	}
	return causes
}

// nameTaken is the cause that an object has a name: one of its Pods, which ended, or one that is
// not its own.
func (a *assessor) nameTaken(by decision.Ref, o metav1.Object, own bool) decision.Cause {
	class, began, kind := health.CreateForbidden, time.Time{}, strings.ToLower(by.Kind)
	c := decision.Cause{
		Object: by, Reason: rules.NameTaken, Label: "name " + by.Name + " is taken by another " + by.Kind, Evidence: "metadata.ownerReferences", Stops: a.d.Summary.Create == 0,
		Message: "the next Pod reuses volume claims that are left, and so their instance ID, and the CloneSet does not own the " + by.Kind + " of this name: the creation is refused until that is deleted",
		Next:    a.describe(kind, by.Name),
	}
	of := metav1.GetControllerOfNoCopy(o)
	switch at := o.GetDeletionTimestamp(); {
	case at != nil:
		class, began = health.Deletion, at.Time
		c.Label, c.Evidence = c.Label+", which is being deleted", "metadata.deletionTimestamp"
	case own && by.Kind == view.Pods.Kind:
		c.Label, c.Evidence, c.Next = "name "+by.Name+" is taken by a Pod that ended", "status.phase", fmt.Sprintf("kubectl delete pod %s -n %s", by.Name, by.Namespace)
		c.Message = "the next Pod reuses the volume claims of " + by.Name + ", and so its name, and the controller deletes no Pod that ended: delete it, and it is created again"
	case of != nil && of.Kind == view.CloneSets.Kind && of.Name == a.set.GetName():
		class = health.Step
		c.Message += "; its owner was another CloneSet of this name, and the garbage collector deletes it"
	}
	return a.options.Judge(c, class, began)
}
