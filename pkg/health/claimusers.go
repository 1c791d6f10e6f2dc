package health

import (
	"regexp"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// claimGoing is how the scheduler says that a Pod's volume claim is being deleted
// (pkg/scheduler/framework/plugins/volumebinding PreFilter, podHasPVCs, v1.37.1).
var claimGoing = regexp.MustCompile(`\bpersistentvolumeclaim "([^"]+)" is being deleted`)

// ClaimUser reads which Pod keeps a volume claim from being deleted, besides one; empty for none.
func ClaimUser(r *view.Reader, claim metav1.Object, besides string) string {
	if !slices.Contains(claim.GetFinalizers(), view.ClaimProtection) {
		return ""
	}
	return userOf(r, claim.GetNamespace(), claim.GetName(), besides)
}

// userOf reads which Pod keeps a volume claim, besides one; empty for none.
func userOf(r *view.Reader, namespace, claim, besides string) string {
	need := view.Need{Kind: view.Pods, Namespace: namespace, IfMissing: "which Pod uses volume claim " + claim + " is not known", Explains: true}
	for _, p := range view.List[*corev1.Pod](r, need, nil) {
		if p.Name != besides && view.KeepsClaim(p, claim) {
			return p.Name
		}
	}
	return ""
}

// keptClaim adds to a finding which Pod keeps a volume claim that is being deleted, and
// that this one waits for.
func (l look) keptClaim(f *finding) {
	m := claimGoing.FindStringSubmatch(f.message)
	if m == nil || l.usedBy == nil {
		return
	}
	if by := l.usedBy(m[1]); by != "" {
		f.message = "volume claim " + m[1] + " stays as long as pod/" + by + " uses it; " + f.message
		f.next = ExplainPod(l.pod.Namespace, by)
	}
}

// ExplainPod is the command that says how a Pod stands.
func ExplainPod(namespace, name string) string {
	return "kubectl ctrl explain pod/" + name + " -n " + namespace
}
