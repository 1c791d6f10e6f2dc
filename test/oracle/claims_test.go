package oracle

import (
	"errors"
	"slices"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/replicaset"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/contract"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/program"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/states"
)

// TestClaims puts every pod of as many states as TestSyncs takes, 100,000 at most,
// through the claim table alone.
func TestClaims(t *testing.T) {
	eachVersion(t, func(t *testing.T, p *Process) {
		requests := min(program.States(t, p.Version, share), 100_000)
		claims, wrong := 0, 0
		err := Ask(p, claimRequests(p.Version, requests), func(req *contract.Request, c ownership.Claimer, resp *contract.Response) {
			claims += len(resp.Claims)
			said, patches := predictClaims(req, c)
			if !slices.Equal(said, resp.Claims) || !slices.Equal(patches, resp.Patches) {
				if wrong++; wrong <= 3 {
					t.Errorf("predicted %v %v, observed %v %v for\n%s", said, patches, resp.Claims, resp.Patches, Report(req))
				}
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		results.of(p.Version).Claims = claims
	})
}

// claimRequests are states whose selector is valid: upstream never comes to
// claims with another.
func claimRequests(version string, n int) func(func(*contract.Request, ownership.Claimer) bool) {
	return func(yield func(*contract.Request, ownership.Claimer) bool) {
		for seed := range n {
			req := states.Draw(version, seed)
			req.Op = contract.OpClaim
			if c, ok := claimerOf(req); ok && !yield(req, c) {
				return
			}
		}
	}
}

func claimerOf(req *contract.Request) (ownership.Claimer, bool) {
	set := cached(req)
	selector, ok := selectorOf(req)
	return ownership.Claimer{
		Ref: ownership.RefTo(kindOf(req), set), Deleting: set.GetDeletionTimestamp() != nil, Selector: selector,
	}, ok
}

func selectorOf(req *contract.Request) (labels.Selector, bool) {
	var selector *metav1.LabelSelector
	for _, rs := range req.ReplicaSets {
		if rs.Name == states.Name {
			selector = rs.Spec.Selector
		}
	}
	for _, rc := range req.ReplicationControllers {
		if rc.Name == states.Name && rc.Spec.Selector != nil {
			selector = &metav1.LabelSelector{MatchLabels: rc.Spec.Selector}
		}
	}
	s, err := metav1.LabelSelectorAsSelector(selector)
	return s, err == nil
}

func predictClaims(req *contract.Request, c ownership.Claimer) (outcomes []string, patches []contract.Patch) {
	api := apiOf(req)
	for _, pod := range req.Pods {
		v := c.Claim(pod)
		outcome, patched := claimOutcome(v.Decision, pod.Name, api, refusesAdoption(req))
		outcomes = append(outcomes, outcome)
		if patched {
			patches = append(patches, contract.Patch{Pod: pod.Namespace + "/" + pod.Name, Body: v.Patch})
		}
	}
	return outcomes, patches
}

// refusesAdoption reports whether the live read stands in the way: it fails, or
// finds another set or one being deleted.
func refusesAdoption(req *contract.Request) bool {
	_, err := apiOf(req).Live()
	return err != nil || len(req.Live) > 0
}

func claimOutcome(hold decision.ClaimDecision, pod string, api replicaset.API, refused bool) (outcome string, patched bool) {
	switch hold {
	case decision.Owned:
		return contract.ClaimClaimed, false
	case decision.ToRelease:
		return afterPatch(api.Release(pod), contract.ClaimReleased, contract.ClaimReleased, "NotFound", "Invalid"), true
	case decision.ToAdopt:
		if refused {
			return contract.ClaimError, false
		}
		return afterPatch(api.Adopt(pod), contract.ClaimAdopted, contract.ClaimIgnored, "NotFound"), true
	}
	return contract.ClaimIgnored, false
}

// afterPatch is done without an error, gone for errors that say the pod is
// gone.
func afterPatch(err error, done, gone string, goneReasons ...string) string {
	if err == nil {
		return done
	}
	var r refusal
	if errors.As(err, &r) && slices.Contains(goneReasons, r.Reason) {
		return gone
	}
	return contract.ClaimError
}
