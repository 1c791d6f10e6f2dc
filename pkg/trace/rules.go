package trace

import "github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"

// The rules of verdicts.
const (
	ManagerAlive              = "ManagerAlive"
	ManagerSilent             = "ManagerSilent"
	ManagerLost               = "ManagerLost"
	ManagerUnelected          = "ManagerUnelected"
	ExpectationSuspected      = "ExpectationSuspected"
	ScaleExpectationSuspected = "ScaleExpectationSuspected"
	NothingSuspected          = "NothingSuspected"
)

const election = "k8s.io/client-go/tools/leaderelection/leaderelection.go (v0.37.1)"

// Rules is the catalogue of what a trace says about a controller that does not
// act, besides what the plugins find.
var Rules = decision.Catalogue{
	{
		ID: ManagerAlive, Title: "The manager renews its Lease", Source: election,
		Text: "A leader renews every two seconds. This one does, so the reason for a delay is elsewhere.",
		Line: func(fs decision.Facts) string {
			return "the manager is alive: Lease renewed " + fs.Str(keyAge) + " ago by " + fs.Str(keyHolder)
		},
	},
	{
		ID: ManagerSilent, Title: "The manager has missed renewals of its Lease", Source: election,
		Text: "A leader renews every two seconds. One that is frozen, starved or cut off from the API server does not; until the Lease expires no other manager becomes leader.",
		Line: func(fs decision.Facts) string {
			return "the manager has not renewed its Lease for " + fs.Str(keyAge) + ", which it does every 2s; holder " + fs.Str(keyHolder) + ", valid for " + fs.Str(keyValid) + "s"
		},
	},
	{
		ID: ManagerLost, Title: "The manager's Lease has run out", Source: election,
		Text: "No controller acts until a manager takes the Lease.",
		Line: func(fs decision.Facts) string {
			if fs.Str(keyHolder) == "" {
				return "no process holds the manager's Lease, last renewed " + fs.Str(keyAge) + " ago: no active leader"
			}
			return "the manager's Lease ran out: not renewed for " + fs.Str(keyAge) + ", valid for " + fs.Str(keyValid) + "s; last holder " + fs.Str(keyHolder) + ": no active leader"
		},
	},
	{
		ID: ManagerUnelected, Title: "The manager acts although its Lease expired", Source: election,
		Text: "A manager with --leader-elect=false renews no Lease. The trace has seen its controller act after the Lease expired, so there is a manager.",
		Line: func(fs decision.Facts) string {
			return "the manager's Lease expired, not renewed for " + fs.Str(keyAge) + ", but its controller acted " + fs.Str(keyActed) + " ago: it does not use that Lease"
		},
	},
	{
		ID: ExpectationSuspected, Title: "The controller may wait for writes that it did not see come back", Source: "pkg/controller/controller_utils.go ControllerExpectations.SatisfiedExpectations (v1.37.1)",
		Text: "The record is in the manager's memory and can't be read. If an event of its own writes never reached it, it neither creates nor deletes for five minutes after it recorded them.",
		Line: func(fs decision.Facts) string {
			return fs.Str(keyRefusals) + "; expectations of its last writes, if it missed their events, hold it back until " + fs.Str(keyUntil) + " at the latest (inferred)"
		},
	},
	{
		ID: ScaleExpectationSuspected, Title: "The CloneSet may be blocked by a scale expectation", Source: "kruise pkg/util/expectations/scale_expectations.go (v1.9.1)",
		Text: "While a creation or deletion was not seen, a CloneSet writes nothing at all, not even its status. After five minutes that does not end: it waits for the event, or for a restart of the manager, unless ForceDeleteTimeoutExpectationGate is on.",
		Line: func(fs decision.Facts) string {
			return fs.Str(keyRefusals) + ", and nothing written: it may wait for a Pod or volume claim whose event never came, and would do so until the manager restarts (inferred)"
		},
	},
	{
		ID: NothingSuspected, Title: "Nothing explains the delay", Source: election,
		Text: "The manager is alive, nothing was refused, and no write of it was seen that it could wait for. A long work queue, or a limit to its requests, is left.",
		Line: func(fs decision.Facts) string {
			return fs.Str(keyRefusals) + ", and no write was seen that it could still wait for"
		},
	},
}
