package plugins_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/render"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/deployment"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/clusterdsl"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/golden"
)

// TestFollow shows what a Deployment's step means for pods: what its
// ReplicaSets then do, and what the retry of a sync does.
func TestFollow(t *testing.T) {
	golden.File(t, "testdata/follow", func(t *testing.T, td *datadriven.TestData, v *view.View) string {
		if td.Cmd != "explain" && td.Cmd != "scale" {
			td.Fatalf(t, "unknown directive %q", td.Cmd)
		}
		return clusterdsl.Prose(decideDeployment(t, td, v), strings.Fields("sets follows next")...)
	})
}

// decideDeployment reads "explain" and "scale to=2".
func decideDeployment(t *testing.T, td *datadriven.TestData, v *view.View) *decision.Decision {
	t.Helper()
	plugin, kind, ok := plugins.All().ForKind("deploy")
	if !ok {
		t.Fatal("no plugin decides Deployments")
	}
	p, err := profile.New(profile.Options{Emulate: "1.37", Releases: plugins.All().Releases()})
	if err != nil {
		t.Fatal(err)
	}
	target := view.Target{Kind: kind, Namespace: clusterdsl.Namespace, Name: "web"}
	var changes []decision.Change
	if td.Cmd == "scale" {
		var to int
		td.ScanArgs(t, "to", &to)
		obj := v.All(view.Deployments)[0]
		scaled, change, err := deployment.Scale(obj, int32(to))
		if err != nil {
			t.Fatal(err)
		}
		v, changes = v.With(view.Deployments, scaled).AsWhatIf(), []decision.Change{change}
	}
	d, err := plugin.Run(v.Reader(), p, target, changes)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestRulesAreNamedOnce: a controller has one rule of an ID.
func TestRulesAreNamedOnce(t *testing.T) {
	for _, c := range plugins.All() {
		seen := map[string]bool{}
		for _, r := range c.Rules {
			if seen[r.ID] {
				t.Errorf("%s/%s is there twice", c.ID, r.ID)
			}
			seen[r.ID] = true
		}
	}
}

// TestRulesRepeatNoWords: no rule says the same words twice in a row.
func TestRulesRepeatNoWords(t *testing.T) {
	for _, c := range plugins.All() {
		for _, r := range c.Rules {
			for _, text := range []string{r.Title, r.Text, r.Versions} {
				if twice := repeated(strings.Fields(text)); twice != nil {
					t.Errorf("%s/%s repeats %q: %s", c.ID, r.ID, strings.Join(twice, " "), text)
				}
			}
		}
	}
}

// repeated are the first words that follow themselves, nil for none.
func repeated(words []string) []string {
	for n := 1; 2*n <= len(words); n++ {
		for i := 0; i+2*n <= len(words); i++ {
			if once := words[i : i+n]; slices.Equal(once, words[i+n:i+2*n]) {
				return once
			}
		}
	}
	return nil
}

// TestUnreadDependents: what a ReplicaSet does next is not known where its Pods can't
// be read, and the answer says so.
func TestUnreadDependents(t *testing.T) {
	d := grown(t, apierrors.NewForbidden(schema.GroupResource{Resource: "pods"}, "", nil))
	if len(d.Follows) > 0 || !slices.ContainsFunc(d.Caveats, func(c decision.Caveat) bool { return c.Code == "FollowUpUnknown" }) {
		t.Errorf("follows %+v, caveats %+v", d.Follows, d.Caveats)
	}
}

// TestFollowedLater: of more Pods than one sync of a ReplicaSet may delete, the total of its
// Deployment has the rest.
func TestFollowedLater(t *testing.T) {
	var b strings.Builder
	b.WriteString("deploy web replicas=0 revision=1 image=web:1\nset web-a of=deployment/web app=web image=web:1 revision=1 desired=620 max=700 replicas=620\n")
	for i := range 620 {
		fmt.Fprintf(&b, "pod p%d of=replicaset/web-a app=web pod-template-hash=a node=n1 ready=2h\n", i)
	}
	v, err := clusterdsl.Parse(b.String())
	if err != nil {
		t.Fatal(err)
	}
	d := decideDeployment(t, &datadriven.TestData{Cmd: "explain"}, v)
	if n := d.Summary.Total.Later.PodsDeleted; n != 120 {
		t.Errorf("later syncs delete %d Pods in total", n)
	}
	if text := render.Planned(d); !strings.HasPrefix(text, "0 Pods to create, 500 to delete; in later syncs 120 to delete; of ReplicaSets: ") {
		t.Error(text)
	}
}

// grown is a Deployment whose set is to grow, decided where Pods are read with an
// error, and which the source makes a remark about.
func grown(t *testing.T, unread error) *decision.Decision {
	t.Helper()
	v, err := clusterdsl.Parse("deploy web replicas=3 revision=1 image=web:1\nset web-a of=deployment/web app=web image=web:1 revision=1 desired=1 max=2 replicas=1")
	if err != nil {
		t.Fatal(err)
	}
	plugin, kind, _ := plugins.All().ForKind("deploy")
	p, err := profile.New(profile.Options{Emulate: "1.37", Releases: plugins.All().Releases()})
	if err != nil {
		t.Fatal(err)
	}
	var d *decision.Decision
	for needs := []view.Need(nil); ; {
		b := view.NewBuilder(v.Now())
		b.Note("Remark", "of the source")
		for _, k := range []view.Kind{view.Deployments, view.ReplicaSets} {
			for _, obj := range v.All(k) {
				b.Add(k, obj)
			}
		}
		for _, need := range needs {
			var err error
			if need.Kind.Kind == view.Pods.Kind {
				err = unread
			}
			b.Reads(need, err)
		}
		r := b.View().Reader()
		if d, err = plugin.Run(r, p, view.Target{Kind: kind, Namespace: clusterdsl.Namespace, Name: "web"}, nil); err != nil && !r.Provisional() {
			t.Fatal(err)
		}
		if !r.Provisional() {
			break
		}
		needs = append(needs, r.Missing()...)
	}
	return d
}

// TestRemarksAreSaidOnce: what the Decision warns of is not repeated with what follows.
func TestRemarksAreSaidOnce(t *testing.T) {
	d := grown(t, nil)
	remark := func(c decision.Caveat) bool { return c.Code == "Remark" }
	if len(d.Follows) != 1 || !slices.ContainsFunc(d.Caveats, remark) || slices.ContainsFunc(d.Follows[0].Caveats, remark) {
		t.Errorf("follows %+v, caveats %+v", d.Follows, d.Caveats)
	}
}
