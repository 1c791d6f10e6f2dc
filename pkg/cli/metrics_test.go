package cli

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// TestOnHost: a Pod has its own host name or its node's, and none that is not known.
func TestOnHost(t *testing.T) {
	pods := []*corev1.Pod{
		{ObjectMeta: metav1.ObjectMeta{Name: "pending"}},
		{ObjectMeta: metav1.ObjectMeta{Name: "manager-cp-1"}, Spec: corev1.PodSpec{NodeName: "cp-1"}},
		{ObjectMeta: metav1.ObjectMeta{Name: "manager-2"}, Spec: corev1.PodSpec{NodeName: "node-2"}},
	}
	for host, want := range map[string]string{"cp-1": "manager-cp-1", "manager-2": "manager-2", "": "", "cp-3": ""} {
		got := ""
		if p := onHost(pods, host); p != nil {
			got = p.Name
		}
		if got != want {
			t.Errorf("host %q: Pod %q, want %q", host, got, want)
		}
	}
}
