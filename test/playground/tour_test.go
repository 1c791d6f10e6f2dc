package main

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"
)

// TestTour shows that each stop is about a workload that there is.
func TestTour(t *testing.T) {
	there := workloads(t)
	for _, s := range slices.Concat(lasting, withKruise, whilePaused) {
		kind, name, namespace := subject(t, s.command)
		if name != "WEB" && !there[kind+"/"+namespace+"/"+name] {
			t.Errorf("%q: no manifest makes it", s.command)
		}
	}
}

// subject takes "explain rs NAME -n NAMESPACE …" apart.
func subject(t *testing.T, command string) (kind, name, namespace string) {
	t.Helper()
	words := strings.Fields(command)
	if len(words) < 5 || words[3] != "-n" {
		t.Fatalf("%q is not of the form that this test knows", command)
	}
	return map[string]string{"rs": "ReplicaSet", "rc": "ReplicationController", "clone": "CloneSet"}[words[1]], words[2], words[4]
}

func workloads(t *testing.T) map[string]bool {
	t.Helper()
	there := map[string]bool{}
	text, err := read(settled)
	if err != nil {
		t.Fatal(err)
	}
	more, err := read(clones)
	if err != nil {
		t.Fatal(err)
	}
	for document := range bytes.SplitSeq(append(append(text, "---\n"...), more...), []byte("---\n")) {
		var object metav1.PartialObjectMetadata
		if err := yaml.Unmarshal(document, &object); err != nil {
			t.Fatalf("%v in:\n%s", err, document)
		}
		there[object.Kind+"/"+object.Namespace+"/"+object.Name] = true
	}
	return there
}
