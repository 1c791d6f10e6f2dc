package e2e

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestApply: what plan -f says that a manifest changes is what kubectl apply changes of the
// object that it applied before.
func TestApply(t *testing.T) {
	const (
		head = "apiVersion: %s\nkind: %s\nmetadata: {name: web}\nspec:\n"
		set  = "  selector: {matchLabels: {app: web}}\n"
		pod  = "  template:\n    metadata: {labels: {app: web}}\n    spec:\n"
		main = "      containers: [{name: main, image: 'main:1'}]\n"
		// given are values of a Pod that are those without them, or others.
		given = `      restartPolicy: Always
      dnsPolicy: ClusterFirst
      schedulerName: default-scheduler
      securityContext: {}
      serviceAccountName: default
      terminationGracePeriodSeconds: 60
      volumes:
      - {name: a, configMap: {name: a, defaultMode: 420}}
      - {name: b, emptyDir: {}}
      - {name: c, secret: {secretName: c}}
      - {name: d, hostPath: {path: /d, type: ""}}
      initContainers: [{name: first, image: first, imagePullPolicy: Always}]
      containers:
      - name: main
        image: main:1
        imagePullPolicy: IfNotPresent
        terminationMessagePath: /dev/termination-log
        terminationMessagePolicy: File
        env: [{name: A, value: a}, {name: B, valueFrom: {fieldRef: {apiVersion: v1, fieldPath: metadata.name}}}]
        ports: [{containerPort: 80, protocol: TCP}, {containerPort: 81}]
        resources: {requests: {cpu: 100m}}
        readinessProbe: {httpGet: {port: 80, path: /, scheme: HTTP}, periodSeconds: 10, timeoutSeconds: 5}
        livenessProbe: {tcpSocket: {port: 80}}
      - {name: log, image: "log:1"}
`
		// less is the same with less of it.
		less = `      serviceAccountName: default
      volumes:
      - {name: a, configMap: {name: a}}
      - {name: d, hostPath: {path: /d}}
      containers:
      - name: main
        image: main:1
        env: [{name: B, valueFrom: {fieldRef: {fieldPath: metadata.name}}}]
        ports: [{containerPort: 80}, {containerPort: 81}]
        readinessProbe: {httpGet: {port: 80}}
`
		claims = "  serviceName: web\n  volumeClaimTemplates:\n  - metadata: {name: data}\n    spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}\n"
	)
	deployment, replicaSet, statefulSet := fmt.Sprintf(head, "apps/v1", "Deployment"), fmt.Sprintf(head, "apps/v1", "ReplicaSet"), fmt.Sprintf(head, "apps/v1", "StatefulSet")
	rc := fmt.Sprintf(head, "v1", "ReplicationController")
	w := newWorld(t, t.Name())
	for name, c := range map[string]struct{ kind, first, then string }{
		"a Deployment as it is":                    {"deployment", deployment + "  replicas: 3\n" + set + pod + given, deployment + "  replicas: 3\n" + set + pod + given},
		"a Deployment without what was given":      {"deployment", deployment + "  replicas: 3\n  minReadySeconds: 5\n  revisionHistoryLimit: 10\n  progressDeadlineSeconds: 60\n  strategy: {type: RollingUpdate, rollingUpdate: {maxSurge: 25%}}\n" + set + pod + given, deployment + set + pod + less},
		"a Deployment of another strategy":         {"deployment", deployment + "  strategy: {rollingUpdate: {maxSurge: 1}}\n" + set + pod + main, deployment + "  strategy: {type: Recreate}\n" + set + pod + main},
		"a Deployment without its service account": {"deployment", deployment + set + pod + "      serviceAccountName: robot\n" + main, deployment + set + pod + main},
		"a Deployment of another image":            {"deployment", deployment + set + pod + main, deployment + set + pod + strings.Replace(main, "main:1", "main", 1)},
		"a ReplicaSet without what was given":      {"replicaset", replicaSet + "  replicas: 3\n  minReadySeconds: 5\n" + set + pod + given, replicaSet + set + pod + less},
		"a StatefulSet as it is":                   {"statefulset", statefulSet + "  replicas: 3\n" + claims + set + pod + given, statefulSet + "  replicas: 3\n" + claims + set + pod + given},
		"a StatefulSet without what was given": {
			"statefulset",
			statefulSet + "  replicas: 3\n  podManagementPolicy: OrderedReady\n  updateStrategy: {type: RollingUpdate, rollingUpdate: {partition: 2}}\n  persistentVolumeClaimRetentionPolicy: {whenScaled: Delete}\n" + claims + set + pod + given,
			statefulSet + claims + set + pod + less,
		},
		"a ReplicationController without what was given": {"replicationcontroller", rc + "  replicas: 3\n  selector: {app: web}\n" + pod + given, rc + pod + less},
	} {
		t.Run(name, func(t *testing.T) {
			w := w.in(t)
			dir := t.TempDir()
			first, then := filepath.Join(dir, "first.yaml"), filepath.Join(dir, "then.yaml")
			w.check(os.WriteFile(first, []byte(c.first), 0o600))
			w.check(os.WriteFile(then, []byte(c.then), 0o600))
			w.kubectl("apply", "-f", first)
			defer w.kubectl("delete", c.kind+"/web", "--cascade=background")
			before := w.specOf(c.kind)
			plan, err := parsePlan(w.run(false, "plan", "-f", then, "-o", "json"))
			w.check(err)
			got := map[string]any{}
			for _, change := range plan.WhatIf {
				if strings.HasPrefix(change.Path, "spec.") {
					got[change.Path] = value(change.To)
				}
			}
			w.kubectl("apply", "-f", then)
			want := map[string]any{}
			changed("spec", before, w.specOf(c.kind), want)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("-changed +planned:\n%s", diff)
			}
		})
	}
}

