package states

import (
	"strconv"

	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/cloneset/contract"
)

// expect leaves records of earlier writes: in most states none.
func (s *scene) expect(req *contract.Request) {
	if s.chance(6) {
		e := &contract.ScaleExpectations{UnsatisfiedFor: s.age()}
		switch s.between(0, 2) {
		case 0:
			e.Create = []string{"web-new"}
		case 1:
			e.Delete = []string{podName(0), podName(1)}
		case 2:
			e.Create, e.Delete = []string{"web-new"}, []string{podName(0)}
		}
		req.Expectations = &contract.Expectations{Scale: e}
		return
	}
	if !s.chance(6) || len(s.pods) == 0 {
		return
	}
	req.Expectations = &contract.Expectations{}
	for _, p := range s.pods[s.between(0, len(s.pods)-1):] {
		version, _ := strconv.Atoi(p.ResourceVersion) // drawn as a number
		e := contract.ResourceVersionExpectation{UID: string(p.UID), Version: strconv.Itoa(version + s.between(0, 2)), UnsatisfiedFor: s.age()}
		req.Expectations.ResourceVersions = append(req.Expectations.ResourceVersions, e)
		if s.chance(70) {
			return
		}
	}
}

func (s *scene) age() string { return pick(s.draw, "", "1m0s", "4m59s", "5m0s", "6m0s") }
