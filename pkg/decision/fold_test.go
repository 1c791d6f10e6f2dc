package decision

import (
	"fmt"
	"testing"
)

// contested is a Decision about n Pods that others may adopt first, and n that
// belong to others.
func contested(n int) *Decision {
	d := &Decision{Ranking: &Ranking{}, Expectations: Expectations{After: &Expectation{Dels: int64(n)}}}
	for i := range n {
		pod := Ref{Kind: "Pod", Namespace: "shop", Name: fmt.Sprintf("a-%d", i)}
		d.Claims = append(d.Claims, Claim{Object: pod, Decision: ToAdopt}, Claim{Object: Ref{Kind: "Pod", Name: "b"}, Decision: Ignored})
		d.Actions = append(d.Actions,
			Action{Verb: Adopt, Object: pod, Certainty: Possible, Choice: &Choice{K: 1, N: 3}},
			Action{Verb: Delete, Object: pod, Certainty: Possible, Choice: &Choice{K: n - 1, N: n}})
		d.Updates = append(d.Updates, Update{Object: pod})
		d.Expectations.After.PossibleKeys = append(d.Expectations.After.PossibleKeys, "shop/"+pod.Name)
	}
	own := Ref{Kind: "Pod", Namespace: "shop", Name: "own"}
	d.Claims = append(d.Claims, Claim{Object: own, Decision: Owned})
	d.Actions = append(d.Actions,
		Action{Verb: Delete, Object: own, Certainty: Certain},
		Action{Verb: Delete, Object: Ref{Kind: "PersistentVolumeClaim", Namespace: "shop", Name: fmt.Sprintf("a-%d", n-1)}, Certainty: Certain})
	return d
}

func TestFold(t *testing.T) {
	d := contested(25)
	got := d.Fold(10)
	if got.Folded == nil || *got.Folded != (Folded{Ignored: 15, Contested: 15}) {
		t.Fatalf("folded %+v", got.Folded)
	}
	if n := []int{len(got.Claims), len(got.Actions), len(got.Updates), len(got.Expectations.After.PossibleKeys)}; fmt.Sprint(n) != "[21 22 10 10]" {
		t.Errorf("left %d claims, actions, updates and keys", n)
	}
	if got.Ranking != nil || got.Expectations.After.Dels != 25 {
		t.Errorf("ranking %v, %d deletions expected", got.Ranking, got.Expectations.After.Dels)
	}
	if d.Folded != nil || len(d.Claims) != 51 || len(d.Actions) != 52 || len(d.Expectations.After.PossibleKeys) != 25 || d.Ranking == nil {
		t.Error("the whole Decision changed")
	}
}

func TestFoldKeepsFew(t *testing.T) {
	if d := contested(10); d.Fold(10) != d {
		t.Error("a Decision with few was folded")
	}
}

// TestFoldKeepsOwn: what no other controller of the list repeats is never folded.
func TestFoldKeepsOwn(t *testing.T) {
	d := &Decision{Ranking: &Ranking{}}
	for i := range 50 {
		pod := Ref{Kind: "Pod", Namespace: "shop", Name: fmt.Sprint(i)}
		d.Claims = append(d.Claims, Claim{Object: pod, Decision: Owned}, Claim{Object: pod, Decision: ToAdopt}, Claim{Object: pod, Decision: ToRelease}, Claim{Object: pod, Decision: Inactive})
		d.Actions = append(d.Actions, Action{Verb: Adopt, Object: pod, Certainty: Certain}, Action{Verb: Delete, Object: pod, Certainty: Possible})
	}
	if d.Fold(10) != d {
		t.Error("the Decision was folded")
	}
}
