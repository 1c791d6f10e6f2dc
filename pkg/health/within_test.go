package health

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// TestWithin names the container that lacks something where the Pod has others.
func TestWithin(t *testing.T) {
	const (
		two     = `spec: {nodeName: n1, containers: [{name: app}, {name: proxy}]}`
		sidecar = `spec: {nodeName: n1, initContainers: [{name: mesh, restartPolicy: Always}], containers: [{name: app}]}`
		initial = `spec: {nodeName: n1, initContainers: [{name: migrate}], containers: [{name: app}]}`
		created = `state: {waiting: {reason: ContainerCreating}}`
		runs    = `state: {running: {startedAt: '2026-07-01T11:59:50Z'}}`
		crashed = `restartCount: 4, state: {waiting: {reason: CrashLoopBackOff}}, lastState: {terminated: {reason: Error, exitCode: 1, finishedAt: '2026-07-01T11:59:30Z'}}`
		again   = `restartCount: 1, state: {running: {startedAt: '2026-07-01T11:59:50Z'}}, lastState: {terminated: {reason: OOMKilled, exitCode: 137, finishedAt: '2026-07-01T11:59:40Z'}}`
	)
	statuses := func(initial, containers string) string {
		return "status: {phase: Running, initContainerStatuses: [" + initial + "], containerStatuses: [" + containers + "]}"
	}
	ready := func(name string) string { return "{name: " + name + ", ready: true, started: true, " + runs + "}" }
	lacks := func(name, state string) string { return "{name: " + name + ", " + state + "}" }
	for name, c := range map[string]struct{ spec, status, want string }{
		"the only one":            {onNode, statuses("", lacks("app", runs)), "not ready"},
		"one of two":              {two, statuses("", ready("app")+", "+lacks("proxy", runs)), "not ready (proxy)"},
		"both":                    {two, statuses("", lacks("app", runs)+", "+lacks("proxy", runs)), "not ready"},
		"both for other reasons":  {two, statuses("", lacks("app", runs)+", "+lacks("proxy", crashed)), "CrashLoopBackOff (proxy)"},
		"one that was restarted":  {two, statuses("", ready("app")+", "+lacks("proxy", again)), "restarted after OOMKilled (137) in proxy"},
		"beside a sidecar":        {sidecar, statuses(ready("mesh"), lacks("app", runs)), "not ready (app)"},
		"a sidecar":               {sidecar, statuses(lacks("mesh", crashed), lacks("app", created)), "CrashLoopBackOff (mesh)"},
		"a sidecar later on":      {sidecar, statuses(lacks("mesh", "started: true, "+crashed), ready("app")), "CrashLoopBackOff (mesh)"},
		"an init container":       {initial, statuses(lacks("migrate", runs), lacks("app", created)), "initializing (migrate)"},
		"none is there yet":       {initial, statuses(lacks("migrate", created), lacks("app", created)), "ContainerCreating"},
		"after an init container": {initial, statuses("{name: migrate, state: {terminated: {exitCode: 0}}}", lacks("app", crashed)), "CrashLoopBackOff"},
	} {
		found, _ := Pod(pod(t, c.spec, c.status), nil, Options{Now: now})
		if got := within(found); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	for _, spec := range []string{two, onNode} {
		p := pod(t, spec, statuses("", `{name: app, ready: true, started: true, restartCount: 4, state: {running: {startedAt: '2026-07-01T11:59:50Z'}}, lastState: {terminated: {reason: Error, exitCode: 1, finishedAt: '2026-07-01T11:59:40Z'}}}`))
		want := map[bool]string{true: "restarting (app)", false: "restarting"}[len(p.Spec.Containers) > 1]
		if got := within(flapping(p, nil, Options{Now: now})); got != want {
			t.Errorf("%q, want %q", got, want)
		}
		p.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}}
		p.Status.Conditions[0].LastTransitionTime.Time = now.Add(-5 * time.Second)
		got, _ := Pod(p, nil, Options{Now: now, MinReady: time.Minute})
		if want := len(p.Spec.Containers) > 1; got.Within != want || got.Container != "app" {
			t.Errorf("within %t %q, want %t", got.Within, got.Container, want)
		}
	}
}

func within(c decision.Cause) string {
	if !c.Within {
		return c.Label
	}
	return c.In(c.Container)
}

// TestNamedContainers: a first line names the container that all Pods of a cause have in common.
func TestNamedContainers(t *testing.T) {
	in := func(container string) decision.Cause {
		return decision.Cause{Label: "not ready", Briefs: []string{"unready"}, Container: container, Within: container != "", Pod: &decision.PodColumns{}, Object: decision.Ref{Name: "p-1"}, Since: now.Add(-8 * time.Second)}
	}
	for _, tt := range []struct {
		causes []decision.Cause
		room   int
		want   string
	}{
		{[]decision.Cause{in("proxy"), in("proxy")}, 72, "2 not ready (proxy)"},
		{[]decision.Cause{in("proxy"), in("proxy")}, 18, "2 not ready"},
		{[]decision.Cause{in("proxy"), in("proxy")}, 10, "2 unready"},
		{[]decision.Cause{in("proxy"), in("app")}, 72, "2 not ready"},
		{[]decision.Cause{in("proxy"), in("app"), in("app")}, 72, "3 not ready"},
		{[]decision.Cause{in(""), in("app")}, 72, "2 not ready"},
		{[]decision.Cause{in("proxy")}, 72, "p-1 not ready (proxy) for 8s"},
		{[]decision.Cause{in("proxy")}, 22, "p-1 not ready (proxy)"},
		{[]decision.Cause{in("proxy")}, 20, "p-1 not ready for 8s"},
		{[]decision.Cause{in("")}, 72, "p-1 not ready for 8s"},
	} {
		if got := summary(tt.causes, &decision.Decision{AsOf: now}, tt.room); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
	if got := in("proxy").Alone(); got != "proxy: not ready" {
		t.Errorf("alone: %q", got)
	}
}
