package orphans_test

import (
	"testing"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/lineage"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/orphans"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/clusterdsl"
)

// TestMetadataDecides reads no whole pod, revision or volume claim where all
// is settled, nobody's, or dangling.
func TestMetadataDecides(t *testing.T) {
	v, err := clusterdsl.Parse(`
rs  web selector=app=web
ds  agent selector=app=agent
pod a    of=replicaset/web app=web
pod b    of=replicaset/gone app=web
pod bare app=x
pod node-agent app=agent
revision agent-1 of=daemonset/agent app=agent
pvc data`)
	if err != nil {
		t.Fatal(err)
	}
	r := v.Reader()
	if _, err := orphans.Find(r, orphans.Query{Namespace: clusterdsl.Namespace, Kinds: orphans.Kinds, Served: lineage.Held}); err != nil {
		t.Fatal(err)
	}
	bare := map[string]bool{view.Pods.Kind: true, view.ControllerRevisions.Kind: true, view.PersistentVolumeClaims.Kind: true}
	for _, read := range r.Asked() {
		if bare[read.Kind.Kind] && read.Detail == view.Full {
			t.Errorf("%s was read whole", read.Need)
		}
	}
}
