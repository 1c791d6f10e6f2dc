package cloneset_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/reconcile"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/clusterdsl"
)

// TestWhichFailure: where Pods fail for different reasons, which of these ends the sync is
// not told; of one reason it is.
func TestWhichFailure(t *testing.T) {
	v, err := clusterdsl.Parse(`manager v1.9.1
cs sample selector=app=web replicas=2 image=web:1 type=InPlaceIfPossible current=sample-a update=sample-a
rev sample-a of=cs/sample number=1 app=web image=web:1
kpod sample-0 of=cs/sample app=web rev=sample-a id=0 state=PreparingNormal node=n0 ready=10m age=1h
kpod sample-1 of=cs/sample app=web rev=sample-a id=1 state=PreparingNormal node=n1 ready=11m age=1h`)
	if err != nil {
		t.Fatal(err)
	}
	p, err := profile.New(profile.Options{Emulate: "1.36"})
	if err != nil {
		t.Fatal(err)
	}
	for _, open := range []bool{false, true} {
		given := reconcile.Given{Refuse: func(c reconcile.Call) error {
			switch {
			case c.Verb != "patch":
				return nil
			case open:
				return fmt.Errorf("%s is refused", c.Name)
			}
			return errors.New("refused")
		}}
		d, err := cloneset.Decide(v.Reader(), p, view.Target{Kind: view.CloneSets, Namespace: clusterdsl.Namespace, Name: "sample"}, given)
		if err != nil {
			t.Fatal(err)
		}
		if got := slices.ContainsFunc(d.Caveats, func(c decision.Caveat) bool { return c.Code == "RefusalByChance" }); got != open {
			t.Errorf("left open: %t, want %t", got, open)
		}
	}
}

// TestWhichName: of two IDs to reuse, one of which needs a claim that another one has, the
// first new Pod fails for that claim or for what refuses every Pod.
func TestWhichName(t *testing.T) {
	v, err := clusterdsl.Parse(`manager v1.9.1
cs sample selector=app=web replicas=2 image=web:1 type=InPlaceIfPossible current=sample-a update=sample-a claims=data
rev sample-a of=cs/sample number=1 app=web image=web:1
kpod sample-0 of=cs/sample app=web rev=sample-a id=0 state=Normal node=n0 ready=10m age=1h
pvc data-sample-0 of=cs/sample id=0
pvc data-sample-1 of=cs/sample id=1
pvc old-sample-2 of=cs/sample id=2
pvc data-sample-2`)
	if err != nil {
		t.Fatal(err)
	}
	p, err := profile.New(profile.Options{Emulate: "1.36"})
	if err != nil {
		t.Fatal(err)
	}
	given := reconcile.Given{Refuse: func(c reconcile.Call) error {
		if c.Verb == "create" && c.Kind == "Pod" {
			return errors.New("refused")
		}
		return nil
	}}
	d, err := cloneset.Decide(v.Reader(), p, view.Target{Kind: view.CloneSets, Namespace: clusterdsl.Namespace, Name: "sample"}, given)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(d.Caveats, func(c decision.Caveat) bool { return c.Code == "CreationOrderUnknown" }) {
		t.Errorf("told as certain: %s", d.Answer)
	}
}
