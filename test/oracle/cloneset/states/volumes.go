package states

import (
	"encoding/json"
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// drawClaims gives pods their volume claims, and leaves some of pods that are
// gone.
func (s *scene) drawClaims() {
	if s.spec["volumeClaimTemplates"] == nil && !s.chance(20) {
		return
	}
	for _, p := range s.pods {
		if s.chance(70) {
			s.claim(p.Labels[instanceLabel])
		}
	}
	for i := range mostly(s.draw, 0, 40, 1, 2, 4) {
		s.claim(fmt.Sprintf("z%d", i))
	}
}

// claimHash is what the manager notes of volume claim templates of these names.
func claimHash(names ...string) string {
	var all []string
	for _, name := range names {
		all = append(all, fmt.Sprintf(`{"metadata":{"name":%q,"creationTimestamp":null},"spec":{"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"1Gi"}}},"status":{}}`, name))
	}
	return fmt.Sprint(kubeletHash(json.RawMessage("[" + strings.Join(all, ",") + "]")))
}

func (s *scene) claim(id string) {
	for _, name := range pick(s.draw, []string{"data"}, []string{"data"}, []string{"data", "log"}) {
		full := fmt.Sprintf("%s-web-%s", name, id)
		if s.has(full) {
			continue
		}
		c := &corev1.PersistentVolumeClaim{ObjectMeta: owned(full, fmt.Sprint(70+len(s.claims)))}
		if id != "" {
			c.Labels[instanceLabel] = id
		}
		if s.chance(4) {
			c.DeletionTimestamp, c.Finalizers = new(ago(5)), []string{"kubernetes.io/pvc-protection"}
		}
		if s.chance(4) {
			c.OwnerReferences = nil
		}
		s.claims = append(s.claims, c)
	}
}

func (s *scene) has(claim string) bool {
	for _, c := range s.claims {
		if c.Name == claim {
			return true
		}
	}
	return false
}
