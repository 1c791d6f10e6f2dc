package scale

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"testing"

	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/api"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/reconcile"
)

// TestCreationsAreCounted compares the slow start that counts what is sure to
// succeed with the one that makes every call, with taken names among the free IDs.
func TestCreationsAreCounted(t *testing.T) {
	for n := range 20 {
		for reused := range 6 {
			for taken := range 1 << reused {
				ids := instanceIDs{blocked: map[string]string{}}
				for i := range reused {
					ids.reused = append(ids.reused, fmt.Sprint(i))
					if taken&(1<<i) != 0 {
						ids.blocked[fmt.Sprint(i)] = fmt.Sprintf("pods %q already exists", fmt.Sprint(i))
					}
				}
				s := &scaling{&reconcile.Run{Set: &api.Set{}}}
				call := s.creations(n, &ids)
				counted, made := slowly(n, s.sure(n, ids), call), slowly(n, 0, call)
				if !same(counted, made) {
					t.Errorf("%d creations, free IDs %v, taken %v: %+v, one by one %+v", n, ids.reused, ids.blocked, counted, made)
				}
			}
		}
	}
}

func same(a, b creation) bool {
	text := func(err error) string { return fmt.Sprint(err) }
	return reflect.DeepEqual(a.batches, b.batches) && a.created == b.created && a.attempted == b.attempted && text(a.err) == text(b.err)
}

// TestCreationsOfAnAnsweringServer: where somebody answers, each call is made.
func TestCreationsOfAnAnsweringServer(t *testing.T) {
	s := &scaling{&reconcile.Run{Set: &api.Set{}, Given: reconcile.Given{Refuse: func(c reconcile.Call) error {
		if c.Index == 2 {
			return errors.New("no")
		}
		return nil
	}}}}
	var ids instanceIDs
	if c := slowly(9, s.sure(9, ids), s.creations(9, &ids)); c.created != 2 || c.attempted != 3 || c.err == nil {
		t.Errorf("the third call is refused: %+v", c)
	}
}

// TestCreationsOfBillions: no call is made for what is only counted.
func TestCreationsOfBillions(t *testing.T) {
	c := slowly(math.MaxInt32, math.MaxInt32, func(int) error { panic("a call is made") })
	if c.created != math.MaxInt32 || c.attempted != math.MaxInt32 || len(c.batches) != 31 {
		t.Errorf("%+v", c)
	}
}
