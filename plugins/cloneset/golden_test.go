package cloneset_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/whatif"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/answer"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/api"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/reconcile"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/rules"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/clusterdsl"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/golden"
)

// TestGoldens shows every rule of the plugin.
func TestGoldens(t *testing.T) {
	golden.Suite{
		Rules:         rules.All,
		Keep:          cloneset.Keep,
		KeptElsewhere: cloneset.KeptInParts,
		Retries:       []string{rules.RetryWithBackoff},
		Decide:        decideGolden,
		Cluster: func(v *view.View, td *datadriven.TestData) *view.View {
			return unread(v, golden.Arg(td, "unread", ""))
		},
	}.Run(t)
}

// unread is the View of somebody who may not read a resource.
func unread(v *view.View, resource string) *view.View {
	if resource == "" {
		return v
	}
	b := view.NewBuilder(v.Now())
	for _, k := range view.Kinds() {
		need := view.Need{Kind: k, Detail: view.Full}
		if k.Resource == resource {
			for _, n := range []view.Need{need, {Kind: k, Namespace: clusterdsl.Namespace, Detail: view.Full}, {Kind: k, Namespace: clusterdsl.Namespace, Selector: "app=web", Detail: view.Full}, {Kind: k, Namespace: clusterdsl.Namespace, Name: "web", Detail: view.Full}} {
				b.Reads(n, errors.New(resource+" is forbidden"))
			}
			continue
		}
		for _, obj := range v.All(k) {
			b.Add(k, obj)
		}
		b.Reads(need, nil)
	}
	return b.View()
}

// decideGolden reads "sync sample kruise=1.8 gates=… expect=creates:a,age:1m versions=pod:1m
// fail=delete:pod replicas=2 partition=1 image=web:3 show=updates,limits".
func decideGolden(t *testing.T, td *datadriven.TestData, v *view.View) *decision.Decision {
	t.Helper()
	target := view.Target{Kind: view.CloneSets, Namespace: clusterdsl.Namespace, Name: td.CmdArgs[0].Key}
	gates, err := kruise.Program.ParseGates(golden.Arg(td, "gates", ""))
	if err != nil {
		t.Fatal(err)
	}
	p, err := profile.New(profile.Options{Emulate: golden.Arg(td, "version", "1.36"), Programs: map[string]profile.ProgramOptions{kruise.Program.Name: {Version: golden.Arg(td, "kruise", ""), Gates: gates}}})
	if err != nil {
		t.Fatal(err)
	}
	v, changes := asked(t, td, v, target)
	d, err := cloneset.Decide(v.Reader(), p, target, given(t, td))
	if err != nil {
		t.Fatal(err)
	}
	d.WhatIf = changes
	rules.All.Phrase(d)
	d.Answer = answer.Of(d)
	return d
}

// asked lays what the directive asks over the View.
func asked(t *testing.T, td *datadriven.TestData, v *view.View, target view.Target) (*view.View, []decision.Change) {
	t.Helper()
	var w whatif.Fields
	for key, field := range map[string]**string{"partition": &w.Partition, "maxUnavailable": &w.MaxUnavailable, "maxSurge": &w.MaxSurge, "type": &w.UpdateType} {
		if text := golden.Arg(td, key, ""); text != "" {
			*field = &text
		}
	}
	if text := golden.Arg(td, "replicas", ""); text != "" {
		var n int32
		fmt.Sscan(text, &n)
		w.Replicas = &n
	}
	if text := golden.Arg(td, "paused", ""); text != "" {
		paused := text == "true"
		w.Paused = &paused
	}
	if text := golden.Arg(td, "image", ""); text != "" {
		w.Images = map[string]string{"main": text}
	}
	if text := golden.Arg(td, "delete", ""); text != "" {
		w.Delete = strings.Split(text, ",")
	}
	obj, ok := view.Get[metav1.Object](v.Reader(), view.Need{Kind: view.CloneSets, Namespace: target.Namespace, Name: target.Name})
	if !ok {
		t.Fatalf("no %s", target.Name)
	}
	changed, changes, err := api.Change(obj, w)
	if err != nil {
		t.Fatal(err)
	}
	if len(changes) > 0 {
		v = v.With(view.CloneSets, changed).AsWhatIf()
	}
	return v, changes
}

// given reads expect=(creates:a,deletes:b,age:1m), versions=(pod:1m) and
// fail=(create:1) or another verb and the object's name.
func given(t *testing.T, td *datadriven.TestData) reconcile.Given {
	t.Helper()
	var g reconcile.Given
	for key, value := range pairs(td, "expect") {
		if g.Scale == nil {
			g.Scale = &reconcile.ScaleRecord{}
		}
		switch key {
		case "creates":
			g.Scale.Creates = append(g.Scale.Creates, value)
		case "deletes":
			g.Scale.Deletes = append(g.Scale.Deletes, value)
		case "age":
			g.Scale.Since = ago(t, value)
		}
	}
	for pod, age := range pairs(td, "versions") {
		if g.Versions == nil {
			g.Versions = map[string]time.Time{}
		}
		g.Versions[pod] = ago(t, age)
	}
	for call, which := range pairs(td, "fail") {
		g.Refuse = func(c reconcile.Call) error {
			name := c.Name
			if name == "" {
				name = fmt.Sprint(c.Index)
			}
			if c.Verb == call && name == which {
				return errors.New("the server said no")
			}
			return nil
		}
	}
	return g
}

func pairs(td *datadriven.TestData, key string) map[string]string {
	out := map[string]string{}
	for item := range strings.SplitSeq(golden.Arg(td, key, ""), ",") {
		if k, v, ok := strings.Cut(item, ":"); ok {
			out[k] = v
		}
	}
	return out
}

func ago(t *testing.T, text string) time.Time {
	t.Helper()
	age, err := time.ParseDuration(text)
	if err != nil {
		t.Fatal(err)
	}
	return clusterdsl.Now.Add(-age)
}
