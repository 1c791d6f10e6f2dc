package webhook

import "k8s.io/apimachinery/pkg/api/resource"

// defaultClaim completes a template of a volume claim.
func defaultClaim(claim map[string]any) {
	orSet(child(claim, "status"), "phase", "Pending")
	have(claim, "spec", defaultResources)
}

// defaultResources mirrors SetDefaults_ResourceList (k8s.io/kubernetes/pkg/
// apis/core/v1/defaults.go, v1.37.1): amounts are rounded up to a thousandth.
func defaultResources(holder map[string]any) {
	have(holder, "resources", func(resources map[string]any) {
		for _, list := range []string{"limits", "requests"} {
			have(resources, list, roundUp)
		}
	})
}

func roundUp(amounts map[string]any) {
	for name, value := range amounts {
		text, _ := value.(string)
		q, err := resource.ParseQuantity(text)
		if err == nil && !q.RoundUp(resource.Milli) {
			amounts[name] = q.String()
		}
	}
}
