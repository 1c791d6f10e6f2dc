package statefulset_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/whatif"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/statefulset"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/clusterdsl"
)

// TestImpossibleValues: what a StatefulSet can't have is an error, and nothing else is.
func TestImpossibleValues(t *testing.T) {
	v, err := clusterdsl.Parse("sts web selector=app=web replicas=3 image=web:1\n")
	if err != nil {
		t.Fatal(err)
	}
	target := targetOf("web")
	set, _ := v.Held(target.Kind, target.Namespace, target.Name)
	for _, c := range []struct {
		fields whatif.Fields
		want   string
	}{
		{whatif.Fields{Partition: new("-1")}, "--partition -1"},
		{whatif.Fields{Partition: new("50%")}, "--partition 50%"},
		{whatif.Fields{Partition: new("0")}, ""},
		{whatif.Fields{MaxUnavailable: new("0")}, "--max-unavailable 0"},
		{whatif.Fields{MaxUnavailable: new("101%")}, "--max-unavailable 101%"},
		{whatif.Fields{MaxUnavailable: new("100%")}, ""},
		{whatif.Fields{MaxUnavailable: new("101")}, ""},
	} {
		_, _, err := statefulset.Controller().WhatIf.Change(set, c.fields)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %q", err, c.want)
		}
	}
}

// TestNumbersBelowZero: no API server stores these.
func TestNumbersBelowZero(t *testing.T) {
	for words, field := range map[string]string{"replicas=-1": "spec.replicas", "start=-2": "spec.ordinals.start", "minReady=-3": "spec.minReadySeconds"} {
		v, err := clusterdsl.Parse("sts web selector=app=web image=web:1 " + words + "\n")
		if err != nil {
			t.Fatal(err)
		}
		_, err = statefulset.Decide(v.Reader(), emulating(t, "1.37", ""), targetOf("web"), statefulset.Given{})
		if err == nil || !strings.Contains(err.Error(), field+" is -") {
			t.Errorf("%s: got %v", words, err)
		}
	}
}

// TestImpossibleStrategies: nor these.
func TestImpossibleStrategies(t *testing.T) {
	for name, c := range map[string]struct {
		partition   *int32
		unavailable string
		want        string
	}{
		"a partition below zero":       {new(int32(-1)), "1", "partition is -1"},
		"maxUnavailable of no number":  {nil, "some", "want a number or a percentage"},
		"maxUnavailable of 0":          {nil, "0", "maxUnavailable: 0: want more than 0"},
		"maxUnavailable of 0%":         {nil, "0%", "maxUnavailable: 0%: want more than 0"},
		"maxUnavailable below 0":       {nil, "-1", "maxUnavailable: -1: want more than 0"},
		"maxUnavailable above all":     {nil, "101%", "maxUnavailable: 101%: want no more than 100%"},
		"those that the server stores": {new(int32(1)), "50%", ""},
		"all of them":                  {nil, "100%", ""},
		"more than there are":          {nil, "200", ""},
	} {
		v, err := clusterdsl.Parse("sts web selector=app=web image=web:1\n")
		if err != nil {
			t.Fatal(err)
		}
		for _, obj := range v.All(view.StatefulSets) {
			obj.(*appsv1.StatefulSet).Spec.UpdateStrategy.RollingUpdate = &appsv1.RollingUpdateStatefulSetStrategy{
				Partition: c.partition, MaxUnavailable: new(intstr.Parse(c.unavailable)),
			}
		}
		_, err = statefulset.Decide(v.Reader(), emulating(t, "1.37", ""), targetOf("web"), statefulset.Given{})
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", name, err, c.want)
		}
	}
}

// TestRetention: a policy for volume claims is one of two.
func TestRetention(t *testing.T) {
	for words, want := range map[string]string{
		"retain=Delete/Retain": "", "retain=Foo/Retain": `whenDeleted: "Foo" is neither`, "retain=Retain/Bar": `whenScaled: "Bar" is neither`,
	} {
		v, err := clusterdsl.Parse("sts web selector=app=web image=web:1 " + words + "\n")
		if err != nil {
			t.Fatal(err)
		}
		_, err = statefulset.Decide(v.Reader(), emulating(t, "1.37", ""), targetOf("web"), statefulset.Given{})
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", words, err, want)
		}
	}
}

// TestDefaults: what the API server always sets and files may lack.
func TestDefaults(t *testing.T) {
	set, _, err := statefulset.Controller().WhatIf.Change(&appsv1.StatefulSet{}, whatif.Fields{})
	if err != nil {
		t.Fatal(err)
	}
	want := appsv1.StatefulSetSpec{
		Replicas: new(int32(1)), RevisionHistoryLimit: new(int32(10)), PodManagementPolicy: appsv1.OrderedReadyPodManagement,
		UpdateStrategy: appsv1.StatefulSetUpdateStrategy{
			Type: appsv1.RollingUpdateStatefulSetStrategyType, RollingUpdate: &appsv1.RollingUpdateStatefulSetStrategy{Partition: new(int32(0))},
		},
	}
	if diff := cmp.Diff(want, set.(*appsv1.StatefulSet).Spec); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
