package statefulset

import (
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/whatif"
)

// TestValidated: most of a StatefulSet's spec is fixed, and claim templates are volumes.
func TestValidated(t *testing.T) {
	for name, c := range map[string]struct{ json, want string }{
		"storage":       {`{"spec":{"volumeClaimTemplates":[{"metadata":{"name":"data"},"spec":{"storageClassName":"slow"}}]}}`, "refuses to change the volumeClaimTemplates; delete the object with --cascade=orphan, which keeps its Pods"},
		"service":       {`{"spec":{"serviceName":"other"}}`, "refuses to change the serviceName"},
		"policy":        {`{"spec":{"podManagementPolicy":"Parallel"}}`, "refuses to change the podManagementPolicy; delete the object with --cascade=orphan"},
		"ordinal":       {`{"spec":{"ordinals":{"start":-1}}}`, "spec.ordinals.start: -1 is less than 0"},
		"partition":     {`{"spec":{"updateStrategy":{"rollingUpdate":{"partition":-1}}}}`, "partition: -1 is less than 0"},
		"strategy":      {`{"spec":{"updateStrategy":{"type":"Rolling"}}}`, `"Rolling" is neither RollingUpdate nor OnDelete`},
		"Recreate":      {`{"spec":{"updateStrategy":{"type":"Recreate"}}}`, ""},
		"OnDelete":      {`{"spec":{"updateStrategy":{"type":"OnDelete"}}}`, ""},
		"no volume":     {`{"spec":{"template":{"spec":{"containers":[{"name":"app","image":"i","volumeMounts":[{"name":"logs","mountPath":"/l"}]}]}}}}`, `no volume "logs"`},
		"claim mounted": {`{"spec":{"template":{"spec":{"containers":[{"name":"app","image":"j","volumeMounts":[{"name":"data","mountPath":"/d"}]}]}}}}`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			labels := map[string]string{"app": "web"}
			set := &appsv1.StatefulSet{ObjectMeta: metav1.ObjectMeta{Name: "web", Namespace: "shop", UID: "s"}}
			set.Spec.Selector, set.Spec.Template.Labels = &metav1.LabelSelector{MatchLabels: labels}, labels
			set.Spec.PodManagementPolicy = appsv1.OrderedReadyPodManagement
			set.Spec.VolumeClaimTemplates = []corev1.PersistentVolumeClaim{{ObjectMeta: metav1.ObjectMeta{Name: "data"}}}
			m := whatif.Manifest{Kind: view.StatefulSets, Namespace: "shop", Name: "web", JSON: []byte(c.json), Validated: Controller().Admit.Validated}
			_, _, err := m.Apply(set, metav1.NewTime(time.Unix(0, 0)))
			if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}
