package bounds

import (
	"errors"
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
		{"sts", "", wanting("apps/v1", "StatefulSet", `{"matchLabels":{"app":"web"}}`)},
		{"clonesets", "cloneset/shop/web", wanting("apps.kruise.io/v1alpha1", "CloneSet", `{"matchLabels":{"app":"web"}}`)},
	} {
		about := []string{k.kind + "/web", "--from", "INPUT"}
		ask := func(name, want string, status int, allocated float64, args ...string) {
			rows = append(rows, row{name: k.kind + " " + name, args: append(append([]string{args[0]}, about...), args[1:]...), input: k.input, n: 1, allocated: allocated, growth: 1.1, status: status, want: want})
		}
		ask("explain", "/web will create", 0, 8, "explain")
		ask("plan", "/web in shop w", 0, 8, append([]string{"plan"}, most...)...)
		ask("snapshot", "replicas: 2147483647", 0, 9, "snapshot")
		if k.name != "" { // the rounds of a Deployment are not simulated
			ask("until stable", k.name+": too much work", 2, 130, "plan", "--until-stable")
		}
	}
	rows = append(rows, row{
		name: "sts until stable", args: []string{"plan", "sts/web", "--from", "INPUT", "--until-stable"}, n: 1, allocated: 2000, growth: 1.1,
		input: gap("OrderedReady"), want: "cut off after",
	})
	for _, policy := range []string{"OrderedReady", "Parallel"} {
		rows = append(rows, row{
			name: "sts behind a gap, " + policy, args: []string{"explain", "sts/web", "--from", "INPUT"}, input: gap(policy), n: 1, allocated: 9, growth: 1.1,
			status: map[string]int{"Parallel": 2}[policy], want: map[string]string{"OrderedReady": "will create web-5", "Parallel": "at most 20000 are looked at"}[policy],
		})
	}
	bound(t, rows)
}

// wanting is an object whose numbers are all as large as they can be.
func wanting(apiVersion, kind, selector string) func(io.Writer, int) error {
	extra := ""
	switch kind {
	case "Deployment":
		extra = `,"progressDeadlineSeconds":2147483647,"revisionHistoryLimit":2147483647,"strategy":{"type":"RollingUpdate","rollingUpdate":{"maxSurge":2147483647,"maxUnavailable":2147483647}}`
	case "StatefulSet":
		extra = `,"serviceName":"web","revisionHistoryLimit":2147483647,"ordinals":{"start":2147483647},"updateStrategy":{"type":"RollingUpdate","rollingUpdate":{"partition":2147483647,"maxUnavailable":2147483647}}`
	case "CloneSet":
		extra = `,"progressDeadlineSeconds":2147483647,"revisionHistoryLimit":2147483647,"scaleStrategy":{"maxUnavailable":2147483647},"updateStrategy":{"partition":1073741824,"maxSurge":2147483647,"maxUnavailable":2147483647}`
	}
	return func(w io.Writer, _ int) error {
		_, err := fmt.Fprintf(w, `{"apiVersion":%q,"kind":%q,"metadata":{"name":"web","namespace":"shop","uid":"u","creationTimestamp":"2026-11-01T10:00:00Z"},"spec":{"replicas":2147483647,"minReadySeconds":2147483647,"selector":%s,"template":{"metadata":{"labels":{"app":"web"}},"spec":{"containers":[{"name":"main","image":"web:1"}]}}%s}}`+"\n", apiVersion, kind, selector, extra)
		return err
	}
}

// gap is a StatefulSet with the Pod of the largest ordinal there can be.
func gap(policy string) func(io.Writer, int) error {
	return func(w io.Writer, _ int) error {
		_, err := fmt.Fprintf(w, `{"apiVersion":"apps/v1","kind":"StatefulSet","metadata":{"name":"web","namespace":"shop","uid":"u","creationTimestamp":"2026-11-01T10:00:00Z"},"spec":{"replicas":2147483647,"ordinals":{"start":5},"podManagementPolicy":%q,"serviceName":"web","selector":{"matchLabels":{"app":"web"}},"template":{"metadata":{"labels":{"app":"web"}},"spec":{"containers":[{"name":"main","image":"web:1"}]}}}}`+"\n", policy)
		for _, ordinal := range []int{4, 2147483647} {
			_, failed := fmt.Fprintf(w, `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web-%d","namespace":"shop","uid":"u%[1]d","labels":{"app":"web"},"creationTimestamp":"2026-11-01T10:00:00Z","ownerReferences":[{"apiVersion":"apps/v1","kind":"StatefulSet","name":"web","uid":"u","controller":true}]},"spec":{"containers":[{"name":"main","image":"web:1"}]},"status":{"phase":"Running"}}`+"\n", ordinal)
			err = errors.Join(err, failed)
		}
		return err
	}
}
