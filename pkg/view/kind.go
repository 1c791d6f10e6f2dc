package view

import (
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
)

// Kind is a type of object that a View can hold: its API version, its resource
// names, and its scope.
type Kind struct {
	schema.GroupVersionKind
	// Resource is the plural, Short the short names that kubectl knows.
	Resource   string
	Short      []string
	Namespaced bool
}

// The kinds that deciders read.
var (
	Pods                   = namespaced(corev1.SchemeGroupVersion, "Pod", "pods", "po")
	Events                 = namespaced(corev1.SchemeGroupVersion, "Event", "events", "ev")
	ResourceQuotas         = namespaced(corev1.SchemeGroupVersion, "ResourceQuota", "resourcequotas", "quota")
	LimitRanges            = namespaced(corev1.SchemeGroupVersion, "LimitRange", "limitranges", "limits")
	ReplicationControllers = namespaced(corev1.SchemeGroupVersion, "ReplicationController", "replicationcontrollers", "rc")
	ReplicaSets            = namespaced(appsv1.SchemeGroupVersion, "ReplicaSet", "replicasets", "rs")
	Deployments            = namespaced(appsv1.SchemeGroupVersion, "Deployment", "deployments", "deploy")
	StatefulSets           = namespaced(appsv1.SchemeGroupVersion, "StatefulSet", "statefulsets", "sts")
	DaemonSets             = namespaced(appsv1.SchemeGroupVersion, "DaemonSet", "daemonsets", "ds")
	Jobs                   = namespaced(batchv1.SchemeGroupVersion, "Job", "jobs")
	Leases                 = namespaced(coordinationv1.SchemeGroupVersion, "Lease", "leases")
	Namespaces             = clusterScoped(corev1.SchemeGroupVersion, "Namespace", "namespaces", "ns")
	Nodes                  = clusterScoped(corev1.SchemeGroupVersion, "Node", "nodes", "no")
	PersistentVolumeClaims = namespaced(corev1.SchemeGroupVersion, "PersistentVolumeClaim", "persistentvolumeclaims", "pvc")
	PersistentVolumes      = clusterScoped(corev1.SchemeGroupVersion, "PersistentVolume", "persistentvolumes", "pv")
	ControllerRevisions    = namespaced(appsv1.SchemeGroupVersion, "ControllerRevision", "controllerrevisions")
	CloneSets              = namespaced(kruise, "CloneSet", "clonesets", "clone")
	AdvancedDaemonSets     = namespaced(kruise, "DaemonSet", "daemonsets")
	AdvancedStatefulSets   = namespaced(kruiseBeta, "StatefulSet", "statefulsets")
	BroadcastJobs          = namespaced(kruise, "BroadcastJob", "broadcastjobs", "bcj")
	UnitedDeployments      = namespaced(kruise, "UnitedDeployment", "uniteddeployments", "ud")
	PodUnavailableBudgets  = namespaced(kruisePolicy, "PodUnavailableBudget", "podunavailablebudgets", "pub")

	// VolumeAttachments have no Go type here: little is read of them.
	VolumeAttachments = clusterScoped(storage, "VolumeAttachment", "volumeattachments")

	// HorizontalPodAutoscalers have no Go type here: files hold them in any version.
	HorizontalPodAutoscalers = namespaced(autoscaling, "HorizontalPodAutoscaler", "horizontalpodautoscalers", "hpa")
)

// autoscaling is the version that Kubernetes serves since 1.23.
var autoscaling = schema.GroupVersion{Group: "autoscaling", Version: "v2"}

var storage = schema.GroupVersion{Group: "storage.k8s.io", Version: "v1"}

// kruise is the version that every release of Kruise serves. Objects of its
// kinds are *unstructured.Unstructured: see Kind.Typed.
var kruise = schema.GroupVersion{Group: "apps.kruise.io", Version: "v1alpha1"}

// kruiseBeta is the version of the kinds that left alpha before CloneSet.
var kruiseBeta = schema.GroupVersion{Group: "apps.kruise.io", Version: "v1beta1"}

// kruisePolicy is the version that every release of Kruise serves of its budgets.
var kruisePolicy = schema.GroupVersion{Group: "policy.kruise.io", Version: "v1alpha1"}

