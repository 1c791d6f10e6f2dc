package states

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// uncreated are the reasons for which explain says that no Pod is created.
var uncreated = []string{
	"NamespaceTerminating", "ExceededQuota", "OutsideRange", "WebhookDenied", "WebhookFailed", "PodSecurity", "ServiceAccountNotFound", "RuntimeClassNotFound",
}

// ended is what is read of the JSON of a simulation.
type ended struct {
	Timeline decision.Timeline
}

// checkEnd: what explain finds refused is refused until the end, which is blocked for
// that. Pods that are not removed block it where explain says so. That Pods are Unschedulable and no leader is active is said in the first line. Caches that lag change no end.
func (a *asked) checkEnd(explain answer) {
	a.Helper()
	args := []string{"plan", a.target, "-n", "shop", "--until-stable", "--exit-code"}
	at := a.end(args...)
	for _, lag := range []string{"2s", "10m"} {
		if late := a.end(append(args, "--watch-lag", lag)...); late.Timeline.End.Outcome != at.Timeline.End.Outcome {
			a.Errorf("%s behind, it ends %s; at once: %s\n%s", lag, late.Timeline.End.Outcome, at.Timeline.End.Outcome, late.Timeline.Answer)
		}
	}
	said, cause := a.run(args...), a.want.cause
	if a.want.reason == "NoActiveLeader" && (!strings.Contains(said.first(), "no active leader") || !strings.Contains(explain.out, "once a leader is active")) {
		a.Errorf("nothing says that there is no leader: %s\n%s", said.first(), explain.out)
	}
	if a.want.reason == "Unschedulable" && !a.want.mends && !strings.Contains(said.first(), cause) {
		a.Errorf("nothing says that Pods are Unschedulable: %s", said.first())
	}
	if a.want.reason == "Terminating" && said.status != explain.status {
		a.Errorf("explain ends with %d, plan with %d: %s", explain.status, said.status, said.first())
	}
	if !slices.Contains(uncreated, a.want.reason) {
		return
	}
	if words := strings.Fields(cause); words[0] == "ResourceQuota" || words[0] == "LimitRange" { // with its numbers
		if numbers := words[0] + " " + words[1] + ": "; !strings.Contains(said.out, numbers) {
			a.Errorf("plan does not say %q: %s", numbers, said.out)
		}
	}
	if said.status != explain.status || at.Timeline.End.Outcome != decision.Blocked || at.Timeline.Totals.Create > 0 || !strings.Contains(said.first(), cause) {
		a.Errorf("explain ends with %d, plan with %d: %s\nwant %q, and nothing created", explain.status, said.status, said.first(), cause)
	}
}

func (a *asked) end(args ...string) (e ended) {
	a.Helper()
	if err := json.Unmarshal([]byte(a.run(append(args, "-o", "json")...).out), &e); err != nil {
		a.Fatal(err)
	}
	return e
}
