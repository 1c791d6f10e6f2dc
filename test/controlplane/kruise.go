package controlplane

import (
	"context"
	_ "embed" // for the stages
	"fmt"
	"path/filepath"
	"strconv"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
)

// KruiseUser is who kruise-manager is in the audit log.
const KruiseUser = "system:serviceaccount:" + kruiseNamespace + ":kruise-manager"

const (
	kruiseNamespace = "kruise-system"
	// kruiseManifests is made by build.sh from the kruise that it builds.
	kruiseManifests  = "kruise.yaml"
	kruiseStagesFile = "kruise-stages.yaml"
)

//go:embed kruise-stages.yaml
var kruiseStages []byte

// CloneSets is the resource that Options.Kruise adds, among others.
var CloneSets = schema.GroupVersionResource{Group: "apps.kruise.io", Version: "v1alpha1", Resource: "clonesets"}

// startKruise returns when CloneSets reconcile. Between applying its webhooks and
// that, nobody can create pods.
func (c *Cluster) startKruise(ctx context.Context) error {
	if !c.opts.Kruise {
		return nil
	}
	manifests := filepath.Join(c.binDir, kruiseManifests)
	if _, err := c.Kubectl(ctx, nil, "apply", "--server-side", "--filename", manifests); err != nil {
		return fmt.Errorf("install %s: %w", Kruise, err)
	}
	if err := c.launch(ctx, Kruise); err != nil {
		return err
	}
	return c.waitForCloneSets(ctx)
}

// kruiseArgs have no leader election: the manager is alone, and its Lease would
// be in a namespace of its own.
func (c *Cluster) kruiseArgs() []string {
	return []string{
		"--kubeconfig=" + c.kubeconfig(identities[Kruise].Name),
		"--enable-leader-election=false",
		"--enable-pprof=false",
		"--metrics-addr=0",
		"--health-probe-addr=" + address(c.ports.kruise),
		"--protection-log-path=" + c.dir,
		"--rest-config-qps=500",
		"--rest-config-burst=1000",
	}
}

// kruiseEnv makes the manager its own certificate authority in a folder, and has
// the API server call it at this address. The server of its webhooks listens on
// all addresses; upstream's main.go leaves no choice.
func (c *Cluster) kruiseEnv() []string {
	return []string{
		"POD_NAMESPACE=" + kruiseNamespace,
		"WEBHOOK_HOST=" + loopback,
		"WEBHOOK_PORT=" + strconv.Itoa(c.ports.kruiseWebhook),
		"WEBHOOK_CERT_DIR=" + c.path("kruise-webhook-certs"),
	}
}

// waitForCloneSets sees an empty CloneSet through admission and one reconcile.
func (c *Cluster) waitForCloneSets(ctx context.Context) error {
	client, err := dynamic.NewForConfig(c.RESTConfig())
	if err != nil {
		return err
	}
	sets := client.Resource(CloneSets).Namespace(kruiseNamespace)
	probe := probeCloneSet()
	err = c.WaitFor(ctx, "admission of a CloneSet", func(ctx context.Context) (bool, error) {
		_, err := sets.Create(ctx, probe, metav1.CreateOptions{})
		return err == nil, err
	})
	if err != nil {
		return err
	}
	err = c.WaitFor(ctx, "reconciliation of a CloneSet", func(ctx context.Context) (bool, error) {
		set, err := sets.Get(ctx, probe.GetName(), metav1.GetOptions{})
		if err != nil {
			return false, err
		}
		observed, _, err := unstructured.NestedInt64(set.Object, "status", "observedGeneration")
		return observed == set.GetGeneration(), err
	})
	if err != nil {
		return err
	}
	return sets.Delete(ctx, probe.GetName(), metav1.DeleteOptions{})
}

func probeCloneSet() *unstructured.Unstructured {
	labels := map[string]any{"app": "probe"}
	containers := []any{map[string]any{"name": "main", "image": "main"}}
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "apps.kruise.io/v1alpha1",
		"kind":       "CloneSet",
		"metadata":   map[string]any{"name": "probe"},
		"spec": map[string]any{
			"replicas": int64(0),
			"selector": map[string]any{"matchLabels": labels},
			"template": map[string]any{
				"metadata": map[string]any{"labels": labels},
				"spec":     map[string]any{"containers": containers},
			},
		},
	}}
}
