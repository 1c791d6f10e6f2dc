package render

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// stays is a stable target with a Pod that is not removed.
func stays(name string) *decision.Decision {
	d := awaited(name, decision.StateStable, 2, 2)
	d.StillTerminating = []decision.Cause{{Object: decision.Ref{Kind: "Pod", Name: name + "-a"}, Message: "finalizers: a/b", Pod: &decision.PodColumns{Status: "Terminating"}}}
	d.WaitingFor = []decision.Cause{{Object: d.Target, Message: "its next sync"}}
	return d
}

// TestTriageOfStays: of many stable targets those with Pods that are not removed all have
// a row.
func TestTriageOfStays(t *testing.T) {
	var ds []*decision.Decision
	for i := range most + 5 {
		ds = append(ds, awaited(fmt.Sprintf("fine%d", i), decision.StateStable, 2, 2), stays(fmt.Sprintf("held%d", i)))
	}
	var out strings.Builder
	if err := Triage(&out, ds, "shop", false, Options{}); err != nil {
		t.Fatal(err)
	}
	if n, fine := strings.Count(out.String(), "/held"), strings.Count(out.String(), "/fine"); n != most+5 || fine != most || !strings.Contains(out.String(), "5 more") {
		t.Errorf("%d of %d with Pods that are not removed, %d others:\n%s", n, most+5, fine, out.String())
	}
}

// TestCausesOfStays: the Pod is shown, and not what is waited for.
func TestCausesOfStays(t *testing.T) {
	p := newPage(stays("web"), Options{})
	if err := p.standing(); err != nil {
		t.Fatal(err)
	}
	if text := p.String(); !strings.Contains(text, "web-a") || !strings.Contains(text, "finalizers: a/b") || strings.Contains(text, "WAITS FOR") {
		t.Error(text)
	}
	p = newPage(awaited("web", decision.StateStable, 2, 2), Options{})
	p.d.WaitingFor = stays("web").WaitingFor
	if err := p.standing(); err != nil || strings.Contains(p.String(), "its next sync") {
		t.Error(err, p.String())
	}
}
