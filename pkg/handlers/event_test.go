package handlers

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

func TestEventOf(t *testing.T) {
	old, now := &metav1.ObjectMeta{Name: "old"}, &metav1.ObjectMeta{Name: "now"}
	for _, c := range []struct {
		ev   Event
		want Type
		last string
	}{
		{EventOf(view.Pods, nil, now), Added, "now"},
		{EventOf(view.Pods, old, now), Updated, "now"},
		{EventOf(view.Pods, old, nil), Deleted, "old"},
	} {
		if c.ev.Type != c.want || c.ev.Object().GetName() != c.last {
			t.Errorf("%s of %s, want %s of %s", c.ev.Type, c.ev.Object().GetName(), c.want, c.last)
		}
	}
}
