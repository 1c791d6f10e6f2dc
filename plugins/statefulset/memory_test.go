package statefulset_test

import (
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	clocktesting "k8s.io/utils/clock/testing"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/controller"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/statefulset"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/clusterdsl"
)

// remembering is a controller with a memory, and the cluster that its caches hold.
type remembering struct {
	t       *testing.T
	clock   *clocktesting.FakePassiveClock
	memory  controller.Memory
	cluster *view.View
}

func remember(t *testing.T, text string) *remembering {
	t.Helper()
	c := clocktesting.NewFakePassiveClock(time.Unix(0, 0))
	m := &remembering{t: t, clock: c, memory: statefulset.Controller().Agent.Memory(c)}
	m.see(text, "10")
	return m
}

// see has the caches hold a cluster, each object in one version.
func (m *remembering) see(text, version string) {
	m.t.Helper()
	v, err := clusterdsl.Parse(text)
	if err != nil {
		m.t.Fatal(err)
	}
	for _, k := range []view.Kind{view.StatefulSets, view.Pods} {
		for _, obj := range v.All(k) {
			obj.SetResourceVersion(version)
		}
	}
	m.cluster = v
}

// sync is one that starts with the memory, and is remembered.
func (m *remembering) sync(version string) *decision.Decision {
	m.t.Helper()
	r, p, web := m.cluster.Reader(), emulating(m.t, version, ""), targetOf("web")
	d, err := m.memory.Begin(r, p, web)(r, p, web)
	if err != nil {
		m.t.Fatal(err)
	}
	m.memory.Expect(targetOf("web"), d, func(k view.Kind, namespace, name string) (metav1.Object, bool) {
		return m.cluster.Held(k, namespace, name)
	})
	return d
}

// waits reports whether a sync waits for the controller's own writes, for those of Pods or
// of the StatefulSet.
func (m *remembering) waits() string {
	m.t.Helper()
	d := m.sync("1.37")
	if d.Gate.Rule != statefulset.WritesNotRead {
		return ""
	}
	return d.Gate.Facts.Str("resources")
}

func (m *remembering) want(when, resources string) {
	m.t.Helper()
	if got := m.waits(); got != resources {
		m.t.Errorf("%s: waits for %q, want %q", when, got, resources)
	}
}

const (
	growing = "sts web selector=app=web replicas=2 policy=Parallel image=web:1 current=web-a update=web-a "
	first   = "counts=1/1/1/1/1\nsrev web-a of=sts/web image=web:1\nord web-0 of=sts/web rev=web-a ready=1h\n"
	second  = "ord web-1 of=sts/web rev=web-a notready=1s\n"
)

// TestCreationsReadBack: a sync waits until the Pods that the one before created are there,
// for five minutes at most.
func TestCreationsReadBack(t *testing.T) {
	start := time.Unix(0, 0)
	for name, c := range map[string]struct {
		after time.Duration
		want  string
	}{
		"at once":                           {0, "pods"},
		"a moment before five minutes pass": {5*time.Minute - 1, "pods"},
		"when they have":                    {5 * time.Minute, ""},
	} {
		m := remember(t, growing+first)
		m.sync("1.37")
		m.see(growing+first, "11") // the status that was written is read
		m.clock.SetTime(start.Add(c.after))
		m.want(name, c.want)
	}
	m := remember(t, growing+first)
	m.sync("1.37")
	m.see(growing+first+second, "11")
	m.want("the Pod is there", "")
	m.see(growing+first, "12")
	m.want("it was there, and is gone", "")
}

// TestPossibleCreations: what is created only possibly is not waited for, nor a status that
// can't be written.
func TestPossibleCreations(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"two Pods have one ordinal": {growing + "counts=1/1/1/1/1\nsrev web-a of=sts/web image=web:1\nord web-0 of=sts/web rev=web-a ready=1h\nord web-00 of=sts/web rev=web-a ready=1h\n", ""},
		"status is below zero": {"sts web selector=app=web replicas=2 image=web:2 current=web-a update=web-b counts=2/2/2/2/0\nsrev web-x of=sts/web image=web:x\n" +
			"srev web-b of=sts/web number=2 image=web:2\nord web-0 of=sts/web rev=web-x ready=1h noname\nord web-1 of=sts/web rev=web-x ready=1h\n", "pods"},
	} {
		m := remember(t, c.text)
		if d := m.sync("1.37"); d.Gate.Rule == statefulset.WritesNotRead || len(d.Actions) == 0 {
			t.Fatalf("%s: %s, %d actions", name, d.Gate.Rule, len(d.Actions))
		}
		m.want(name, c.want)
	}
}

