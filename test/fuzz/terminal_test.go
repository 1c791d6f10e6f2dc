package fuzz

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// TestNothingDrivesTheTerminal puts escape sequences, controls and characters
// that reorder text into every place of objects that holds free text, and
// looks at what every question prints: no such character comes through, and
// what stood there is to be seen.
func TestNothingDrivesTheTerminal(t *testing.T) {
	for name, evil := range map[string]string{
		"escape": "\x1b[2J\x1b]0;owned\x07", "8-bit control": "\u009b31m", "backspaces": "ok\b\bno", "return": "safe\rgone",
		"newlines": "one\n- web-1  certain\n", "bidi override": "a\u202egnp.exe", "bidi isolate": "\u2066x\u2069", "line separator": "a\u2028b",
		"zero width": "we\u200b\u2060\ufeffb", "soft hyphen": "we\u00adb", "tags": "web\U000e0041\U000e007f", "selectors": "web\ufe0f\U000e0101", "fillers": "\u3164\uffa0\u115f\u034f\u180e\ufff9",
	} {
		t.Run(name, func(t *testing.T) {
			bundle := poisoned(t, evil)
			for _, width := range []int{0, 60} {
				for _, q := range append(questions, extra...) {
					a := ask(bytes.NewReader(bundle), width, append(slices.Clip(q), "--from", "-", "--allow-partial")...)
					if a.status > 1 {
						t.Errorf("%v: %s", q, a.stderr)
					}
					a.check(t, q)
				}
			}
			a := ask(bytes.NewReader(bundle), 0, "owners", "rs/web", "--from", "-", "--dependents")
			if want := visible(evil); !strings.Contains(a.stdout, want) {
				t.Errorf("the pods' names should show %s:\n%s", want, a.stdout)
			}
			checkData(t, bundle, "b"+evil)
			for _, place := range []struct{ name, namespace string }{{"web" + evil, "shop"}, {"web", "shop" + evil}} {
				bundle = targeted(t, place.name, place.namespace)
				for _, q := range [][]string{{"explain", "rs", "-A"}, {"plan", "rs/" + place.name, "--replicas", "3"}, {"plan", "rs/" + place.name, "--replicas", "3", "--until-stable"}} {
					a := ask(bytes.NewReader(bundle), 0, append(q, "--from", "-", "--allow-partial")...)
					a.check(t, q)
					if want := visible(evil); !strings.Contains(a.stdout, want) {
						t.Errorf("%v should show %s: %s%s", q, want, a.stdout, a.stderr)
					}
				}
			}
		})
	}
}

// targeted is a ReplicaSet that no leader acts on.
func targeted(t *testing.T, name, namespace string) []byte {
	var w world
	rs := named("apps/v1", "ReplicaSet", name, nil, nil, object{"spec": object{"replicas": 1, "selector": selector, "template": template("web:1")}})
	rs["metadata"].(object)["namespace"] = namespace
	w.add(rs)
	lease := named("coordination.k8s.io/v1", "Lease", "kube-controller-manager", nil, nil, object{
		"spec": object{"holderIdentity": "m", "leaseDurationSeconds": 15, "renewTime": "2026-11-01T11:00:00.000000Z"},
	})
	lease["metadata"].(object)["namespace"] = "kube-system"
	w.add(lease)
	return w.bundle(t)
}

// extra are further ways to print.
var extra = [][]string{
	{"explain", "rs/web", "-n", "shop"},
	{"explain", "rs/web", "-n", "shop", "-o", "wide"},
	{"explain", "rs/web", "-n", "shop", "-o", "name"},
	{"explain", "rs/web", "-n", "shop", "-o", "yaml"},
	{"explain", "rs/web", "-n", "shop", "-o", "json"},
	{"explain", "deploy/web", "-n", "shop", "-o", "wide"},
	{"owners", "rs/web", "-n", "shop", "--dependents", "-o", "dot"},
	{"owners", "rs/web", "-n", "shop", "--dependents", "-o", "mermaid"},
	{"owners", "rs/web", "-n", "shop", "--dependents", "-o", "name"},
	{"orphans", "-A", "-o", "yaml"},
	{"orphans", "-A", "-o", "wide"},
	{"orphans", "-A", "-o", "name"},
}

