package revision

import (
	"maps"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/api"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise/template"
)

// Revision is a version of the template.
type Revision struct {
	Name    string
	Number  int64
	created time.Time
	// Template is the pod template, in the form in which two of them compare.
	Template template.Template
	// claimHash is the annotation with the hash of the volume claim templates.
	claimHash    string
	hasClaimHash bool
	// bare: it has no annotation at all.
	bare bool
}

func revisionOf(cr *appsv1.ControllerRevision) *Revision {
	r := &Revision{Name: cr.Name, Number: cr.Revision, created: cr.CreationTimestamp.Time, Template: template.Stored(cr.Data.Raw), bare: cr.Annotations == nil}
	r.claimHash, r.hasClaimHash = cr.Annotations[api.ClaimHashAnnotation]
	return r
}

// object is the ControllerRevision of a template that has none (NewRevision of
// revision/cloneset_revision.go, v1.9.1).
func (r *Revision) object(set *api.Set) *appsv1.ControllerRevision {
	labels, annotations := maps.Clone(set.Spec.Template.Labels), maps.Clone(set.GetAnnotations())
	if labels == nil {
		labels = map[string]string{}
	}
	if annotations == nil {
		annotations = map[string]string{}
	}
	labels["controller.kubernetes.io/hash"] = kruise.ShortHash(r.Name)
	if r.hasClaimHash {
		annotations[api.ClaimHashAnnotation] = r.claimHash
	}
	return &appsv1.ControllerRevision{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: set.GetNamespace(), Name: r.Name, Labels: labels, Annotations: annotations,
			OwnerReferences: []metav1.OwnerReference{set.Reference()},
		},
		Revision: r.Number, Data: runtime.RawExtension{Raw: r.Template.Raw},
	}
}

// rolledBack is the stored revision with its new number and the hash of the claim
// templates that the set has now.
func (r *Revision) rolledBack(now metav1.Object) metav1.Object {
	stored, ok := view.Copy(now).(*appsv1.ControllerRevision)
	if !ok {
		return now
	}
	stored.Revision = r.Number
	if r.hasClaimHash {
		if stored.Annotations == nil {
			stored.Annotations = map[string]string{}
		}
		stored.Annotations[api.ClaimHashAnnotation] = r.claimHash
	}
	return stored
}

// Ref returns the name of the ControllerRevision of a namespace.
func (r *Revision) Ref(namespace string) decision.Ref {
	k := view.ControllerRevisions
	return decision.Ref{APIVersion: k.GroupVersion().String(), Kind: k.Kind, Namespace: namespace, Name: r.Name}
}

// WriteHash writes the labels of a revision on a Pod, its hash alone where short
// (WriteRevisionHash of utils/cloneset_utils.go, v1.9.1).
func (r *Revision) WriteHash(p *corev1.Pod, short bool) {
	p.Labels[kruise.RevisionLabel] = r.Name
	if short {
		p.Labels[kruise.RevisionLabel] = kruise.ShortHash(r.Name)
	}
	p.Labels[api.TemplateHashLabel] = kruise.ShortHash(r.Name)
}
