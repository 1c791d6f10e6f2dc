package e2e

import (
	"context"
	"fmt"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
)

// situation is a world in which the answers to some questions need everything
// that they may ever need.
type situation struct {
	make      func(*world)
	questions [][]string
	// outside is what no role in one namespace can give, "" for nothing.
	outside string
}

// situations are named after the roles that they are about.
var situations = map[string]situation{
	"replicasets": {make: replicasToMake, questions: [][]string{
		{"explain", "rs/web"}, {"explain", "rc"}, {"plan", "rs/web", "--replicas", "9"}, {"plan", "rc", "--replicas", "9"}, {"snapshot", "rs/web", "-o", "json"},
		{"expectations", "rs/web"},
	}},
	"deployments": {make: rolloutToMake, questions: [][]string{{"explain", "deploy/web"}, {"plan", "deploy", "--replicas", "9"}, {"snapshot", "deploy/web", "-o", "json"}}},
	"statefulsets": {make: setToMake, questions: [][]string{
		{"explain", "sts/web"}, {"plan", "sts/web", "--replicas", "9"}, {"snapshot", "sts/web", "-o", "json"}, {"expectations", "sts/web"},
	}},
	"clonesets": {make: clonesToMake, questions: [][]string{
		{"explain", "clonesets/web"}, {"plan", "clonesets", "--replicas", "1"}, {"expectations", "clonesets/web"},
		{"plan", "clonesets/web", "--replicas", "2", "--kruise-feature-gates", "PodUnavailableBudgetUpdateGate=true"},
	}},
	"orphans": {make: orphansToFind, questions: [][]string{{"orphans"}, {"orphans", "-A"}}},
	"owners":  {make: ownersToFind, questions: [][]string{{"owners", "pod/a"}, {"owners", "rs/web", "--dependents"}}},
	// Only a role everywhere lets somebody watch a namespace itself.
	"trace": {make: clonesToMake, questions: [][]string{{"trace", "--duration", "1s"}}, outside: "namespaces"},
}

// replicasToMake: a set of a Deployment that has too few pods, one on a node that may
// not report, with a bare pod that others might adopt, and nobody to act.
func replicasToMake(w *world) {
	w.Helper()
	w.check(env.kcm.hold(w.Context(), killed))
	set := replicaSet(web, 3)
	set.OwnerReferences = []metav1.OwnerReference{deploymentRef(w.createDeployment("rollout", 1))}
	set = w.createSet(set)
	w.createPods(pod{name: "a", node: bare0, silent: true, owner: set}, pod{name: "orphan", node: bare1, ready: hour})
	w.createRC(replicationController("rc", 1))
}

func deploymentRef(owner metav1.Object) metav1.OwnerReference {
	return *metav1.NewControllerRef(owner, appsv1.SchemeGroupVersion.WithKind("Deployment"))
}

func (w *world) createDeployment(name string, replicas int32) *appsv1.Deployment {
	w.Helper()
	d := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Name: name}}
	d.Spec.Replicas, d.Spec.Selector, d.Spec.Template = &replicas, &metav1.LabelSelector{MatchLabels: app(name)}, template(app(name))
	d, err := w.client.AppsV1().Deployments(w.namespace).Create(w.Context(), d, metav1.CreateOptions{})
	w.check(err)
	return d
}

// rolloutToMake: a Deployment whose new set has too few pods, one of them on a node
// that may not report, and a bare pod to adopt.
func rolloutToMake(w *world) {
	w.Helper()
	w.check(env.kcm.release(w.Context()))
	w.createDeployment(web, 2)
	w.waitFor("the Deployment's pods", func(context.Context) (bool, error) { return len(w.pods()) == 2, nil })
	w.check(env.kcm.hold(w.Context(), killed))
	_, err := w.client.AppsV1().Deployments(w.namespace).Patch(w.Context(), web, types.MergePatchType, []byte(`{"spec":{"replicas":5}}`), metav1.PatchOptions{})
	w.check(err)
	first := w.pods()[0]
	w.check(w.client.CoreV1().Pods(w.namespace).Bind(w.Context(), &corev1.Binding{
		ObjectMeta: metav1.ObjectMeta{Name: first.Name}, Target: corev1.ObjectReference{Kind: "Node", Name: bare0},
	}, metav1.CreateOptions{}))
	w.record(&w.pods()[0], pod{silent: true}, time.Now())
	w.createPod(pod{name: "orphan", node: bare1, ready: hour, labels: first.Labels})
}

// setToMake: a StatefulSet with claims, of which one Pod is on a node that may not report
// and others are missing, with a bare Pod that others might adopt, and nobody to act.
func setToMake(w *world) {
	w.Helper()
	w.check(env.kcm.hold(w.Context(), killed))
	set := statefulSet(web, 3)
	set.Spec.PodManagementPolicy = appsv1.ParallelPodManagement
	set.Spec.VolumeClaimTemplates = []corev1.PersistentVolumeClaim{{ObjectMeta: metav1.ObjectMeta{Name: "data"}, Spec: corev1.PersistentVolumeClaimSpec{
		AccessModes: []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce},
		Resources:   corev1.VolumeResourceRequirements{Requests: corev1.ResourceList{corev1.ResourceStorage: resource.MustParse("1Gi")}},
	}}}
	set = create(w, set)
	revision := w.revision(set, 1, set.Spec.Template.Spec.Containers[0].Image)
	w.ordinalPod(set, 0, revision, "silent")
	w.ordinalPod(set, 1, revision, "orphan")
}