// Kinds lists every kind that a View holds. The list must not be changed.
func Kinds() []Kind { return kinds }

var kinds = []Kind{
	Pods, Events, ResourceQuotas, LimitRanges, ReplicationControllers, ReplicaSets, Deployments,
	StatefulSets, DaemonSets, Jobs, Leases, Namespaces, Nodes, PersistentVolumeClaims,
	ControllerRevisions, CloneSets, AdvancedDaemonSets, AdvancedStatefulSets,
	BroadcastJobs, UnitedDeployments, PodUnavailableBudgets, HorizontalPodAutoscalers,
	PersistentVolumes, VolumeAttachments,
}

// Typed reports whether the kind's objects have a Go type. Those of other kinds
// are *unstructured.Unstructured, in any version of their group.
//
//go:noinline // it is called at many places
func (k Kind) Typed() bool { return Scheme.Recognizes(k.GroupVersionKind) }

// versions are those that releases serve of groups whose kinds have no Go type here, the one
// to write first.
var versions = map[string][]string{
	kruise.Group:       {"v1alpha1", "v1beta1"},
	kruisePolicy.Group: {"v1alpha1", "v1beta1"},
	autoscaling.Group:  {"v2", "v1", "v2beta2", "v2beta1"}, // the betas up to 1.25
	storage.Group:      {"v1", "v1beta1", "v1alpha1"},
}

// Served lists the versions of the kind's group of which a release is known that serves
// it. Any other one is a mistake: the API server has no such kind.
func (k Kind) Served() []string {
	if k.Typed() {
		return []string{k.Version}
	}
	if served, known := versions[k.Group]; known {
		return served
	}
	return []string{k.Version}
}

// Scheme knows the types of the typed Kinds; Codecs decode them.
var (
	Scheme = newScheme()
	Codecs = serializer.NewCodecFactory(Scheme)
)

func newScheme() *runtime.Scheme {
	s := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{
		corev1.AddToScheme, appsv1.AddToScheme, batchv1.AddToScheme, coordinationv1.AddToScheme,
	} {
		if err := add(s); err != nil {
			panic(err) // a programming error: two types under one name
		}
	}
	return s
}

func namespaced(gv schema.GroupVersion, kind, resource string, short ...string) Kind {
	return Kind{gv.WithKind(kind), resource, short, true}
}

func clusterScoped(gv schema.GroupVersion, kind, resource string, short ...string) Kind {
	return Kind{gv.WithKind(kind), resource, short, false}
}

// GVR is the resource that serves the kind.
//
//go:noinline // as GroupKind, at many places
func (k Kind) GVR() schema.GroupVersionResource {
	return k.GroupVersion().WithResource(k.Resource)
}

// Same reports whether both are one kind, in whatever version.
func (k Kind) Same(other Kind) bool { return k.GroupKind() == other.GroupKind() }

// Refers reports whether a reference, such as that of an owner, is to an object of the kind, in
// whatever version.
func (k Kind) Refers(apiVersion, kind string) bool {
	gv, err := schema.ParseGroupVersion(apiVersion)
	return err == nil && kind == k.Kind && gv.Group == k.Group
}

// GroupResource is how kubectl and RBAC name it: replicasets.apps.
func (k Kind) GroupResource() string {
	return k.GVR().GroupResource().String()
}

// Named reports whether arg is a name that kubectl users type for the kind:
// singular, plural or short, alone or with version and group (restmapper/shortcut.go
// expandResourceShortcut of client-go, v0.37.1, expands short names of a group).
func (k Kind) Named(arg string) bool {
	name, suffix, qualified := strings.Cut(strings.TrimSuffix(strings.ToLower(arg), "."), ".")
	later, _ := k.Later()
	if qualified && suffix != k.Group && suffix != strings.TrimSuffix(k.Version+"."+k.Group, ".") && suffix != later.Version+"."+k.Group {
		return false
	}
	if name == strings.ToLower(k.Kind) || name == k.Resource {
		return true
	}
	return slices.Contains(k.Short, name)
}

// GroupKind is the kind without its version.
//
//go:noinline // a call is shorter than what it does, at hundreds of places
func (k Kind) GroupKind() schema.GroupKind { return k.GroupVersionKind.GroupKind() }
