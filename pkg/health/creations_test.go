package health

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/admission"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// TestShortOf: what a quota with room left has too little of is said with what a Pod asks for.
func TestShortOf(t *testing.T) {
	c := Creator{Kind: view.ReplicaSets, Object: &metav1.ObjectMeta{Namespace: "shop", Name: "api"}, Missing: 4}
	quota := &corev1.ResourceQuota{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "compute"}}
	for used, want := range map[string]string{
		"300m": "ResourceQuota compute exceeded (requests.cpu: 300m/400m, each asks for 200m)",
		"400m": "ResourceQuota compute exceeded (requests.cpu: 400m/400m)",
	} {
		short := &admission.Shortfall{Quota: quota, Resource: "requests.cpu", Each: resource.MustParse("200m"), Used: resource.MustParse(used), Hard: resource.MustParse("400m")}
		v := admission.Verdict{Refusal: &admission.Refusal{Reason: admission.QuotaExceeded, By: quota, Short: short}}
		if got := c.refused(view.NewOpenBuilder(now).View().Reader(), admission.Namespace{}, v, Options{}); got.Label != want {
			t.Errorf("%s used: got %q, want %q", used, got.Label, want)
		}
	}
}

// TestUnspecified: of a quota that wants a request or a limit, the resource is said.
func TestUnspecified(t *testing.T) {
	c := Creator{Kind: view.ReplicaSets, Object: &metav1.ObjectMeta{Namespace: "shop", Name: "api"}, Missing: 4}
	quota := &corev1.ResourceQuota{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "compute"}}
	v := admission.Verdict{Refusal: &admission.Refusal{
		Reason: admission.RequestMissing, By: quota, Message: "failed quota: compute: must specify limits.cpu for: main,log; requests.memory for: log",
	}}
	const want = "ResourceQuota compute: must specify limits.cpu; requests.memory"
	if got := c.refused(view.NewOpenBuilder(now).View().Reader(), admission.Namespace{}, v, Options{}); got.Label != want {
		t.Errorf("got %q, want %q", got.Label, want)
	}
}

// TestEndpoints: a webhook that does not answer is looked for behind its Service, and one whose
// certificate is refused in its configuration.
func TestEndpoints(t *testing.T) {
	const call = `failed calling webhook "inject.istio.io": failed to call webhook: Post "https://istiod.istio-system.svc:443/inject?timeout=10s": `
	for says, want := range map[string]string{
		"dial tcp 10.96.41.7:443: connect: connection refused":                                               "kubectl get endpointslices -n istio-system -l kubernetes.io/service-name=istiod",
		"context deadline exceeded":                                                                          "kubectl get endpointslices -n istio-system -l kubernetes.io/service-name=istiod",
		`service "istiod" not found`:                                                                         "kubectl get services -n istio-system",
		"tls: failed to verify certificate: x509: certificate has expired or is not yet valid":               webhooks,
		"x509: certificate signed by unknown authority":                                                      webhooks,
		"tls: failed to verify certificate: x509: certificate is valid for a.b, not istiod.istio-system.svc": webhooks,
	} {
		if got := endpoints(call + says); got != want {
			t.Errorf("%s: %s, want %s", says, got, want)
		}
	}
}
