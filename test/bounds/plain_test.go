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

// oneSet is a ReplicaSet with n Pods of its own.
func oneSet(w io.Writer, n int) error {
	_, err := fmt.Fprintf(w, `{"apiVersion":"apps/v1","kind":"ReplicaSet","metadata":{"name":"web","namespace":"shop","uid":"r","creationTimestamp":"2026-11-01T10:00:00Z"},"spec":{"replicas":%d,"selector":{"matchLabels":{"app":"web"}},"template":{"metadata":{"labels":{"app":"web"}},"spec":{"containers":[{"name":"main","image":"web:1"}]}}}}`+"\n", n)
	for i := 0; i < n && err == nil; i++ {
		_, err = fmt.Fprintf(w, `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web-%[1]d","namespace":"shop","uid":"p-%[1]d","creationTimestamp":"2026-11-01T10:00:00Z","labels":{"app":"web"},"ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"web","uid":"r","controller":true}]},"spec":{"nodeName":"n","containers":[{"name":"main","image":"web:1"}]},"status":{"phase":"Running","conditions":[{"type":"Ready","status":"True","lastTransitionTime":"2026-11-01T11:00:00Z"}]}}`+"\n", i)
	}
	return err
}