// checkData demands that every form for programs holds the text as it is.
func checkData(t *testing.T, bundle []byte, want string) {
	t.Helper()
	for _, q := range [][]string{{"explain", "rs/web", "-n", "shop"}, {"orphans", "-A"}, {"snapshot", "rs/web"}} {
		for _, form := range []string{"json", "yaml"} {
			a := ask(bytes.NewReader(bundle), 0, append(slices.Clip(q), "--from", "-", "-o", form)...)
			a.check(t, q)
			if !slices.ContainsFunc(documents(t, a.stdout, form), func(data any) bool { return holds(data, want) }) {
				t.Errorf("%v -o %s: no value holds %q", q, form, want)
			}
		}
	}
}

func documents(t *testing.T, stream, form string) (all []any) {
	t.Helper()
	if form == "json" {
		all = []any{nil}
		if err := json.Unmarshal([]byte(stream), &all[0]); err != nil {
			t.Fatalf("%v in %s", err, stream)
		}
		return all
	}
	for doc := range strings.SplitSeq(stream, "\n---\n") {
		var data any
		if err := yaml.Unmarshal([]byte(doc), &data); err != nil {
			t.Fatalf("%v in %s", err, doc)
		}
		all = append(all, data)
	}
	return all
}

// holds reports whether some string of JSON data contains want.
func holds(data any, want string) bool {
	inside := func(v any) bool { return holds(v, want) }
	switch data := data.(type) {
	case string:
		return strings.Contains(data, want)
	case []any:
		return slices.ContainsFunc(data, inside)
	case map[string]any:
		return slices.ContainsFunc(slices.Collect(maps.Values(data)), inside)
	}
	return false
}

// visible is how the first character that could do harm is shown.
func visible(evil string) string {
	for _, r := range evil {
		if drives(r) {
			if r > 0xffff {
				return fmt.Sprintf("\\U%08x", r)
			}
			return fmt.Sprintf("\\u%04x", r)
		}
	}
	return ""
}

// poisoned is a cluster with evil in names, labels, annotations, owner
// references, images, nodes, reasons, messages and a manager's identity.
func poisoned(t *testing.T, evil string) []byte {
	var w world
	labels := map[string]string{"app": "web", "x" + evil: evil}
	annotations := map[string]string{"controller.kubernetes.io/pod-deletion-cost": evil, evil: evil, "deployment.kubernetes.io/revision": "1"}
	condition := []any{object{"type": "ReplicaFailure", "status": "True", "reason": evil, "message": evil}, object{"type": evil, "status": evil, "reason": evil}}
	w.add(named("apps/v1", "Deployment", "web", labels, annotations, object{
		"spec":   object{"replicas": 2, "selector": selector, "template": template(evil), "strategy": object{"type": "RollingUpdate"}},
		"status": object{"conditions": condition},
	}))
	w.add(of(named("apps/v1", "ReplicaSet", "web", labels, annotations, object{
		"spec":   object{"replicas": 1, "selector": selector, "template": template(evil)},
		"status": object{"replicas": 1, "conditions": condition},
	}), "apps/v1", "Deployment", "web"))
	for _, name := range []string{"a", "b" + evil, "c"} {
		pod := of(named("v1", "Pod", name, labels, annotations, running(evil, now)), "apps/v1", "ReplicaSet", "web")
		pod["spec"].(object)["nodeName"] = evil + name
		w.add(pod)
	}
	w.add(named("v1", "Pod", "bare"+evil, labels, nil, running("web:1", now)))
	w.add(of(named("v1", "Pod", "lost", map[string]string{"y": evil}, nil, running("web:1", now)), "apps/v1", "ReplicaSet", "gone"+evil))
	w.add(named("apps/v1", "ReplicaSet", "other"+evil, nil, nil, object{"spec": object{"replicas": 0, "selector": object{"matchLabels": object{"app": "web"}}}}))
	w.add(named("v1", "Event", "e"+evil, nil, nil, object{
		"involvedObject": object{"kind": "ReplicaSet", "name": "web", "namespace": "shop", "uid": "uid-web"},
		"type":           "Warning", "reason": "FailedCreate", "message": evil, "count": 2, "lastTimestamp": now,
	}))
	lease := named("coordination.k8s.io/v1", "Lease", "kube-controller-manager", nil, nil, object{
		"spec": object{"holderIdentity": evil, "leaseDurationSeconds": 15, "renewTime": "2026-11-01T11:00:00.000000Z"},
	})
	lease["metadata"].(object)["namespace"] = "kube-system"
	w.add(lease)
	return w.bundle(t)
}
