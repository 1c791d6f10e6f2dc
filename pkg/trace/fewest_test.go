package trace

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/tools/cache"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// TestFewest: of the labels of a selector, the one that fewest Pods have is looked up, also
// after that has become another one.
func TestFewest(t *testing.T) {
	p, err := profile.New(profile.Options{Emulate: "1.36"})
	if err != nil {
		t.Fatal(err)
	}
	c := newCluster(Options{Profile: p})
	c.ownsPods = true // by labels
	for n := range 100 {
		set := labels.Set{"tier": "web", "app": "other"}
		if n < 3 {
			set["app"] = "shop"
		}
		c.add(n, set)
	}
	both := labels.SelectorFromSet(labels.Set{"tier": "web", "app": "shop"})
	look := func(candidates, selected int) {
		t.Helper()
		for range 2 { // found out, and known
			if got := len(c.candidates(view.Pods, "ns", both)); got != candidates {
				t.Errorf("%d candidates, want %d", got, candidates)
			}
		}
		if got := len(c.selected(view.Pods, "ns", both)); got != selected {
			t.Errorf("%d selected, want %d", got, selected)
		}
	}
	look(3, 3)
	for n := range 150 {
		c.add(1000+n, labels.Set{"app": "shop"})
	}
	look(100, 3)
	if got := len(c.candidates(view.Pods, "else", both)); got != 0 {
		t.Errorf("%d candidates in another namespace", got)
	}
}

func (c *cluster) add(n int, set labels.Set) {
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: fmt.Sprintf("web-%d", n), Labels: set}}
	c.apply(Delta{Type: cache.Added, Kind: view.Pods, Object: pod})
}
