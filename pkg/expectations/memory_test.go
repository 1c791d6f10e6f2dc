package expectations

import (
	"fmt"
	"slices"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	clocktesting "k8s.io/utils/clock/testing"
)

const key = "shop/web"

func TestUIDTracking(t *testing.T) {
	c := clocktesting.NewFakePassiveClock(now)
	u := NewUIDTracking(c)
	u.CreationObserved(key)
	if u.Get(key) != nil {
		t.Error("what was never expected leaves no record")
	}
	u.ExpectDeletions(key, []string{"shop/a", "shop/b", "shop/a"})
	u.DeletionObserved(key, "shop/a")
	u.DeletionObserved(key, "shop/a")
	if r := u.Get(key); r.Dels != 1 {
		t.Errorf("a pod that is marked and then removed counts once: %+v", r)
	}
	u.ExpectCreations(key, 2)
	u.DeletionObserved(key, "shop/b")
	if r := u.Get(key); r.Adds != 2 || r.Dels != -1 {
		t.Errorf("creations leave the old keys, which lower below nothing: %+v", r)
	}
	u.Raise(key, 1, 1)
	if u.Satisfied(key) {
		t.Error("three creations are outstanding")
	}
	c.SetTime(now.Add(Timeout + 1))
	if !u.Satisfied(key) {
		t.Error("a record expires, and raising it does not renew it")
	}
	u.Delete(key)
	if u.Get(key) != nil {
		t.Error("deleted")
	}
}

// TestClobberedDeleteKeys: what upstream's store holds of the record before is told when
// deletions replace it. What chance has spared was never in upstream's store.
func TestClobberedDeleteKeys(t *testing.T) {
	c := clocktesting.NewFakePassiveClock(now)
	u := NewUIDTracking(c)
	expect := func(pods ...string) string {
		e := u.ExpectDeletions(key, pods)
		if e == nil {
			return ""
		}
		return fmt.Sprintf("%d of %v %v after %s", e.Dels, e.DeleteKeys, e.PossibleKeys, time.Duration(e.Age))
	}
	for n, step := range []struct {
		do   func()
		want string
	}{
		{func() {}, ""},
		{func() { u.DeletionObserved(key, "shop/a") }, "1 of [shop/b] [] after 1m0s"},
		{func() { u.DeletionObserved(key, "shop/a"); u.DeletionObserved(key, "shop/b") }, ""},
		{func() { u.ExpectCreations(key, 1) }, "2 of [shop/a shop/b] [] after 1m0s"},
		{func() { u.Delete(key) }, ""},
		{func() { u.Spare(key, 1); u.DeletionObserved(key, "shop/b") }, ""},
		{func() { u.Spare(key, 1) }, "1 of [] [shop/a shop/b] after 1m0s"},
		{func() { u.Spare(key, 1); u.DeletionObserved(key, "shop/b"); u.ExpectCreations(key, 1) }, ""},
	} {
		step.do()
		c.SetTime(c.Now().Add(time.Minute))
		if got := expect("shop/a", "shop/b"); got != step.want {
			t.Errorf("step %d: %q, want %q", n, got, step.want)
		}
	}
}

func TestScaleCountsFromTheFirstLook(t *testing.T) {
	c := clocktesting.NewFakePassiveClock(now)
	s := NewScale(c)
	s.Expect(key, ScaleCreate, "a")
	s.Expect(key, ScaleDelete, "b")
	c.SetTime(now.Add(time.Hour))
	if ok, waited := s.Satisfied(key); ok || waited != 0 {
		t.Errorf("the first look finds it unsatisfied for no time: %v %v", ok, waited)
	}
	c.SetTime(now.Add(2 * time.Hour))
	s.Observe(key, ScaleCreate, "a")
	if ok, waited := s.Satisfied(key); ok || waited != time.Hour {
		t.Errorf("it never expires: %v %v", ok, waited)
	}
	if creates, deletes := s.Get(key).Outstanding(); len(creates) != 0 || !slices.Equal(deletes, []string{"b"}) {
		t.Errorf("%v %v", creates, deletes)
	}
	s.Observe(key, ScaleDelete, "b")
	if ok, _ := s.Satisfied(key); !ok || s.Get(key) != nil {
		t.Error("the record goes with its last name")
	}
}

func version(v string) *metav1.ObjectMeta { return &metav1.ObjectMeta{UID: "u", ResourceVersion: v} }

func TestVersions(t *testing.T) {
	c := clocktesting.NewFakePassiveClock(now)
	v := NewVersions(c)
	v.Expect(version("7"))
	v.Expect(version("5"))
	if ok, _ := v.Satisfied(version("6")); ok || v.Get("u").Version != "7" {
		t.Error("the newest version is waited for")
	}
	c.SetTime(now.Add(time.Minute))
	if ok, waited := v.Satisfied(version("6")); ok || waited != time.Minute {
		t.Errorf("it counts from the first look: %v %v", ok, waited)
	}
	if ok, _ := v.Satisfied(version("10")); !ok || v.Get("u") != nil {
		t.Error("versions are compared as numbers, and seeing one fulfils")
	}
	v.Expect(version("7"))
	v.Delete(version(""))
	if ok, _ := v.Satisfied(version("1")); !ok {
		t.Error("deleted")
	}
}

func TestConsistency(t *testing.T) {
	pods, sets := schema.GroupResource{Resource: "pods"}, schema.GroupResource{Group: "apps", Resource: "replicasets"}
	read := map[schema.GroupResource]string{pods: "90"}
	c := NewConsistency()
	ready := func(owner types.NamespacedName) []*Stale {
		return c.Ready(owner, func(r schema.GroupResource) string { return read[r] })
	}
	web := types.NamespacedName{Namespace: "shop", Name: "web"}
	c.WroteAt(web, "u", pods, "100")
	c.WroteAt(web, "u", pods, "99")
	c.WroteAt(web, "u", sets, "100")
	behind := ready(web)
	if len(behind) != 1 || behind[0].Error() != "read version: 90 is not as new as written version: 100 for group resource pods" {
		t.Errorf("a cache that does not tell holds nothing back: %v", behind)
	}
	read[pods] = "100"
	if ready(web) != nil {
		t.Error("the cache has read that far")
	}
	read[pods] = "90"
	if ready(web) != nil {
		t.Error("the record goes when the caches are there")
	}
	c.WroteAt(web, "u", pods, "200")
	c.WroteAt(web, "other", sets, "100")
	if ready(web) != nil {
		t.Error("a new owner of the name has written no pods")
	}
	c.WroteAt(web, "u", pods, "200")
	c.Clear(web, "other")
	if len(ready(web)) != 1 {
		t.Error("only the owner's own record is cleared")
	}
	c.Clear(web, "")
	if ready(web) != nil {
		t.Error("cleared")
	}
}
