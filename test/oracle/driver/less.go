package driver

import (
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/driver/contract"
)

// answerLess asks the real comparator about every ordered pair of pods.
func (o *oracle) answerLess(req *contract.Request, resp *contract.Response) error {
	n := len(req.Pods)
	if len(req.Ranks) != n {
		return fmt.Errorf("%d ranks for %d pods", len(req.Ranks), n)
	}
	before := less(req.Pods, req.Ranks, metav1.Now())
	resp.Less = make([]bool, 0, n*n)
	for i := range req.Pods {
		for j := range req.Pods {
			resp.Less = append(resp.Less, before(i, j))
		}
	}
	return nil
}
