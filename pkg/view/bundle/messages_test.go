package bundle

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestMessagesAnywhere: kubectl's messages, redirected into the file of its
// output, are an error wherever they stand, which names their line. As YAML they
// would be a member of the object before them, and the file would look whole.
func TestMessagesAnywhere(t *testing.T) {
	const (
		pod    = "apiVersion: v1\nkind: Pod\nmetadata:\n  name: web-1\n  namespace: shop\n  creationTimestamp: \"2026-11-01T12:00:00Z\"\n"
		flow   = `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web-1","namespace":"shop","creationTimestamp":"2026-11-01T12:00:00Z"}}` + "\n"
		listed = "apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: Pod\n  metadata:\n    name: web-1\n    namespace: shop\n    creationTimestamp: \"2026-11-01T12:00:00Z\"\n"
	)
	files := map[string][]string{ // what stands before and after the message
		"alone":                 {"", ""},
		"before YAML":           {"", pod},
		"after YAML":            {pod, ""},
		"after documents":       {pod + "---\n" + strings.ReplaceAll(pod, "web-1", "web-2"), ""},
		"as a document":         {pod + "---\n", ""},
		"between documents":     {pod, "---\n" + strings.ReplaceAll(pod, "web-1", "web-2")},
		"before a list":         {"", listed},
		"after a list":          {listed, ""},
		"after the items":       {listed, "metadata:\n  resourceVersion: \"\"\n"},
		"between items":         {listed, "- " + strings.ReplaceAll(strings.TrimSuffix(strings.ReplaceAll(pod, "web-1", "web-2"), "\n"), "\n", "\n  ") + "\n"},
		"before JSON":           {"", flow},
		"after JSON":            {flow, ""},
		"between JSON":          {flow, strings.ReplaceAll(flow, "web-1", "web-2")},
		"behind JSON, no break": {strings.TrimSuffix(flow, "\n") + "\n\n", ""},
	}
	messages := []string{
		`Error from server (NotFound): pods "web-3" not found`,
		`Error from server: etcdserver: request timed out`,
		`Error from server (Timeout): the server was unable to return a response in the time allotted: try again`,
		`error: the server doesn't have a resource type "clonesets"`,
		`error: unexpected error when reading response body. Please retry. Original error: read tcp: connection reset by peer`,
		`Unable to connect to the server: dial tcp 10.0.0.1:6443: i/o timeout`,
		`The connection to the server localhost:8080 was refused - did you specify the right host or port?`,
		`Warning: v1 ComponentStatus is deprecated in v1.19+`,
		`E1124 10:03:51.123456   12345 memcache.go:265] couldn't get resource list for metrics.k8s.io/v1beta1: the server is currently unable to handle the request`,
	}
	for place, file := range files {
		for _, message := range messages {
			for _, end := range []string{"\n", "\r\n", ""} {
				if end == "" && file[1] != "" {
					continue
				}
				name := filepath.Join(t.TempDir(), "web.yaml")
				if err := os.WriteFile(name, []byte(file[0]+message+end+file[1]), 0o600); err != nil {
					t.Fatal(err)
				}
				_, err := Open([]string{name}, nil, Options{})
				if err == nil {
					t.Errorf("%s: %q is read as a part of an object", place, message)
					continue
				}
				// Lines of logs are found by what YAML makes of them, and not as lines.
				if want := fmt.Sprintf("web.yaml:%d: %q", 1+strings.Count(file[0], "\n"), shortened([]byte(message))); !strings.Contains(err.Error(), want) && !strings.HasPrefix(message, "E1124") {
					t.Errorf("%s: %q\ngot  %v\nwant %s", place, message, err, want)
				}
			}
		}
	}
}
