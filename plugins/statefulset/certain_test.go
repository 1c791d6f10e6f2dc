package statefulset_test

import (
	"strings"
	"testing"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/whatif"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/statefulset"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/clusterdsl"
)

// planned is what is done to web with other fields.
func planned(t *testing.T, text string, fields whatif.Fields) *decision.Decision {
	t.Helper()
	v, err := clusterdsl.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	c, target := statefulset.Controller(), targetOf("web")
	set, _ := v.Held(target.Kind, target.Namespace, target.Name)
	changed, _, err := c.WhatIf.Change(set, fields)
	if err != nil {
		t.Fatal(err)
	}
	d, err := c.Decide(v.With(target.Kind, changed).Reader(), emulating(t, "1.37", "StatefulSetRecreateStrategy=true"), target)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestUnreadRevisions: a file without ControllerRevisions tells the update revision by
// status, and a question changes it only with the template. What it is else is not known.
func TestUnreadRevisions(t *testing.T) {
	const pods = "ord web-0 of=sts/web rev=web-a ready=1h\nord web-1 of=sts/web rev=web-a ready=1h\nord web-2 of=sts/web rev=%2 ready=1h\n"
	replicas := int32(2)
	for name, c := range map[string]struct {
		set, last string
		fields    whatif.Fields
		want      string
	}{
		"fewer replicas":           {"", "web-a", whatif.Fields{Replicas: &replicas}, "delete web-2 certain DeleteBeyond"},
		"a partition":              {"", "web-a", whatif.Fields{Partition: new("0")}, ""},
		"another image":            {"", "web-a", whatif.Fields{Images: map[string]string{"*": "web:2"}}, "delete web-2 certain DeleteForUpdate"},
		"a rollback, maybe":        {"", "web-x", whatif.Fields{Images: map[string]string{"*": "web:2"}}, "delete web-2 possible DeleteForUpdate"},
		"a template not observed":  {"generation=2 observed=1", "web-a", whatif.Fields{}, "delete web-2 possible DeleteForUpdate"},
		"and fewer replicas":       {"generation=2 observed=1", "web-a", whatif.Fields{Replicas: &replicas}, "delete web-2 certain DeleteBeyond"},
		"a Pod without a revision": {"generation=2 observed=1", "", whatif.Fields{}, "delete web-2 certain DeleteForUpdate"},
		"OnDelete, another image":  {"strategy=OnDelete", "web-a", whatif.Fields{Images: map[string]string{"*": "web:2"}}, ""},
		"Recreate, maybe observed": {"strategy=Recreate generation=2 observed=1", "web-a", whatif.Fields{}, "delete web-0 possible DeleteForRecreate, delete web-1 possible DeleteForRecreate, delete web-2 possible DeleteForRecreate"},
	} {
		text := "files\nsts web selector=app=web replicas=3 image=web:1 current=web-a update=web-a counts=3/3/3/3/3 " + c.set + "\n" + strings.Replace(pods, "%2", c.last, 1)
		var got []string
		for _, a := range planned(t, text, c.fields).Actions {
			got = append(got, strings.Join([]string{string(a.Verb), a.Object.Name, string(a.Certainty), a.Rule}, " "))
		}
		if got := strings.Join(got, ", "); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

// TestSharedOrdinals: of two Pods of one ordinal the controller takes the one that its
// cache lists last, so that nothing is certain.
func TestSharedOrdinals(t *testing.T) {
	const set = "sts web selector=app=web replicas=1 image=web:1 current=web-a update=web-a counts=3/3/3/3/3\nsrev web-a of=sts/web image=web:1\n" +
		"ord web-0 of=sts/web rev=web-a ready=1h\nord web-1 of=sts/web rev=web-a ready=1h\n"
	for last, want := range map[string]decision.Certainty{"web-01": decision.Possible, "web-02": decision.Certain, "web-2": decision.Certain} {
		d := sync(t, set+"ord "+last+" of=sts/web rev=web-a ready=1h\n", "1.37", statefulset.Given{}).Decision
		if len(d.Actions) == 0 || d.Actions[0].Verb != decision.Delete || d.Actions[0].Certainty != want {
			t.Errorf("beside %s: %+v, want one that is %s", last, d.Actions, want)
		}
	}
}

// TestLongNames: labels have at most 63 characters, and the API server refuses Pods of
// longer names or revisions.
func TestLongNames(t *testing.T) {
	for length, refused := range map[int]bool{45: false, 58: true, 62: true} {
		name := strings.Repeat("w", length)
		text := "sts " + name + " selector=app=web replicas=1 image=web:1 current=" + name + "-5d6f7c8b9d update=" + name + "-5d6f7c8b9d counts=0/0/0/0/0\n" +
			"srev " + name + "-5d6f7c8b9d of=sts/" + name + " image=web:1\n"
		d := syncOf(t, name, text, "1.37", statefulset.Given{}).Decision
		if got := d.NextSync.Rule == statefulset.RetryWithBackoff; got != refused || refused == (d.Summary.Create > 0) {
			t.Errorf("a name of %d characters: refused %v, want %v: %s", length, got, refused, d.NextSync.Rule)
		}
	}
}

// TestAssumedClaims: claims that were not read are deleted with their Pods where
// whenScaled says so.
func TestAssumedClaims(t *testing.T) {
	const pods = "srev web-a of=sts/web image=web:1\nord web-0 of=sts/web rev=web-a claims=data ready=1h\nord web-1 of=sts/web rev=web-a claims=data ready=1h\n"
	for policy, want := range map[string]int{"Delete/Delete": 1, "Retain/Delete": 1, "Delete/Retain": 0} {
		d := sync(t, "files\nsts web selector=app=web replicas=1 claims=data retain="+policy+" image=web:1 current=web-a update=web-a counts=2/2/2/2/2\n"+pods, "1.37", statefulset.Given{}).Decision
		if d.Summary.DeleteClaims != want {
			t.Errorf("%s: %d claims are deleted, want %d", policy, d.Summary.DeleteClaims, want)
		}
	}
}
