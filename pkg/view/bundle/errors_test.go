package bundle

import (
	"path/filepath"
	"strings"
	"testing"
)

// Each broken file and its whole message, without the directory's name.
func TestOpenErrors(t *testing.T) {
	for file, want := range map[string]string{
		"bad-time.yaml":        `bad-time.yaml:1: pod/shop/web: parsing time "yesterday" as "2006-01-02T15:04:05Z07:00": cannot parse "yesterday" as "2006"`,
		"bundle-kind.yaml":     `bundle-kind.yaml:1: bundle: reads[0]: v1 Service is not a kind that this version reads`,
		"bundle-late.yaml":     `bundle-late.yaml:7: a bundle has to come first and alone, but there is an object at bundle-late.yaml:1`,
		"bundle-time.yaml":     `bundle-time.yaml:1: bundle: parsing time "yesterday" as "2006-01-02T15:04:05Z07:00": cannot parse "yesterday" as "2006"`,
		"bundle-timeless.yaml": `bundle-timeless.yaml:1: bundle: capturedAt is missing`,
		"bundle-version.yaml":  `bundle-version.yaml:1: bundle is of kubectl-ctrl.github.io/v2, this version reads kubectl-ctrl.github.io/v1alpha2`,
		"comments.yaml":        `no Kubernetes objects in comments.yaml: expected what kubectl get -o yaml or -o json prints`,
		"describe.txt":         `describe.txt:1: this looks like kubectl describe: use kubectl get -o yaml`,
		"empty.yaml":           `no Kubernetes objects in empty.yaml: it is empty, as a command that fails leaves it; save again, and look at the errors: expected what kubectl ctrl snapshot or kubectl get -o yaml prints`,
		"items.json":           `items.json:1: expected an object, found a list without kind; give the whole output of kubectl get, not its items alone`,
		"no-kind.yaml":         `no-kind.yaml:1: kind is missing`,
		"no-name.yaml":         `no-name.yaml:1: pod: metadata.name is missing`,
		"no-namespace.yaml":    `no-namespace.yaml:1: pod/web-1: metadata.namespace is missing: add the namespace that the object is in, such as namespace: default`,
		"no-uid.yaml":          `no-uid.yaml:15: deployment/shop/web: metadata.uid is missing, and an ownerReference of replicaset/shop/web-1 names the object: save it with kubectl get -o yaml, or ask about a manifest with plan -f`,
		"no-uid-cluster.yaml":  `no-uid-cluster.yaml:1: node/n1: metadata.uid is missing, and an ownerReference of pod/shop/web-1 names the object: save it with kubectl get -o yaml, or ask about a manifest with plan -f`,
		"no-uid-other.yaml":    `no-uid-other.yaml:14: shop/shop/web: metadata.uid is missing, and an ownerReference of pod/shop/web-1 names the object: save it with kubectl get -o yaml, or ask about a manifest with plan -f`,
		"no-version.yaml":      `no-version.yaml:1: apiVersion is missing`,
		"odd-version.yaml":     `odd-version.yaml:1: apiVersion "a/b/c" is not of the form group/version`,
		"old-version.yaml":     `old-version.yaml:1: replicaset is of extensions/v1beta1, which cannot be read: get it as apps/v1 with kubectl get replicasets.v1.apps, or write its manifest as apps/v1`,
		"packed.yaml.gz":       `packed.yaml.gz: this is not text: expected YAML or JSON, as kubectl get -o yaml prints it`,
		"page.html":            `page.html:1: this looks like a web page: expected YAML or JSON`,
		"parser.yaml":          `parser.yaml:10: not valid YAML: did not find expected key`,
		"refused.yaml":         `refused.yaml:1: "Error from server (Forbidden): pods is forbidden": ` + notWhole,
		"scalar-item.yaml":     `scalar-item.yaml:4: items[0]: expected an object, found a string`,
		"scanner.yaml":         `scanner.yaml:9: not valid YAML: mapping values are not allowed in this context`,
		"services.yaml":        `no objects of a kind that is read here in services.yaml (it holds 1 Service): expected pods, replicasets and what else kubectl get -o yaml prints of their namespace`,
		"syntax.json":          `syntax.json:4: not valid JSON: invalid character '"' after object key:value pair`,
		"tab.yaml":             `tab.yaml:4: not valid YAML: found character that cannot start any token`,
		"table-wide.txt":       `table-wide.txt:1: this looks like a table: use kubectl get -o yaml`,
		"table.yaml":           `table.yaml:1: this looks like a table: use kubectl get -o yaml`,
		"timeless.yaml":        `the input has neither a capture time nor any timestamp: say with --at when it was taken, such as --at 2026-11-01T12:00:00Z`,
		"truncated.json":       `truncated.json:3: the JSON ends in the middle of a value: is the file cut short?`,
		"unknown-alias.yaml":   `unknown-alias.yaml:1: not valid YAML: unknown anchor 'c' referenced`,
		"untyped-item.yaml":    `untyped-item.yaml:4: items[0]: this is no Kubernetes object: kind and apiVersion are missing`,
		"values.yaml":          `values.yaml:1: this is no Kubernetes object: kind and apiVersion are missing`,
		"words.yaml":           `words.yaml:1: expected an object, found a string`,
		"wrong-item.json":      `wrong-item.json:6: items[1]: pod/shop/web-2: spec.containers: expected a list, found a string`,
		"wrong-item.yaml":      `wrong-item.yaml:9: items[1]: pod/shop/web-2: metadata.labels: expected a string, found a number`,
		"wrong-type.yaml":      `wrong-type.yaml:7: replicaset/shop/web: spec.replicas: expected a whole number, found a string`,
	} {
		t.Run(file, func(t *testing.T) {
			dir := filepath.Join("testdata", "bad") + string(filepath.Separator)
			_, err := Open([]string{dir + file}, nil, Options{})
			if err == nil {
				t.Fatal("no error")
			}
			if got := strings.ReplaceAll(err.Error(), dir, ""); got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		})
	}
}

func TestBundleIsAlone(t *testing.T) {
	for _, tc := range []struct{ second, want string }{
		{"testdata/ok/snapshot.yaml", "there is a bundle at testdata/ok/snapshot.yaml already: give one of them"},
		{"testdata/ok/list.yaml", "testdata/ok/list.yaml:3: items[0]: objects cannot be added to the bundle testdata/ok/snapshot.yaml: give the bundle alone"},
	} {
		_, err := Open([]string{"testdata/ok/snapshot.yaml", tc.second}, nil, Options{})
		if err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("got %v, want %s", err, tc.want)
		}
	}
}
