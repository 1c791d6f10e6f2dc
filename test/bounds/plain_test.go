package bounds

import (
	"fmt"
	"io"
	"testing"
)

// TestPlain: one ReplicaSet with many Pods.
func TestPlain(t *testing.T) {
	bound(t, []row{
		{name: "explain", args: []string{"explain", "rs/web", "--from", "INPUT"}, input: oneSet, n: 1000, allocated: 25, want: "replicaset/web"},
		{name: "plan", args: []string{"plan", "rs/web", "--replicas", "1", "--from", "INPUT"}, input: oneSet, n: 1000, allocated: 45, want: "replicaset/web"},
		{name: "orphans", args: []string{"orphans", "-A", "--from", "INPUT"}, input: oneSet, n: 1000, allocated: 25, want: "orphans"},
	})
}

// TestManySelected: a selector that matches every Pod of a large input.
func TestManySelected(t *testing.T) {
	explain := func(more ...string) []string {
		return append([]string{"explain", "rs/web", "--from", "INPUT"}, more...)
	}
	bound(t, []row{
		{name: "own", args: explain(), input: oneSet, n: 8_000, allocated: 55, want: "8000"},
		{name: "adopted and deleted", args: explain(), input: oneAdopter, n: 20_000, allocated: 185, want: "adopt"},
		{name: "adopted and deleted, json", args: explain("-o", "json"), input: oneAdopter, n: 10_000, allocated: 300, resident: 400, want: `"adopt"`},
		{name: "too many to print as json", args: explain("-o", "json"), input: oneAdopter, n: 110_000, allocated: 1150, resident: 750, growth: -1, status: 2, want: "claims, actions and ranks, and at most 300000 are printed for programs: ask without --output"},
		{name: "too many to print as yaml", args: explain("-o", "yaml"), input: oneAdopter, n: 110_000, allocated: 1150, resident: 750, growth: -1, status: 2, want: "claims, actions and ranks, and at most 300000 are printed for programs: ask without --output"},
		{name: "too many for a template", args: explain("-o", "jsonpath={.state}"), input: oneAdopter, n: 110_000, allocated: 1150, resident: 750, growth: -1, status: 2, want: "claims, actions and ranks, and at most 300000 are printed for programs: ask without --output"},
		{name: "too many orphans", args: []string{"orphans", "-A", "--from", "INPUT"}, input: smallPods(`{"app":"web"}`, 1, ""), n: 301_000, allocated: 2400, resident: 1300, growth: -1, status: 2, want: "more than 300000 orphans: ask for one --namespace"},
		{name: "orphans", args: []string{"orphans", "-A", "--from", "INPUT"}, input: oneAdopter, n: 20_000, allocated: 320, resident: 400, want: "p-0"},
	})
}

// oneSet is a ReplicaSet with n Pods of its own.
func oneSet(w io.Writer, n int) error {
	_, err := fmt.Fprintf(w, `{"apiVersion":"apps/v1","kind":"ReplicaSet","metadata":{"name":"web","namespace":"shop","uid":"r","creationTimestamp":"2026-11-01T10:00:00Z"},"spec":{"replicas":%d,"selector":{"matchLabels":{"app":"web"}},"template":{"metadata":{"labels":{"app":"web"}},"spec":{"containers":[{"name":"main","image":"web:1"}]}}}}`+"\n", n)
	for i := 0; i < n && err == nil; i++ {
		_, err = fmt.Fprintf(w, `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web-%[1]d","namespace":"shop","uid":"p-%[1]d","creationTimestamp":"2026-11-01T10:00:00Z","labels":{"app":"web"},"ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"web","uid":"r","controller":true}]},"spec":{"nodeName":"n","containers":[{"name":"main","image":"web:1"}]},"status":{"phase":"Running","conditions":[{"type":"Ready","status":"True","lastTransitionTime":"2026-11-01T11:00:00Z"}]}}`+"\n", i)
	}
	return err
}
