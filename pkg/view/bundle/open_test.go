package bundle

import (
	std "cmp"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// summary is what Open read: objects with their lines, now, and remarks.
func summary(s *Source) string {
	var b strings.Builder
	for _, o := range s.content.objects.all {
		detail := ""
		if !full(o.Obj) {
			detail = " metadata"
		}
		fmt.Fprintf(&b, "%s:%d %s%s\n", filepath.Base(o.File), o.Line, o.ref(), detail)
	}
	for _, k := range s.content.listed {
		fmt.Fprintf(&b, "no %s\n", k.Resource)
	}
	if skipped := s.content.others.String(); skipped != "" {
		fmt.Fprintf(&b, "skipped %s\n", skipped)
	}
	fmt.Fprintf(&b, "now %s from %s\n", s.view.Now().UTC().Format(time.RFC3339Nano), std.Or(s.content.newest.of, "header"))
	return b.String()
}

func TestOpen(t *testing.T) {
	for _, tc := range []struct{ path, want string }{
		{"ok/single.yaml", `
single.yaml:2 replicaset/shop/web-6d4cf56db6
now 2026-11-01T09:00:00Z from replicaset/shop/web-6d4cf56db6
`},
		// A deletion counts from the request, not from the end of its grace.
		{"ok/list.yaml", `
list.yaml:3 pod/shop/web-1
list.yaml:26 pod/shop/web-2
skipped 1 Service
now 2026-11-01T09:10:00Z from pod/shop/web-2
`},
		{"ok/list-indented.yaml", `
list-indented.yaml:5 pod/shop/web-1
list-indented.yaml:10 pod/shop/web-2
now 2026-11-01T09:00:00Z from pod/shop/web-1
`},
		{"ok/typed-list.json", `
typed-list.json:8 pod/shop/web-1
typed-list.json:22 pod/shop/web-2
now 2026-11-01T09:30:00Z from pod/shop/web-1
`},
		{"ok/stream.yaml", `
stream.yaml:5 namespace/shop
stream.yaml:10 resourcequota/shop/pods
stream.yaml:17 pod/shop/flow
stream.yaml:19 pod/shop/json
stream.yaml:20 pod/shop/json-2
now 2026-10-01T00:00:00Z from namespace/shop
`},
		{"ok/nested.json", `
nested.json:3 deployment/shop/web
nested.json:7 lease/kube-system/kube-controller-manager
no pods
now 2026-11-01T12:00:00.123456Z from lease/kube-system/kube-controller-manager
`},
		// Anchors reach across items, which therefore have no lines of their own.
		{"ok/aliases.yaml", `
aliases.yaml:1 pod/shop/a
aliases.yaml:1 pod/shop/b
now 2026-11-01T09:00:00Z from pod/shop/a
`},
		{"ok/snapshot.yaml", `
snapshot.yaml:27 pod/shop/web-1 metadata
snapshot.yaml:33 replicaset/shop/web
now 2026-11-01T12:00:00.5Z from header
`},
		// A dump: logs and hidden directories left out, a node's heartbeat is
		// the newest timestamp, and an empty list says that there are none.
		{"dump", `
nodes.json:2 node/node-1
replicasets.json:2 replicaset/shop/web
no daemonsets
no pods
now 2026-11-01T09:59:00Z from node/node-1
`},
	} {
		t.Run(tc.path, func(t *testing.T) {
			s, err := Open([]string{filepath.Join("testdata", tc.path)}, nil, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(strings.TrimPrefix(tc.want, "\n"), summary(s)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestAliasesAreExpanded(t *testing.T) {
	s, err := Open([]string{"testdata/ok/aliases.yaml"}, nil, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, pod := range s.view.All(view.Pods) {
		if pod.GetLabels()["app"] != "web" {
			t.Errorf("pod %s has labels %v", pod.GetName(), pod.GetLabels())
		}
	}
}

func TestNowFromData(t *testing.T) {
	s, err := Open([]string{"testdata/ok/list.yaml"}, nil, Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := []view.Note{{Code: "NowFromData", Message: "the input has no capture time; ages are taken at its newest timestamp, " +
		"2026-11-01T09:10:00Z (pod/shop/web-2); set another with --at"}}
	if diff := cmp.Diff(want, s.view.Notes()); diff != "" {
		t.Error(diff)
	}
}

func TestAtOverrides(t *testing.T) {
	at := time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)
	for _, path := range []string{"ok/list.yaml", "ok/snapshot.yaml", "bad/timeless.yaml"} {
		s, err := Open([]string{filepath.Join("testdata", path)}, nil, Options{At: &at})
		if err != nil {
			t.Fatal(err)
		}
		if !s.view.Now().Equal(at) || len(s.view.Notes()) > 0 {
			t.Errorf("%s: now %s, notes %v", path, s.view.Now(), s.view.Notes())
		}
	}
}

func TestDuplicates(t *testing.T) {
	const pod = `{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "web", "namespace": "shop",
		"creationTimestamp": "2026-11-01T09:00:00Z", "resourceVersion": %q, "labels": {"take": %q}}}` + "\n"
	for _, tc := range []struct {
		name, first, second, want string
		notes                     int
	}{
		{"numbers, not text", "1000", "999", "first", 1},
		{"newer comes last", "999", "1000", "second", 1},
		{"without versions", "", "", "second", 1},
		{"not comparable", "abc", "5", "second", 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			text := fmt.Sprintf(pod, tc.first, "first") + fmt.Sprintf(pod, tc.second, "second")
			s, err := Open([]string{"-"}, strings.NewReader(text), Options{})
			if err != nil {
				t.Fatal(err)
			}
			pods := s.view.All(view.Pods)
			if len(pods) != 1 || pods[0].GetLabels()["take"] != tc.want {
				t.Errorf("got %v", pods)
			}
			if notes := s.content.objects.notes(); len(notes) != tc.notes || !strings.Contains(notes[0].Message, "pod/shop/web at stdin:1 and stdin:3") {
				t.Errorf("notes %v", notes)
			}
		})
	}
	same := fmt.Sprintf(pod, "7", "same")
	s, err := Open([]string{"-"}, strings.NewReader(same+same), Options{})
	if err != nil || len(s.content.objects.notes()) > 0 {
		t.Errorf("equal objects: %v, %v", err, s.content.objects.notes())
	}
}

// Nothing can be said of the time after the last one that there is a form for.
func TestNowAtTheEndOfTime(t *testing.T) {
	text := strings.Replace(onePod, "2026-11-01T09", "9999-12-31T23", 1)
	_, err := Open([]string{"-"}, strings.NewReader(text), Options{})
	if err == nil || !strings.Contains(err.Error(), "the newest timestamp in the input is 9999-12-31T23:00:00Z (pod/shop/web): say with --at") {
		t.Error(err)
	}
	if _, err := Open([]string{"-"}, strings.NewReader(text), Options{At: &captured}); err != nil {
		t.Error(err)
	}
}
