package statefulset_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
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

// TestWhatHoldsDeletions: the Pod that the sync waits for is named, and what ends that.
func TestWhatHoldsDeletions(t *testing.T) {
	const beyond = "ordinal 1, and the last is 0 (spec.replicas 1), once "
	for name, test := range map[string]struct {
		set, pods string
		refused   bool
		want      map[string]string
	}{
		"one of the ordinals is not ready": {"", "web-0 b notready=1m, web-1 b ready=1h", false, map[string]string{"web-1": beyond + "web-0 is available"}},
		"one of the ordinals is deleted":   {"", "web-0 b ready=1h deleted=1s, web-1 b ready=1h", false, map[string]string{"web-1": beyond + "web-0 is gone"}},
		"a higher one is deleted":          {"", "web-0 b ready=1h, web-1 b ready=1h, web-2 b ready=1h deleted=1s", false, map[string]string{"web-1": beyond + "web-2 is gone"}},
		"the sync fails":                   {"", "web-0 b ready=1h, web-1 b ready=1h", true, map[string]string{"web-1": beyond + "a sync succeeds"}},
		"the sync fails, of Parallel": {"policy=Parallel", "web-0 b ready=1h, web-1 b ready=1h, web-2 b ready=1h", true, map[string]string{
			"web-2": "ordinal 2, and the last is 0 (spec.replicas 1), once a sync succeeds", "web-1": beyond + "a sync succeeds",
		}},
		"none, they are deleted all at once": {"policy=Parallel", "web-0 b notready=1m, web-1 b ready=1h", false, nil},
		"a lower one is not ready": {"", "web-0 b ready=1h, web-1 b notready=1m, web-2 b notready=1m", false, map[string]string{
			"web-2": "ordinal 2, and the last is 0 (spec.replicas 1), once web-1 is available", "web-1": beyond + "web-2 is gone",
		}},
		"the first of those that Recreate waits for": {
			"policy=Parallel strategy=Recreate", "web-0 a ready=1h deleted=2s, web-3 a ready=1h deleted=1s, web-1 b ready=1h", false, map[string]string{"web-1": beyond + "web-0 is gone"},
		},
	} {
		text := "sts web selector=app=web replicas=1 image=web:2 current=web-a update=web-b " + test.set + "\nsrev web-a of=sts/web image=web:1\nsrev web-b of=sts/web number=2 image=web:2\n"
		for pod := range strings.SplitSeq(test.pods, ", ") {
			name, state, _ := strings.Cut(pod, " ")
			text += "ord " + name + " of=sts/web rev=web-" + state + "\n"
		}
		v, err := clusterdsl.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		given := statefulset.Given{API: statefulset.API{Refuse: func(w cluster.Write) error {
			if test.refused && w.Verb == cluster.Delete {
				return cluster.ErrInvalid
			}
			return nil
		}}}
		d, err := statefulset.Decide(v.Reader(), emulating(t, "1.37", "StatefulSetRecreateStrategy=true"), targetOf("web"), given)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(test.want, d.DeletionHeld); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
