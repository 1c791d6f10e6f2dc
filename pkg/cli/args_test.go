package cli

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-ctrl/kubectl-ctrl/plugins"
)

func TestParseSubjects(t *testing.T) {
	for args, want := range map[string]string{
		"rs":                      "ReplicaSet[]",
		"rs a":                    "ReplicaSet[a]",
		"rs a b":                  "ReplicaSet[a b]",
		"rs,rc":                   "ReplicaSet[] ReplicationController[]",
		"rs,rc a":                 "ReplicaSet[a] ReplicationController[a]",
		"rs/a":                    "ReplicaSet[a]",
		"rs/a rc/b rs/c":          "ReplicaSet[a] ReplicationController[b] ReplicaSet[c]",
		"ReplicaSets.apps/a":      "ReplicaSet[a]",
		"replicationcontroller a": "ReplicationController[a]",
	} {
		subjects, err := parser{plugins.All()}.parseSubjects(strings.Fields(args))
		if err != nil {
			t.Errorf("%s: %v", args, err)
			continue
		}
		var got []string
		for _, s := range subjects {
			got = append(got, s.kind.Kind+"["+strings.Join(s.names, " ")+"]")
		}
		if diff := cmp.Diff(want, strings.Join(got, " ")); diff != "" {
			t.Errorf("%s: %s", args, diff)
		}
	}
}

func TestParseSubjectsRefuses(t *testing.T) {
	for args, want := range map[string]string{
		"":             "name what to look at",
		"pods":         `no controller for "pods" is modelled`,
		"indexer":      `no controller for "indexer" is modelled; kinds: replicasets (rs), replicationcontrollers (rc), deployments (deploy), statefulsets (sts), clonesets (clone); if indexer is a name, write its type before it, such as deploy/indexer`,
		"depl/web":     `no controller for "depl" is modelled; did you mean deploy?`,
		"sta web":      `no controller for "sta" is modelled; did you mean statefulset`,
		"de web":       `no controller for "de" is modelled; kinds: `,
		"rs,pods a":    `no controller for "pods" is modelled`,
		"rs/":          `"rs/": want TYPE/NAME, such as rs/web`,
		"/a":           `no controller for "" is modelled`,
		"rs/a/b":       `"rs/a/b": want TYPE/NAME, such as rs/web`,
		"rs/a b":       `"b": want TYPE/NAME, like the others`,
		"rs a rs/b":    `"rs/b": there is no need to name a type twice`,
		"rs.v1beta1 a": `no controller for "rs.v1beta1" is modelled`,
	} {
		_, err := parser{plugins.All()}.parseSubjects(strings.Fields(args))
		var bad badUsage
		if !errors.As(err, &bad) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: got %v, want bad usage: %s", args, err, want)
		}
	}
}

func TestSingle(t *testing.T) {
	for args, want := range map[string]bool{"rs/a": true, "rs a": true, "rs": false, "rs a b": false, "rs,rc a": false} {
		subjects, err := parser{plugins.All()}.parseSubjects(strings.Fields(args))
		if err != nil || single(subjects) != want {
			t.Errorf("%s: got %v, %v, want %v", args, single(subjects), err, want)
		}
	}
}