// TestClaimsNotReadBack: claims are not watched.
func TestClaimsNotReadBack(t *testing.T) {
	const set = growing + "claims=data counts=1/1/1/1/1\nsrev web-a of=sts/web image=web:1\nord web-0 of=sts/web rev=web-a claims=data ready=1h\npvc data-web-0\n"
	m := remember(t, set)
	if d := m.sync("1.37"); len(d.Actions) < 2 {
		t.Fatalf("%d actions", len(d.Actions))
	}
	m.see(set+"ord web-1 of=sts/web rev=web-a claims=data notready=1s\n", "11")
	m.want("the Pods are there", "")
}

// TestOtherSetForgets: what one that was replaced created is not waited for.
func TestOtherSetForgets(t *testing.T) {
	m := remember(t, growing+first)
	m.sync("1.37")
	m.see(growing+first, "11")
	set, _ := m.cluster.Held(view.StatefulSets, clusterdsl.Namespace, "web")
	set.SetUID(types.UID("another"))
	m.want("another UID", "")
}

// TestUpdatesReadBack: of what is updated the version has to be a newer one.
func TestUpdatesReadBack(t *testing.T) {
	const set = "sts web selector=app=web replicas=1 image=web:1 current=web-a update=web-a "
	const revision = "\nsrev web-a of=sts/web image=web:1\n"
	for name, c := range map[string]struct{ text, want string }{
		"status is written": {set + "counts=0/0/0/0/0" + revision + "ord web-0 of=sts/web rev=web-a ready=1h\n", "statefulsets.apps"},
		"an orphan":         {set + "counts=1/1/1/1/1" + revision + "ord web-0 rev=web-a ready=1h\n", "pods"},
		"a label is lost":   {set + "counts=1/1/1/1/1" + revision + "ord web-0 of=sts/web rev=web-a ready=1h noname\n", "pods"},
		"nothing":           {set + "counts=1/1/1/1/1" + revision + "ord web-0 of=sts/web rev=web-a ready=1h\n", ""},
		"a Pod is deleted":  {set + "counts=1/1/1/1/1" + revision + "ord web-0 of=sts/web rev=web-a ready=1h\nord web-1 of=sts/web rev=web-a ready=1h\n", "statefulsets.apps"},
	} {
		m := remember(t, c.text)
		m.sync("1.37")
		m.want(name, c.want)
		if d := m.sync("1.37"); strings.Contains(d.NextSync.Facts.Str("error"), "written version") {
			t.Errorf("%s: tells a version that is not known: %s", name, d.NextSync.Facts.Str("error"))
		}
		m.see(c.text, "11")
		m.want(name+", and it is read", "")
	}
}

// TestStatusReadBack: no event of a Pod shows that status was read.
func TestStatusReadBack(t *testing.T) {
	const text = "sts web selector=app=web replicas=1 image=web:1 current=web-a update=web-a counts=0/0/0/0/0\nsrev web-a of=sts/web image=web:1\nord web-0 of=sts/web rev=web-a ready=1h\n"
	m := remember(t, text)
	m.sync("1.37")
	m.see(text, "12")
	set, _ := m.cluster.Held(view.StatefulSets, clusterdsl.Namespace, "web")
	set.SetResourceVersion("10")
	m.want("a Pod changed", "statefulsets.apps")
}

// TestNothingReadBackBefore: releases before 1.36 wait for nothing.
func TestNothingReadBackBefore(t *testing.T) {
	m := remember(t, growing+first)
	m.sync("1.35")
	if d := m.sync("1.35"); !d.Gate.Open || d.Summary.Create == 0 {
		t.Errorf("the gate is %s, %d Pods are created", d.Gate.Rule, d.Summary.Create)
	}
}
