package statefulset_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/statefulset"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/clusterdsl"
)

// TestHeldDeletions: one by one, each Pod beyond the ordinals waits for the one before it.
func TestHeldDeletions(t *testing.T) {
	const pods = "srev web-a of=sts/web image=web:1\n" +
		"ord web-0 of=sts/web rev=web-a ready=1h\nord web-1 of=sts/web rev=web-a ready=1h\nord web-2 of=sts/web rev=web-a ready=1h\nord web-3 of=sts/web rev=web-a ready=1h\n"
	for name, test := range map[string]struct {
		set  string
		want map[string]string
	}{
		"one by one": {"replicas=1", map[string]string{
			"web-2": "ordinal 2, and the last is 0 (spec.replicas 1), once web-3 is gone",
			"web-1": "ordinal 1, and the last is 0 (spec.replicas 1), once web-2 is gone",
		}},
		"all": {"replicas=0", map[string]string{
			"web-2": "ordinal 2, and spec.replicas is 0, once web-3 is gone",
			"web-1": "ordinal 1, and spec.replicas is 0, once web-2 is gone",
			"web-0": "ordinal 0, and spec.replicas is 0, once web-1 is gone",
		}},
		"below the start": {"replicas=2 start=2", map[string]string{
			"web-0": "ordinal 0, and the first is 2 (spec.ordinals.start), once web-1 is gone",
		}},
		"at once": {"replicas=1 policy=Parallel", nil},
	} {
		v, err := clusterdsl.Parse("sts web selector=app=web image=web:1 current=web-a update=web-a " + test.set + "\n" + pods)
		if err != nil {
			t.Fatal(err)
		}
		d, err := statefulset.Decide(v.Reader(), emulating(t, "1.37", ""), targetOf("web"), statefulset.Given{})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(test.want, d.DeletionHeld); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
