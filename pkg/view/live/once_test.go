package live

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// TestOnce: one request, nothing watched, and a failure of it keeps no View from
// being read.
func TestOnce(t *testing.T) {
	need := view.Need{Kind: view.Pods, Namespace: "kube-system", Selector: "component=manager"}
	for _, c := range []struct {
		name      string
		intercept func(http.ResponseWriter, *request) bool
		pods      int
		fails     func(error) bool
	}{
		{"read", nil, 2, func(err error) bool { return err == nil }},
		{"forbidden", forbid("list"), 0, apierrors.IsForbidden},
		{"failing", answer(http.StatusInternalServerError, metav1.StatusReasonInternalError), 0, func(err error) bool {
			return err != nil && strings.Contains(err.Error(), "pods in namespace kube-system with component=manager")
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := serve(t, map[string][]runtime.Object{"pods": pods("kube-system", "m-1", "m-2")})
			a.intercept = c.intercept
			s, _ := open(t, a.config(), Options{})
			objs, err := s.Once(t.Context(), need)
			if len(objs) != c.pods || !c.fails(err) {
				t.Errorf("%d pods, %v", len(objs), err)
			}
			if seen := a.seen(); !slices.Equal(seen, []string{"list /api/v1/namespaces/kube-system/pods component=manager"}) {
				t.Errorf("requests: %q", seen)
			}
			a.intercept = nil
			if _, err := s.Load(t.Context(), nil); err != nil {
				t.Errorf("a View is kept from being read: %v", err)
			}
		})
	}
}