func (w *world) specOf(kind string) any {
	w.Helper()
	var o map[string]any
	w.check(json.Unmarshal([]byte(w.kubectl("get", kind+"/web", "-o", "json")), &o))
	return o["spec"]
}

// value is what a change has as text.
func value(text string) any {
	var v any
	switch {
	case text == "unset":
		return nil
	case json.Unmarshal([]byte(text), &v) != nil:
		return text
	}
	return v
}

// changed finds the paths at which two values differ, and the values there after the change.
// Items of lists of one length are compared one by one.
func changed(path string, a, b any, all map[string]any) {
	am, aok := a.(map[string]any)
	bm, bok := b.(map[string]any)
	al, alist := a.([]any)
	bl, blist := b.([]any)
	switch {
	case reflect.DeepEqual(a, b):
	case aok && bok:
		for _, k := range slices.Sorted(maps.Keys(union(am, bm))) {
			changed(path+"."+k, am[k], bm[k], all)
		}
	case alist && blist && !reflect.DeepEqual(names(al), names(bl)):
		an, bn := byName(al), byName(bl)
		for _, name := range slices.Sorted(maps.Keys(union(an, bn))) {
			changed(fmt.Sprintf("%s[%s]", path, name), an[name], bn[name], all)
		}
	case alist && blist && len(al) == len(bl):
		for i := range al {
			changed(fmt.Sprintf("%s[%d]", path, i), al[i], bl[i], all)
		}
	default:
		all[path] = b
	}
}

// names are those of the items of a list, empty where they have none.
func names(list []any) (all []string) {
	for _, item := range list {
		if name, ok := item.(map[string]any)["name"].(string); ok {
			all = append(all, name)
		}
	}
	return all
}

func byName(list []any) map[string]any {
	all := map[string]any{}
	for _, item := range list {
		all[item.(map[string]any)["name"].(string)] = item
	}
	return all
}

func union(a, b map[string]any) map[string]any {
	all := maps.Clone(a)
	maps.Copy(all, b)
	return all
}
