package statefulset_test

import (
	"strings"
	"testing"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/statefulset"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/clusterdsl"
)

// TestConflicts: an update of a Pod that meets a conflict is tried again with the Pod that
// the cache has under its new name. Where it has none, the changed Pod needs nothing more.
// Claims that are refused are an aggregate, in which nobody looks for a conflict.
func TestConflicts(t *testing.T) {
	const set = "sts web selector=app=web replicas=1 image=web:1 current=web-a update=web-a counts=1/1/1/1/1"
	const revision = "\nsrev web-a of=sts/web image=web:1\n"
	for _, c := range []struct{ name, cluster, refused, want, failed string }{
		{"its own name", set + revision + "ord web-0 of=sts/web rev=web-a ready=1h noname", "pods", "update Pod web-0 ×4", "has been modified"},
		{"another name", set + revision + "ord web-00 of=sts/web rev=web-a ready=1h noname", "pods", "update Pod web-0", ""},
		{"another name, in use", set + revision + "ord web-00 of=sts/web rev=web-a ready=1h noname\nord web-0 ready=1h of=sts/other", "pods", "update Pod web-0", ""},
		{"claims", set + " claims=data,logs" + revision + "ord web-0 of=sts/web rev=web-a ready=1h", "persistentvolumeclaims",
			"create PersistentVolumeClaim data-web-0; create PersistentVolumeClaim logs-web-0", "has been modified"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := sync(t, c.cluster, "1.37", statefulset.Given{API: statefulset.API{Refuse: func(w cluster.Write) error {
				if w.Kind.Resource == c.refused {
					return cluster.ErrConflict
				}
				return nil
			}}})
			if got := times(clusterdsl.Requests(nil, r.Writes)); got != c.want {
				t.Errorf("sends %s\nwant  %s", got, c.want)
			}
			if failed := r.Decision.NextSync.Facts.Str("error"); !strings.Contains(failed, c.failed) {
				t.Errorf("next sync %q, want one that says %q", failed, c.failed)
			}
		})
	}
}

// times folds requests that are repeated.
func times(requests string) string {
	requests = strings.ReplaceAll(requests, "- ", "")
	one, _, _ := strings.Cut(requests, "; ")
	return strings.Replace(requests, strings.Repeat("; "+one, 3), " ×4", 1)
}
