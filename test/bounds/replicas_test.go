package bounds

import (
	"fmt"
	"io"
	"testing"
)

// TestReplicas: one object that wants as many Pods as a number of 32 bits holds.
// The input does not grow, and neither may the work.
func TestReplicas(t *testing.T) {
	most := []string{"--replicas", "2147483647"}
	var rows []row
	for _, k := range []struct {
		kind, name string
		input      func(io.Writer, int) error
	}{
		{"rs", "replicaset/shop/web", wanting("apps/v1", "ReplicaSet", `{"matchLabels":{"app":"web"}}`)},
		{"rc", "replicationcontroller/shop/web", wanting("v1", "ReplicationController", `{"app":"web"}`)},
		{"deploy", "", wanting("apps/v1", "Deployment", `{"matchLabels":{"app":"web"}}`)},
		{"clonesets", "cloneset/shop/web", wanting("apps.kruise.io/v1alpha1", "CloneSet", `{"matchLabels":{"app":"web"}}`)},
	} {
		about := []string{k.kind + "/web", "--from", "INPUT"}
		ask := func(name, want string, status int, allocated float64, args ...string) {
			rows = append(rows, row{name: k.kind + " " + name, args: append(append([]string{args[0]}, about...), args[1:]...), input: k.input, n: 1, allocated: allocated, growth: 1.1, status: status, want: want})
		}
		ask("explain", "/web will create", 0, 8, "explain")
		ask("plan", "/web w", 0, 8, append([]string{"plan"}, most...)...)
		ask("snapshot", "replicas: 2147483647", 0, 9, "snapshot")
		if k.name != "" { // the rounds of a Deployment are not simulated
			ask("until stable", k.name+": too much work", 2, 130, "plan", "--until-stable")
		}
	}
	bound(t, rows)
}

// wanting is an object whose numbers are all as large as they can be.
func wanting(apiVersion, kind, selector string) func(io.Writer, int) error {
	extra := ""
	switch kind {
	case "Deployment":
		extra = `,"progressDeadlineSeconds":2147483647,"revisionHistoryLimit":2147483647,"strategy":{"type":"RollingUpdate","rollingUpdate":{"maxSurge":2147483647,"maxUnavailable":2147483647}}`
	case "CloneSet":
		extra = `,"progressDeadlineSeconds":2147483647,"revisionHistoryLimit":2147483647,"scaleStrategy":{"maxUnavailable":2147483647},"updateStrategy":{"partition":1073741824,"maxSurge":2147483647,"maxUnavailable":2147483647}`
	}
	return func(w io.Writer, _ int) error {
		_, err := fmt.Fprintf(w, `{"apiVersion":%q,"kind":%q,"metadata":{"name":"web","namespace":"shop","uid":"u","creationTimestamp":"2026-11-01T10:00:00Z"},"spec":{"replicas":2147483647,"minReadySeconds":2147483647,"selector":%s,"template":{"metadata":{"labels":{"app":"web"}},"spec":{"containers":[{"name":"main","image":"web:1"}]}}%s}}`+"\n", apiVersion, kind, selector, extra)
		return err
	}
}
