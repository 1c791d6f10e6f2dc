package bounds

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"
)

// TestSnapshot: what writing a bundle costs for each object.
func TestSnapshot(t *testing.T) {
	bound(t, []row{
		{name: "yaml", args: []string{"snapshot", "--from", "INPUT"}, input: largePods, n: 100, allocated: 65, growth: 2.1, want: "redacted-1"},
		{name: "json", args: []string{"snapshot", "--from", "INPUT", "-o", "json"}, input: largePods, n: 100, allocated: 100, growth: 2.1, want: "redacted-1"},
		{name: "unredacted", args: []string{"snapshot", "--from", "INPUT", "--unredacted"}, input: largePods, n: 100, allocated: 60, growth: 2.1, want: "value 7 of container 3"},
		{name: "explain yaml", args: []string{"explain", "rs/web", "--from", "INPUT", "-o", "yaml"}, input: largePods, n: 100, allocated: 25, growth: 2.1, want: "kind: Explanation"},
		{name: "nested annotations", args: []string{"snapshot", "--from", "INPUT"}, input: packedAnnotation, n: 200_000, allocated: 12, growth: 2.1, want: "redacted-1"},
	})
}

// largePods is a ReplicaSet with n Pods of about 30 KB.
func largePods(w io.Writer, n int) error {
	var containers bytes.Buffer
	for c := range 8 {
		var env []string
		for k := range 40 {
			env = append(env, fmt.Sprintf(`{"name":"SETTING_%d","value":"value %d of container %d: http://svc.shop.svc.cluster.local:8080"}`, k, k, c))
		}
		fmt.Fprintf(&containers, `,{"name":"app-%d","image":"registry.example.com/app:v1","command":["/bin/app"],"args":["--listen=0.0.0.0:8080"],"env":[%s]}`, c, strings.Join(env, ","))
	}
	var plain bytes.Buffer
	if err := oneSet(&plain, n); err != nil {
		return err
	}
	text := strings.ReplaceAll(plain.String(), `"nodeName":"n","containers":[{"name":"main","image":"web:1"}]`, `"containers":[{"name":"main","image":"web:1"}`+containers.String()+`],"nodeName":"n"`)
	_, err := io.WriteString(w, text)
	return err
}

// packedAnnotation is a ReplicaSet with an annotation of n bytes of base64, which
// stands for base64 again wherever it is unpacked.
func packedAnnotation(w io.Writer, n int) error {
	_, err := fmt.Fprintf(w, `{"apiVersion":"apps/v1","kind":"ReplicaSet","metadata":{"name":"web","namespace":"shop","uid":"r","creationTimestamp":"2026-11-01T10:00:00Z","annotations":{"x":"%s"}},"spec":{"replicas":0,"selector":{"matchLabels":{"app":"web"}},"template":{"metadata":{"labels":{"app":"web"}},"spec":{"containers":[{"name":"main","image":"web:1","args":["a"]}]}}}}`, strings.Repeat("Vm0w", n/4))
	return err
}
