package decision

import "testing"

// TestDropEvidenceOf: what another object says stays, also one of the same name.
func TestDropEvidenceOf(t *testing.T) {
	web := Ref{APIVersion: "apps/v1", Kind: "ReplicaSet", Namespace: "shop", Name: "web-1"}
	lease := Ref{APIVersion: "coordination.k8s.io/v1", Kind: "Lease", Namespace: "shop", Name: "web-1"}
	d := Decision{Evidence: []Evidence{{Source: web}, {Source: lease}, {Source: web}}}
	d.DropEvidenceOf(web)
	if len(d.Evidence) != 1 || d.Evidence[0].Source != lease {
		t.Errorf("left: %v", d.Evidence)
	}
}
