package e2e

import (
	"fmt"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/metadata"
)

// being is an object with its owners, as they are or as they are predicted.
type being struct {
	kind, name string
	owners     []metav1.OwnerReference
	// going says that the object is gone or about to be.
	going bool
}

func (b being) label() string { return strings.TrimSuffix(b.kind, "s") + "/" + b.name }

// population is what a namespace holds, by UID.
type population map[types.UID]being

// populated are the resources whose objects have owners here.
var populated = []schema.GroupVersionResource{
	{Version: "v1", Resource: "pods"}, {Version: "v1", Resource: "replicationcontrollers"},
	{Version: "v1", Resource: "persistentvolumeclaims"}, {Version: "v1", Resource: "configmaps"}, {Version: "v1", Resource: "secrets"},
	{Group: "apps", Version: "v1", Resource: "replicasets"}, {Group: "apps", Version: "v1", Resource: "deployments"},
	{Group: "apps", Version: "v1", Resource: "statefulsets"}, {Group: "apps", Version: "v1", Resource: "daemonsets"},
	{Group: "apps", Version: "v1", Resource: "controllerrevisions"},
	{Group: "batch", Version: "v1", Resource: "jobs"}, {Group: "batch", Version: "v1", Resource: "cronjobs"},
}

// population reads the namespace, all but what every namespace has.
func (w *world) population() population {
	w.Helper()
	client, err := metadata.NewForConfig(env.RESTConfig())
	w.check(err)
	all := population{}
	for _, r := range populated {
		list, err := client.Resource(r).Namespace(w.namespace).List(w.Context(), metav1.ListOptions{})
		w.check(err)
		for _, o := range list.Items {
			if o.Name != "kube-root-ca.crt" {
				all[o.UID] = being{r.Resource, o.Name, o.OwnerReferences, o.DeletionTimestamp != nil}
			}
		}
	}
	return all
}

// unchanged is the fate of what nothing happens to.
const unchanged = "unchanged"

// fate says what became of an object's owners, and of itself.
func fate(was, is being) string {
	if is.going && !was.going {
		return "deleted"
	}
	var events []string
	before, after := controllerOf(was), controllerOf(is)
	if before != "" && before != after {
		events = append(events, "released by "+before)
	}
	if after != "" && after != before {
		events = append(events, "adopted by "+after)
	}
	for _, ref := range was.owners {
		if !refers(is, ref.UID) && before != nameOf(ref) {
			events = append(events, "no longer of "+nameOf(ref))
		}
	}
	if len(events) == 0 {
		return unchanged
	}
	return strings.Join(events, ", ")
}

// fateOf finds an object again. What is not there any more was deleted.
func (p population) fateOf(uid types.UID, was being) string {
	is, there := p[uid]
	if !there {
		is = being{going: true}
	}
	return fate(was, is)
}

func refers(b being, uid types.UID) bool {
	return slices.ContainsFunc(b.owners, func(ref metav1.OwnerReference) bool { return ref.UID == uid })
}

func nameOf(ref metav1.OwnerReference) string {
	return fmt.Sprintf("%s/%s", strings.ToLower(ref.Kind), ref.Name)
}

func controllerOf(b being) string {
	for _, ref := range b.owners {
		if ref.Controller != nil && *ref.Controller {
			return nameOf(ref)
		}
	}
	return ""
}
