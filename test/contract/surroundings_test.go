package contract

import (
	"strings"
	"testing"
)

// TestSurroundings: of a controller that looks at neither Leases nor quotas, no answer says
// that it acts without a leader, or that its creations are sure to be accepted.
func TestSurroundings(t *testing.T) {
	for _, c := range []struct {
		args, file string
		want       []string
		never      string
	}{
		{"explain jobs/load", "lease", []string{"job/load in shop: blocked; no active leader.\n", "last renewed 20m ago, valid for 15s (holder cp-1): no active leader", "once a leader is active"}, ""},
		{"plan jobs/load", "lease", []string{"job/load in shop: blocked; no active leader.\n"}, ""},
		{"explain jobs", "lease", []string{"job/load   -       Blocked   20m     no active leader\n", "job/swap   -       Unknown   -"}, ""},
		{"explain pvc/data", "lease", []string{"persistentvolumeclaim/data in shop: blocked; no active leader.\n"}, ""},
		{"explain pvc/used", "lease", []string{"stays as it is"}, "no active leader"},
		{"explain jobs/load", "lease-unused", []string{"job/load in shop: reconciling; next sync creates 2 Pods.\n", "so the controller manager acts without it"}, "no active leader"},
		{"explain jobs/load", "quota", []string{"job/load may create 2 of its Pods", "create   2 × load-…   possible", "what the namespace's quotas, LimitRanges or deletion make of what it creates is not modelled"}, "will create"},
		{"plan jobs/load", "quota", []string{"job/load in shop may create 2 of its Pods", "Plan: 2 to create (2 possible)"}, "will create"},
		{"plan jobs/load", "limits", []string{"job/load in shop may create 2 of its Pods", "that may be refused"}, "will create"},
		{"plan jobs/load", "deleted", []string{"job/load in shop may create 2 of its Pods", "Namespace shop is being deleted"}, "will create"},
		{"explain pvc/data", "quota", []string{"modify   pvc/data   certain"}, "may be refused"},
	} {
		t.Run(c.args+" "+c.file, func(t *testing.T) {
			got := run(t, append(strings.Fields(c.args), "--from", "testdata/cluster.yaml", "--from", "testdata/"+c.file+".yaml"))
			text := strings.Join(strings.Fields(got.text), " ")
			for _, want := range c.want {
				if !strings.Contains(text, strings.Join(strings.Fields(want), " ")) {
					t.Errorf("the answer lacks %q:\n%s", want, got.text)
				}
			}
			if c.never != "" && strings.Contains(text, c.never) {
				t.Errorf("the answer has %q:\n%s", c.never, got.text)
			}
		})
	}
}
