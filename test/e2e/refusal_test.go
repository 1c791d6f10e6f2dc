package e2e

import (
	"context"
	"encoding/json"
	"encoding/pem"
	"net/http"
	"net/http/httptest"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// TestRefusal is about creations that admission refuses for reasons that only
// an attempt shows: before the first one the plan does not know of them, and
// after it tells them.
func TestRefusal(t *testing.T) {
	unforeseen := []string{"created 0 pods and was refused 1, planned 3 and 0", "wrote the conditions [{ReplicaFailure True"}
	const because = "what admission says to a creation is known only by trying"
	runScenarios(t, []scenario{
		{
			name:   "a webhook, before the first attempt",
			setup:  func(w *world) { w.refuseByWebhook() },
			change: func(w *world) { w.createSet(replicaSet(web, 3)) },
			shows:  []string{"CreateMissing"}, differs: unforeseen, because: because,
		},
		{
			name: "a webhook, after an attempt",
			setup: func(w *world) {
				w.refuseByWebhook()
				w.createSet(replicaSet(web, 2))
				w.waitForFailure()
			},
			change: func(w *world) { w.scale(web, 3) },
			shows:  []string{"CreateAfterRefusal", "FailedCreateEvent", "ReplicaFailure"},
		},
		{
			name: "pod security, after an attempt", plugin: true,
			setup: func(w *world) {
				w.restrict()
				w.createSet(replicaSet(web, 2))
				w.waitForFailure()
			},
			change: func(w *world) { w.scale(web, 3) },
			shows:  []string{"CreateAfterRefusal", "FailedCreateEvent", "ReplicaFailure"},
		},
	})
}

// restrict has the API server refuse pods that are not made for it.
func (w *world) restrict() {
	w.Helper()
	patch := []byte(`{"metadata":{"labels":{"pod-security.kubernetes.io/enforce":"restricted"}}}`)
	_, err := w.client.CoreV1().Namespaces().Patch(w.Context(), w.namespace, types.MergePatchType, patch, metav1.PatchOptions{})
	w.check(err)
	w.waitForRefusal(pod{name: "probe"}.object(), "violates PodSecurity")
}

const refusalByWebhook = "no pods on a Friday"

// refuseByWebhook has a server of this test refuse all pods of the namespace.
func (w *world) refuseByWebhook() {
	w.Helper()
	server := httptest.NewTLSServer(http.HandlerFunc(refuse))
	w.Cleanup(server.Close)
	configurations := w.client.AdmissionregistrationV1().ValidatingWebhookConfigurations()
	_, err := configurations.Create(w.Context(), webhookConfiguration(w.namespace, server), metav1.CreateOptions{})
	w.check(err)
	w.Cleanup(func() {
		w.check(configurations.Delete(context.WithoutCancel(w.Context()), w.namespace, metav1.DeleteOptions{}))
	})
	w.waitForRefusal(pod{name: "probe"}.object(), refusalByWebhook)
}

func refuse(response http.ResponseWriter, request *http.Request) {
	var review admissionv1.AdmissionReview
	if err := json.NewDecoder(request.Body).Decode(&review); err != nil {
		http.Error(response, err.Error(), http.StatusBadRequest)
		return
	}
	review.Response = &admissionv1.AdmissionResponse{UID: review.Request.UID, Result: &metav1.Status{Message: refusalByWebhook}}
	response.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(response).Encode(review)
}

func webhookConfiguration(namespace string, server *httptest.Server) *admissionregistrationv1.ValidatingWebhookConfiguration {
	ca := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	return &admissionregistrationv1.ValidatingWebhookConfiguration{
		ObjectMeta: metav1.ObjectMeta{Name: namespace},
		Webhooks: []admissionregistrationv1.ValidatingWebhook{{
			Name:         "pods.example.com",
			ClientConfig: admissionregistrationv1.WebhookClientConfig{URL: &server.URL, CABundle: ca},
			Rules: []admissionregistrationv1.RuleWithOperations{{
				Operations: []admissionregistrationv1.OperationType{admissionregistrationv1.Create},
				Rule:       admissionregistrationv1.Rule{APIGroups: []string{""}, APIVersions: []string{"v1"}, Resources: []string{"pods"}},
			}},
			NamespaceSelector:       &metav1.LabelSelector{MatchLabels: map[string]string{corev1.LabelMetadataName: namespace}},
			SideEffects:             new(admissionregistrationv1.SideEffectClassNone),
			AdmissionReviewVersions: []string{"v1"},
		}},
	}
}
