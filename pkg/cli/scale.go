package cli

import (
	"errors"
	"fmt"
	"strconv"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/controller"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/whatif"
)

// scaleTo is a what-if for any kind that can be scaled.
func scaleTo(replicas int32) change { return fieldsChanged(whatif.Fields{Replicas: &replicas}) }

// fieldsChanged is the what-if of flags. Fields that the target's kind does not
// have are left out: they were refused before, or are asked for of all kinds.
func fieldsChanged(f whatif.Fields) change {
	return func(v *view.View, by profile.Profile, p controller.Controller, t view.Target) (*laid, error) {
		r := v.Reader()
		over := &laid{View: v, reader: r}
		need := view.Need{Kind: t.Kind, Namespace: t.Namespace, Name: t.Name, Detail: view.Full}
		obj, ok := view.Get[metav1.Object](r, need)
		if err := r.Err(need); err != nil {
			return over, err
		}
		if !ok {
			return over, &view.NotFound{Target: t}
		}
		if p.WhatIf == nil {
			return over, nil
		}
		err := checkSpecified(r, t, obj, f.Delete)
		if err != nil {
			return over, fmt.Errorf("%s/%s/%s: %w", t.Kind.Resource, t.Namespace, t.Name, err)
		}
		changed, changes, err := p.WhatIf.Change(obj, f)
		if err != nil {
			return over, fmt.Errorf("%s/%s/%s: %w", t.Kind.Resource, t.Namespace, t.Name, err)
		}
		over.View, over.changes = v.With(t.Kind, changed).AsWhatIf(), changes
		return over, over.admitted(p, by, t, changed, changes)
	}
}

// optionalCount is the value of a flag that is 0 or more, or was not given.
type optionalCount struct{ n **int32 }

func (c optionalCount) Type() string { return "int" }

func (c optionalCount) String() string {
	if c.n == nil || *c.n == nil {
		return ""
	}
	return fmt.Sprint(**c.n)
}

func (c optionalCount) Set(text string) error {
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil || n < 0 {
		return fmt.Errorf("want a whole number from 0 to %d", 1<<31-1)
	}
	count := int32(n)
	*c.n = &count
	return nil
}

// optionalDuration is the value of a flag that is 0 or more, or was not given.
type optionalDuration struct{ d **time.Duration }

func (c optionalDuration) Type() string { return "duration" }

func (c optionalDuration) String() string {
	if c.d == nil || *c.d == nil {
		return ""
	}
	return (*c.d).String()
}

func (c optionalDuration) Set(text string) error {
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 {
		return errors.New("want a duration such as 20s or 1m30s")
	}
	*c.d = &d
	return nil
}
