package states

import (
	"strings"
	"testing"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// TestRounds: the rounds of a target that is blocked end so, with the same cause, and
// those of one that only waits do not.
func TestRounds(t *testing.T) {
	for _, group := range states {
		for _, s := range group {
			t.Run(s.name, func(t *testing.T) {
				plan := newAsked(t, s).run("plan", s.target, "-n", "shop", "--until-stable", "--exit-code")
				stays := s.want.state == decision.StateBlocked && !overdue[s.name]
				blocked := stays || failing[s.name]
				if got := plan.status == 3; got != blocked {
					t.Errorf("%s is %s, and plan --until-stable ends with %d: %s", s.target, s.want.state, plan.status, plan.out)
				}
				if overdue[s.name] && !strings.Contains(plan.first(), "then be stable") {
					t.Errorf("the first line says: %s", plan.first())
				}
				if stays && !strings.Contains(plan.first(), s.want.cause) && !strings.Contains(plan.first(), "no active leader") {
					t.Errorf("the first line does not say %q: %s", s.want.cause, plan.first())
				}
				if stable := held[s.name]; stable && !strings.Contains(plan.first(), "stable: ") || strings.Contains(plan.first(), "hold") {
					t.Errorf("the first line says: %s", plan.first())
				}
			})
		}
	}
}

// failing are states that are waited for, and that no rounds of a controller end.
var failing = map[string]bool{"both-revisions-failing": true, "image-too-many-requests": true, "sidecar-not-started": true, "statefulset-claim-stale": true}

// overdue are blocked by a deadline that has passed, and go on by time alone.
var overdue = map[string]bool{"recreate-long-grace": true}

// held are those that are stable, although their spec keeps Pods from an update.
var held = map[string]bool{"cloneset-partition-reached": true, "cloneset-partition-not-reached": true, "statefulset-partition-reached": true, "statefulset-on-delete": true}
