package revision

import (
	"testing"

	appsv1 "k8s.io/api/apps/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/api"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/clusterdsl"
)

// TestClaimHashByRelease: revisions that are made, or that a set goes back to, have the hash
// of its volume claim templates since 1.7.
func TestClaimHashByRelease(t *testing.T) {
	for name, text := range map[string]string{
		"created":     "cs web selector=app=web image=web:2 tlabel=app:web current=web-a\nrev web-a of=cs/web number=1 app=web image=web:1 tlabel=app:web",
		"rolled back": "cs web selector=app=web image=web:1 tlabel=app:web current=web-b\nrev web-a of=cs/web number=1 app=web image=web:1 tlabel=app:web\nrev web-b of=cs/web number=2 app=web image=web:2 tlabel=app:web",
	} {
		for release, want := range map[string]bool{"1.6": false, "1.7": true, "1.9": true} {
			v, err := clusterdsl.Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			r := v.Reader()
			set, err := api.Get(r, view.Target{Kind: api.Kinds[0], Namespace: "shop", Name: "web"})
			if err != nil {
				t.Fatal(err)
			}
			h := Find(r, set, kruise.Program.Installed(profile.ProgramOptions{Version: release}, profile.Manager{}).Version)
			w, needed := h.Store(set)
			now, _ := v.Held(view.ControllerRevisions, "shop", w.Name)
			stored, ok := w.After(now).(*appsv1.ControllerRevision)
			if !needed || !ok {
				t.Fatalf("%s: %+v", name, w)
			}
			if _, has := stored.Annotations[api.ClaimHashAnnotation]; has != want {
				t.Errorf("%s in %s: %v", name, release, stored.Annotations)
			}
		}
	}
}
