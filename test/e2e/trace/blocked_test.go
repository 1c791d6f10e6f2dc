package trace

import (
	"context"
	"testing"
	"time"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/trace/entry"
)

// TestBlockedCloneSet blocks a CloneSet by an expectation: a policy takes the
// owner off the pod that it creates, so that the event that it waits for never
// comes. The trace tells that from a manager that is gone and from a refusal.
func TestBlockedCloneSet(t *testing.T) {
	on, _, clones := startCloneSet(t, 2)

	r := startTrace(t, on.Kubeconfig(), "clonesets/web", "-n", "default")
	scaleClones(t, clones, 3)
	r.await(30*time.Second, "creation that was predicted", func(e entry.Entry) bool {
		return e.Act != nil && e.Act.Verb == "create" && e.Act.Standing != entry.Otherwise
	})
	check(t, on.WaitForReadyPods(t.Context(), "default", "app=web", 3))

	policies := on.client.AdmissionregistrationV1().MutatingAdmissionPolicies()
	_, err := policies.Create(t.Context(), takeOwners(), metav1.CreateOptions{})
	check(t, err)
	_, err = on.client.AdmissionregistrationV1().MutatingAdmissionPolicyBindings().Create(t.Context(), &admissionv1.MutatingAdmissionPolicyBinding{
		ObjectMeta: metav1.ObjectMeta{Name: "take-owners"},
		Spec:       admissionv1.MutatingAdmissionPolicyBindingSpec{PolicyName: "take-owners"},
	}, metav1.CreateOptions{})
	check(t, err)
	check(t, on.WaitFor(t.Context(), "the policy to apply", func(ctx context.Context) (bool, error) {
		pod := &corev1.Pod{Spec: template("probe").Spec}
		pod.Name, pod.OwnerReferences = "probe", []metav1.OwnerReference{{APIVersion: "v1", Kind: "ConfigMap", Name: "none", UID: "none"}}
		pod, err := on.client.CoreV1().Pods("default").Create(ctx, pod, metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
		return err == nil && len(pod.OwnerReferences) == 0, err
	}))
	scaleClones(t, clones, 4)
	r.await(30*time.Second, "delay that an expectation explains", verdictOn("web", entry.Late, "ScaleExpectationSuspected"))
	if sum := r.stop(); sum.Misses != 0 {
		t.Errorf("got %+v", sum)
	}
}

// takeOwners is a policy that takes the owners off pods.
func takeOwners() *admissionv1.MutatingAdmissionPolicy {
	p := &admissionv1.MutatingAdmissionPolicy{ObjectMeta: metav1.ObjectMeta{Name: "take-owners"}}
	fail := admissionv1.Fail
	p.Spec = admissionv1.MutatingAdmissionPolicySpec{
		FailurePolicy:      &fail,
		ReinvocationPolicy: admissionv1.NeverReinvocationPolicy,
		MatchConstraints: &admissionv1.MatchResources{ResourceRules: []admissionv1.NamedRuleWithOperations{{
			RuleWithOperations: admissionv1.RuleWithOperations{
				Operations: []admissionv1.OperationType{admissionv1.Create},
				Rule:       admissionv1.Rule{APIGroups: []string{""}, APIVersions: []string{"v1"}, Resources: []string{"pods"}},
			},
		}}},
		MatchConditions: []admissionv1.MatchCondition{{Name: "owned", Expression: "has(object.metadata.ownerReferences)"}},
		Mutations: []admissionv1.Mutation{{
			PatchType: admissionv1.PatchTypeJSONPatch,
			JSONPatch: &admissionv1.JSONPatch{Expression: `[JSONPatch{op: "remove", path: "/metadata/ownerReferences"}]`},
		}},
	}
	return p
}

func cloneSet(name string, replicas int64) *unstructured.Unstructured {
	labels := map[string]any{"app": name}
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "apps.kruise.io/v1alpha1", "kind": "CloneSet", "metadata": map[string]any{"name": name},
		"spec": map[string]any{
			"replicas": replicas, "selector": map[string]any{"matchLabels": labels},
			"template": map[string]any{
				"metadata": map[string]any{"labels": labels},
				"spec":     map[string]any{"containers": []any{map[string]any{"name": "main", "image": "main:1"}}},
			},
		},
	}}
}
