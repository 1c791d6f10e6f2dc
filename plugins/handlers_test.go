package plugins_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/handlers"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/eventhandler"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/deployment"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/replicaset"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/statefulset"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/clusterdsl"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/golden"
)

var handlersOf = map[string]handlers.Handle{
	"rs": replicaset.Handle(view.ReplicaSets), "rc": replicaset.Handle(view.ReplicationControllers),
	"deployment": deployment.Handle(view.Deployments), "cloneset": eventhandler.Handle(view.CloneSets),
	"sts": statefulset.Handle(view.StatefulSets),
}

// TestHandlers shows every branch of the handlers: an event goes in, what it
// does to expectations and queue comes out.
func TestHandlers(t *testing.T) {
	fired := map[string]bool{}
	datadriven.Walk(t, "testdata/handlers", func(t *testing.T, path string) {
		var v *view.View
		datadriven.RunTest(t, path, func(t *testing.T, td *datadriven.TestData) string {
			if td.Cmd == "cluster" {
				v = parse(t, td)
				return ""
			}
			return handle(t, td, v, fired)
		})
	})
	for _, r := range handlers.Rules {
		if !fired[r.ID] {
			t.Errorf("no golden fires %s", r.ID)
		}
	}
}

func parse(t *testing.T, td *datadriven.TestData) *view.View {
	t.Helper()
	v, err := clusterdsl.Parse(td.Input)
	if err != nil {
		td.Fatalf(t, "%v", err)
	}
	return v
}

// handle reads "added|updated|deleted|resync by=rs [version=1.33] [expecting]"
// with the object, or the old and the new one.
func handle(t *testing.T, td *datadriven.TestData, v *view.View, fired map[string]bool) string {
	t.Helper()
	p, err := profile.New(profile.Options{Emulate: golden.Arg(td, "version", "1.37"), Releases: statefulset.Controller().Releases}) // others' handlers ask for no gate
	if err != nil {
		t.Fatal(err)
	}
	expecting := golden.Arg(td, "expecting", "no") != "no"
	var out strings.Builder
	for _, e := range handlersOf[golden.Arg(td, "by", "rs")](known{v, !expecting}, p, event(t, td)) {
		fired[e.Rule] = true
		out.WriteString(effectLine(e))
	}
	if out.Len() == 0 {
		return "not listened to\n"
	}
	return out.String()
}

func event(t *testing.T, td *datadriven.TestData) handlers.Event {
	t.Helper()
	was, is, _ := strings.Cut(strings.TrimSpace(td.Input), "\n")
	ev := handlers.Event{}
	ev.Kind, ev.New = object(t, was, "1")
	switch td.Cmd {
	case "added":
		ev.Type = handlers.Added
	case "deleted":
		ev.Type, ev.Old, ev.New = handlers.Deleted, ev.New, nil
	case "resync":
		ev.Type, ev.Old = handlers.Updated, ev.New
	case "updated":
		ev.Type, ev.Old = handlers.Updated, ev.New
		_, ev.New = object(t, is, "2")
	default:
		td.Fatalf(t, "unknown directive %q", td.Cmd)
	}
	return ev
}

func object(t *testing.T, line, version string) (view.Kind, metav1.Object) {
	t.Helper()
	v, err := clusterdsl.Parse(line)
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range view.Kinds() {
		if all := v.All(k); len(all) > 0 {
			all[0].SetResourceVersion(version)
			return k, all[0]
		}
	}
	t.Fatalf("%q is no object", line)
	return view.Kind{}, nil
}

func effectLine(e handlers.Effect) string {
	text := handlers.Rules.Say(e.Rule, e.Facts) + " [" + e.Rule + "]"
	if e.Observed != "" {
		text += fmt.Sprintf(" observes %s of %s", e.Observed, e.Of.GetName())
	}
	switch {
	case !e.Enqueue:
	case e.After > 0:
		text += fmt.Sprintf(" enqueues %s in %v", handlers.Name(e.Target), e.After)
	default:
		text += " enqueues " + handlers.Name(e.Target)
	}
	return text + "\n"
}

// known is a View as the controller's caches.
type known struct {
	*view.View
	satisfied bool
}

func (k known) Get(kind view.Kind, namespace, name string) (metav1.Object, bool) {
	for _, obj := range k.All(kind) {
		if obj.GetNamespace() == namespace && obj.GetName() == name {
			return obj, true
		}
	}
	return nil, false
}

func (k known) In(kind view.Kind, namespace string) []metav1.Object {
	var in []metav1.Object
	for _, obj := range k.All(kind) {
		if obj.GetNamespace() == namespace {
			in = append(in, obj)
		}
	}
	return in
}

func (k known) Satisfied(view.Target) bool { return k.satisfied }
