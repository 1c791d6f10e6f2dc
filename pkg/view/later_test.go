package view_test

import (
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// TestFromLater holds each field that moved between v1beta1 and v1alpha1 to its
// place there.
func TestFromLater(t *testing.T) {
	for name, c := range map[string]struct {
		form        view.Form
		later, want string
	}{
		"in place, everything said": {view.Whole, `
metadata: {name: web, annotations: {a: b}}
spec:
  replicas: 3
  updateStrategy:
    type: RollingUpdate
    rollingUpdate:
      podUpdatePolicy: InPlaceIfPossible
      partition: 40%
      maxUnavailable: 1
      maxSurge: 2
      paused: true
      scatterStrategy: [{key: a, value: b}]
      priorityStrategy: {orderPriority: [{orderedKey: x}]}
      inPlaceUpdateStrategy: {gracePeriodSeconds: 5, imagePreDownloadParallelism: 10%, imagePreDownloadTimeoutSeconds: 30, imagePreDownloadMinUpdatedReadyPods: 1}
  scaleStrategy: {podsToDelete: [web-1], enablePVCReuse: true, excludePreparingDelete: true}
status: {replicas: 3}`, `
metadata: {name: web, annotations: {a: b, apps.kruise.io/image-predownload-parallelism: 10%, apps.kruise.io/image-predownload-timeout-seconds: "30", apps.kruise.io/image-predownload-min-updated-ready-pods: "1"}}
spec:
  replicas: 3
  updateStrategy:
    type: InPlaceIfPossible
    partition: 40%
    maxUnavailable: 1
    maxSurge: 2
    paused: true
    scatterStrategy: [{key: a, value: b}]
    priorityStrategy: {orderPriority: [{orderedKey: x}]}
    inPlaceUpdateStrategy: {gracePeriodSeconds: 5}
  scaleStrategy: {podsToDelete: [web-1], disablePVCReuse: false, excludePreparingDelete: true}
status: {replicas: 3}`},
		"nothing said": {view.Whole,
			`spec: {updateStrategy: {type: RollingUpdate, rollingUpdate: {}}}`,
			`spec: {updateStrategy: {type: ReCreate}, scaleStrategy: {disablePVCReuse: true}}`},
		"on delete": {view.Whole,
			`spec: {updateStrategy: {type: OnDelete}, scaleStrategy: {}}`,
			`spec: {updateStrategy: {type: OnDelete}, scaleStrategy: {disablePVCReuse: true}}`},
		"a manifest says only what it says": {view.Partial,
			`spec: {updateStrategy: {rollingUpdate: {partition: 2}}, scaleStrategy: {maxUnavailable: 1}}`,
			`spec: {updateStrategy: {partition: 2}, scaleStrategy: {maxUnavailable: 1}}`},
		"metadata alone": {view.Whole, `metadata: {name: web}`, `metadata: {name: web}`},
	} {
		t.Run(name, func(t *testing.T) {
			raw, later, err := view.FromLaterJSON(asJSON(t, "v1beta1", c.later), c.form)
			if err != nil || !later {
				t.Fatalf("later %v, %v", later, err)
			}
			got, err := yaml.JSONToYAML(raw)
			if err != nil {
				t.Fatal(err)
			}
			want, err := yaml.JSONToYAML(asJSON(t, "v1alpha1", c.want))
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != string(want) {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

func asJSON(t *testing.T, version, text string) []byte {
	t.Helper()
	raw, err := yaml.YAMLToJSON([]byte("apiVersion: apps.kruise.io/" + version + "\nkind: CloneSet\n" + text))
	if err != nil {
		t.Fatal(err)
	}
	return raw
}
