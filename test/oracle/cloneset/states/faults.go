package states

import "github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/cloneset/contract"

// faults lets some calls fail, in most states none.
func (s *scene) faults(req *contract.Request) {
	if !s.chance(12) {
		return
	}
	reason := pick(s.draw, "InternalError", "Forbidden", "Timeout", "TooManyRequests")
	f := contract.Fault{Reason: reason, Message: "the server said no"}
	switch s.between(0, 12) {
	case 0, 1:
		f.Verb, f.Kind, f.Index, f.Count = "create", "Pod", s.between(0, 3), pick(s.draw, 1, -1)
	case 2:
		f.Verb, f.Kind, f.Count = "create", "PersistentVolumeClaim", -1
	case 3, 4:
		f.Verb, f.Kind, f.Name = "delete", "Pod", s.anyPod()
		if f.Name == "" {
			f.Count = -1
		}
	case 5, 6:
		f.Verb, f.Kind, f.Count = "patch", "Pod", -1
		f.Name = s.anyPod()
	case 7:
		f.Verb, f.Kind, f.Count = "update", "Pod", -1
		f.Name = s.anyPod()
	case 8:
		f.Verb, f.Kind, f.Subresource, f.Count = "update", "Pod", "status", -1
		f.Name = s.anyPod()
	case 9:
		f.Verb, f.Kind, f.Subresource, f.Count = "update", "CloneSet", "status", -1
	case 10:
		f.Verb, f.Kind, f.Count = pick(s.draw, "create", "update", "delete"), "ControllerRevision", -1
	case 11: // a conflict that a second try gets past
		f.Verb, f.Kind, f.Reason, f.Count, f.Name = "update", "Pod", "Conflict", 1, podName(s.between(0, 3))
	case 12:
		f.Verb, f.Kind, f.Subresource, f.Count = "update", "PodUnavailableBudget", "status", -1
		f.Name = mostly(s.draw, "", 50, "web", "batch")
	}
	req.Faults = []contract.Fault{f}
}

// anyPod is the name of one pod, or empty for all.
func (s *scene) anyPod() string {
	if len(s.pods) == 0 || s.chance(40) {
		return ""
	}
	return s.pods[s.between(0, len(s.pods)-1)].Name
}