// clonesToMake: a CloneSet with two pods on a node that may not report and a claim,
// topologies to spread over, and a budget for updates.
func clonesToMake(w *world) {
	w.Helper()
	w.serveKruise()
	uid := w.apply(fmt.Sprintf(`{"apiVersion":"apps.kruise.io/v1alpha1","kind":"CloneSet","metadata":{"name":"web","namespace":%q},
		"spec":{"replicas":3,"selector":{"matchLabels":{"app":"web"}},"volumeClaimTemplates":[{"metadata":{"name":"data"}}],
		"template":{"metadata":{"labels":{"app":"web"}},"spec":{"topologySpreadConstraints":[{"maxSkew":1,"topologyKey":"kubernetes.io/hostname","whenUnsatisfiable":"ScheduleAnyway"}],
		"containers":[{"name":"main","image":"web:1"}]}}},"status":{"observedGeneration":1}}`, w.namespace))
	owner := &metav1.ObjectMeta{Name: web, UID: types.UID(uid)}
	for _, name := range []string{"a", "b"} {
		obj := pod{name: name, node: bare0, ready: day}
		if name == "b" {
			obj.ready, obj.silent = 0, true
		}
		made := obj.object()
		made.Annotations = map[string]string{"kruise.io/related-pub": web}
		made.Labels["pod-template-hash"] = "x" // as pods since Kruise 1.1 have it
		made.OwnerReferences = []metav1.OwnerReference{*metav1.NewControllerRef(owner, schema.FromAPIVersionAndKind("apps.kruise.io/v1alpha1", "CloneSet"))}
		stored, err := w.client.CoreV1().Pods(w.namespace).Create(w.Context(), made, metav1.CreateOptions{})
		w.check(err)
		w.record(stored, obj, time.Now())
	}
}

// orphansToFind: bare pods that will be adopted and that nobody wants, a pod of
// an owner that is gone, a revision that nobody selects, and whatever else has
// no owner.
func orphansToFind(w *world) {
	w.Helper()
	w.serveKruise()
	replicasToMake(w)
	w.createPod(pod{name: "nobodys", node: bare1, ready: hour, labels: app("other")})
	w.apply(fmt.Sprintf(`{"apiVersion":"apps/v1","kind":"ControllerRevision","metadata":{"name":"left","namespace":%q},"revision":1,"data":{"spec":{}}}`, w.namespace))
}

// ownersToFind: the same, seen from one of them.
func ownersToFind(w *world) {
	w.Helper()
	w.serveKruise()
	replicasToMake(w)
}

// apply makes an object and returns its UID.
func (w *world) apply(manifest string) string {
	w.Helper()
	uid, err := env.Kubectl(w.Context(), strings.NewReader(manifest), "apply", "-f", "-", "-o", "jsonpath={.metadata.uid}")
	w.check(err)
	return uid
}

// kruiseType is a type of Kruise as far as a server must know it to serve it.
const kruiseType = `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"%[1]s.%[5]s","annotations":{"api-approved.kubernetes.io":"unapproved, for a test"}},
"spec":{"group":"%[5]s","scope":"Namespaced","names":{"plural":"%[1]s","singular":"%[2]s","kind":"%[3]s","listKind":"%[3]sList"},
"versions":[{"name":"%[4]s","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object","x-kubernetes-preserve-unknown-fields":true}}}]}}`

// serveKruise has the server serve the types of Kruise, without the manager,
// unless it does already.
func (w *world) serveKruise() {
	w.Helper()
	const apps, policy = "apps.kruise.io", "policy.kruise.io"
	for _, t := range [][]any{
		{"clonesets", "cloneset", "CloneSet", "v1alpha1", apps}, {"statefulsets", "statefulset", "StatefulSet", "v1beta1", apps},
		{"daemonsets", "daemonset", "DaemonSet", "v1alpha1", apps}, {"broadcastjobs", "broadcastjob", "BroadcastJob", "v1alpha1", apps},
		{"uniteddeployments", "uniteddeployment", "UnitedDeployment", "v1alpha1", apps},
		{"podunavailablebudgets", "podunavailablebudget", "PodUnavailableBudget", "v1alpha1", policy},
	} {
		crd := fmt.Sprintf("crd/%s.%s", t[0], t[4])
		have, err := env.Kubectl(w.Context(), nil, "get", crd, "--ignore-not-found", "-o", "name")
		w.check(err)
		if have != "" {
			continue
		}
		w.apply(fmt.Sprintf(kruiseType, t...))
		w.Cleanup(func() {
			if _, err := env.Kubectl(context.Background(), nil, "delete", crd, "--wait"); err != nil {
				w.Error(err)
			}
		})
		_, err = env.Kubectl(w.Context(), nil, "wait", "--for=condition=Established", crd)
		w.check(err)
	}
}
