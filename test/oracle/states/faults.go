package states

import (
	"encoding/json"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/contract"
)

// faults are the API calls that fail. All failures of one kind of call bear
// one message: which of several concurrent errors upstream returns is open.
func (s *scene) faults() []contract.Fault {
	if !s.chance(40) {
		return nil
	}
	var all []contract.Fault
	for range s.between(1, 3) {
		all = append(all, s.someFaults()...)
	}
	return all
}

func (s *scene) someFaults() []contract.Fault {
	switch call := pick(s.draw, contract.CallCreate, contract.CallCreate, contract.CallDelete, contract.CallAdopt, contract.CallRelease,
		contract.CallRecheck, contract.CallStatus, contract.CallStatusGet); call {
	case contract.CallCreate:
		return []contract.Fault{{Call: call, Index: s.between(0, 6), Reason: s.reason("NamespaceTerminating"), Message: "create refused"}}
	case contract.CallStatus:
		reason := pick(s.draw, "Conflict", "NotFound", "Forbidden")
		return []contract.Fault{{Call: call, Index: s.between(0, 1), Reason: reason, Message: "status refused"}}
	case contract.CallRecheck, contract.CallStatusGet:
		return []contract.Fault{{Call: call, Reason: pick(s.draw, "NotFound", "Timeout"), Message: call + " refused"}}
	default:
		return s.podFaults(call)
	}
}

// podFaults fail a call on one pod or on all of them.
func (s *scene) podFaults(call string) []contract.Fault {
	reason, all := s.reason("Invalid"), s.chance(40)
	var faults []contract.Fault
	for _, p := range s.pods {
		if all || s.chance(30) {
			faults = append(faults, contract.Fault{Call: call, Pod: p.Name, Reason: reason, Message: call + " refused"})
		}
	}
	return faults
}

func (s *scene) reason(special string) string {
	return pick(s.draw, "Forbidden", "NotFound", special, "Timeout", "InternalError", "Conflict", "AlreadyExists")
}

// expectations recorded before the sync: none, fulfilled, pending or expired.
func (s *scene) expectations() *contract.Expectations {
	if !s.chance(40) {
		return nil
	}
	e := &contract.Expectations{
		Adds: pick[int64](s.draw, 0, 1, 3, -1), Dels: pick[int64](s.draw, 0, 1, 2, -2), DeleteKeys: []string{},
		Age: pick(s.draw, time.Minute, 0, 5*time.Minute, 5*time.Minute+1, 10*time.Minute, -time.Second).String(),
	}
	for _, p := range s.pods {
		if s.chance(15) {
			e.DeleteKeys = append(e.DeleteKeys, p.Namespace+"/"+p.Name)
		}
	}
	return e
}

// behind are caches that have not read what the controller wrote.
func (s *scene) behind() []string {
	if !s.chance(3) {
		return nil
	}
	return pick(s.draw, []string{"pods"}, []string{"replicasets.apps"}, []string{"pods", "replicasets.apps"})
}

// live is the set as an uncached read finds it, nil for the same as cached.
func (s *scene) live() json.RawMessage {
	if !s.chance(5) {
		return nil
	}
	set := s.set.DeepCopy()
	if s.chance(50) {
		set.UID = types.UID("uid-of-a-newer-web")
	} else {
		set.DeletionTimestamp = new(ago(1))
	}
	var body any = set
	if s.isRC() {
		body = s.asRC(set)
	}
	raw, err := json.Marshal(body)
	if err != nil {
		panic(err)
	}
	return raw
}
