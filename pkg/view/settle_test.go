package view

import (
	"context"
	"errors"
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
)

// fakeSource counts what it is asked to load, and is lost from a call on.
type fakeSource struct {
	Source
	loads [][]string
	// lostAt is the number of the first call that fails; 0 for none.
	lostAt int
}

var errLost = errors.New("the server is gone")

func (f *fakeSource) Load(_ context.Context, needs []Need) (*View, error) {
	var names []string
	b := NewBuilder(now)
	for _, n := range needs {
		names = append(names, n.String())
	}
	f.loads = append(f.loads, names)
	if f.lostAt > 0 && len(f.loads) >= f.lostAt {
		return nil, errLost
	}
	for _, l := range f.loads {
		for range l {
			b.Reads(shopPods, nil)
		}
	}
	b.Add(Pods, pod("a", "web", ""))
	return b.View(), nil
}

// podCount answers how many pods there are: 0 while they are not read.
func podCount(v *View) (int, []*Reader, error) {
	r := v.Reader()
	pods := List[*corev1.Pod](r, shopPods, nil)
	if len(pods) == 0 {
		return 0, []*Reader{r}, errors.New("provisional: no pods yet")
	}
	return len(pods), []*Reader{r}, nil
}

func TestSettleLoadsUntilNothingIsMissing(t *testing.T) {
	src := &fakeSource{}
	settled, err := Settle(t.Context(), src, podCount)
	if err != nil {
		t.Fatal(err)
	}
	if settled.Value() != 1 || len(settled.View().All(Pods)) != 1 {
		t.Errorf("%d pods, on a View of %d", settled.Value(), len(settled.View().All(Pods)))
	}
	if got := fmt.Sprint(src.loads); got != "[[] [pods in namespace shop]]" {
		t.Errorf("loads: %s", got)
	}
}

// TestProvisionalAnswersAreDropped: when a later read is lost, there is no answer.
func TestProvisionalAnswersAreDropped(t *testing.T) {
	for at := 1; at <= 2; at++ {
		settled, err := Settle(t.Context(), &fakeSource{lostAt: at}, podCount)
		if settled != nil || !errors.Is(err, errLost) {
			t.Errorf("lost at call %d: got %v, %v", at, settled, err)
		}
	}
}

// TestCancelledSettleHasNoAnswer: also when all was read by then.
func TestCancelledSettleHasNoAnswer(t *testing.T) {
	for at := 1; at <= 2; at++ {
		ctx, cancel := context.WithCancel(t.Context())
		round := 0
		settled, err := Settle(ctx, &fakeSource{}, func(v *View) (int, []*Reader, error) {
			if round++; round == at {
				cancel()
			}
			return podCount(v)
		})
		if settled != nil || !errors.Is(err, context.Canceled) || round != at {
			t.Errorf("cancelled in round %d: got %v, %v after %d rounds", at, settled, err, round)
		}
	}
}

// TestSettledErrors: an error counts once nothing is missing.
func TestSettledErrors(t *testing.T) {
	wrong := errors.New("no such pod")
	settled, err := Settle(t.Context(), &fakeSource{}, func(v *View) (int, []*Reader, error) {
		n, readers, err := podCount(v)
		if err == nil {
			err = wrong
		}
		return n, readers, err
	})
	if settled != nil || !errors.Is(err, wrong) {
		t.Errorf("got %v, %v", settled, err)
	}
}
