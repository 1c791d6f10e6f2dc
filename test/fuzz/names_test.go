package fuzz

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

// forged would be a line of its own if a name could end one.
const forged = "error: forged"

// evilName has what no name may hold: line ends, a tab, an escape sequence, and
// characters that reorder text or are invisible.
const evilName = "x\n" + forged + "\ty\rz\x1b[2Jq\u202er\u200bs"

// namePositions put a name into every position that an object has for one.
var namePositions = map[string]func(o object, name string){
	"kind":       func(o object, name string) { o["kind"] = name },
	"apiVersion": func(o object, name string) { o["apiVersion"] = name },
	"group":      func(o object, name string) { o["apiVersion"] = name + "/v1" },
	"version":    func(o object, name string) { o["apiVersion"] = "apps/" + name },
	"name":       func(o object, name string) { metaOf(o)["name"] = name },
	"namespace":  func(o object, name string) { metaOf(o)["namespace"] = name },
	"uid":        func(o object, name string) { metaOf(o)["uid"] = name },
	"label key":  func(o object, name string) { metaOf(o)["labels"] = object{"app": "web", name: "v"} },
	"label":      func(o object, name string) { metaOf(o)["labels"] = object{"app": "web", "v": name} },
	"annotation key": func(o object, name string) {
		metaOf(o)["annotations"] = object{name: "v"}
	},
	"owner name":       owner("name"),
	"owner kind":       owner("kind"),
	"owner apiVersion": owner("apiVersion"),
	"owner uid":        owner("uid"),
	"finalizer":        func(o object, name string) { metaOf(o)["finalizers"] = []any{name} },
	"broken name": func(o object, name string) {
		metaOf(o)["name"] = name
		o["spec"] = "none"
	},
	"broken namespace": func(o object, name string) {
		metaOf(o)["namespace"] = name
		o["spec"] = "none"
	},
	"broken time": func(o object, name string) { metaOf(o)["creationTimestamp"] = name },
}

func metaOf(o object) object { return o["metadata"].(object) }

func owner(field string) func(object, string) {
	return func(o object, name string) {
		ref := object{"apiVersion": "apps/v1", "kind": "Deployment", "name": "web", "uid": "uid-web", "controller": true}
		ref[field] = name
		metaOf(o)["ownerReferences"] = []any{ref}
	}
}

// nameQuestions show names, or miss some and show others in the error.
var nameQuestions = []struct {
	args  []string
	forms []string
}{
	{[]string{"explain", "rs,deploy", "-A"}, []string{"", "wide", "json", "yaml", "name", "html"}},
	{[]string{"orphans", "-A"}, []string{"", "wide", "json", "yaml", "name", "html"}},
	{[]string{"owners", "rs/web", "-n", "shop", "--dependents"}, []string{"", "json", "yaml", "name", "html", "dot", "mermaid"}},
	{[]string{"owners", "rs/web", "-n", "shop", "--dependents", "--types", "all"}, []string{"", "json", "html"}},
	{[]string{"owners", "pod/a", "-n", "shop"}, []string{""}},
	{[]string{"owners", "widgets/a"}, []string{""}},
	{[]string{"snapshot"}, []string{"yaml", "json"}},
	{[]string{"explain", "rs/wob"}, []string{""}},
	{[]string{"explain", "rs/web"}, []string{"", "json"}},
	{[]string{"explain", "deploy/x", "-n", "shop"}, []string{""}},
	{[]string{"plan", "rs/web", "--replicas", "0"}, []string{"", "json", "name", "html"}},
	{[]string{"trace"}, []string{""}},
}

// A name in a file shows as one, wherever it stands: as an escape in text and
// JSON, in one line of output and of errors.
func TestNamesKeepTheirLines(t *testing.T) {
	for position, put := range namePositions {
		t.Run(position, func(t *testing.T) {
			shown := false
			for _, kind := range []string{"ReplicaSet", "Pod"} {
				bundle := withName(t, kind, func(o object) { put(o, evilName) })
				for _, q := range nameQuestions {
					for _, form := range q.forms {
						shown = checkNames(t, bundle, q.args, form) || shown
					}
				}
			}
			if !shown {
				t.Error("the name is nowhere to be seen: the test tests nothing")
			}
		})
	}
}

// checkNames asks one question, and reports whether the answer shows the name.
func checkNames(t *testing.T, bundle []byte, args []string, form string) bool {
	t.Helper()
	args = append(slices.Clip(args), "--from", "-")
	if form != "" {
		args = append(args, "-o", form)
	}
	a := ask(bytes.NewReader(bundle), 0, args...)
	if form != "name" || a.status != 0 { // nothing may be pending
		a.check(t, args)
	}
	for stream, text := range map[string]string{"stdout": a.stdout, "stderr": a.stderr} {
		for line := range strings.Lines(text) {
			if strings.Contains(line, "\t") || strings.HasPrefix(strings.TrimSpace(line), forged) {
				t.Errorf("%v: the name breaks a line of %s: %q", args, stream, line)
			}
		}
	}
	return strings.Contains(a.stdout+a.stderr, forged)
}

// withName is a cluster in which one object of a kind is changed, besides an
// equal one that is not.
func withName(t *testing.T, kind string, change func(object)) []byte {
	var w world
	w.add(named("apps/v1", "ReplicaSet", "web", web, nil, object{"spec": object{"replicas": 1, "selector": selector, "template": template("web:1")}}))
	w.add(of(named("v1", "Pod", "a", web, nil, running("web:1", now)), "apps/v1", "ReplicaSet", "web"))
	for _, o := range []object{
		named("apps/v1", "ReplicaSet", "other", web, nil, object{"spec": object{"replicas": 1, "selector": selector, "template": template("web:1")}}),
		of(named("v1", "Pod", "other-a", web, nil, running("web:1", now)), "apps/v1", "ReplicaSet", "web"),
	} {
		if o["kind"] == kind {
			change(o)
		}
		w.add(o)
	}
	return w.bundle(t)
}
