package states

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
)

func itoa(n int) string { return strconv.Itoa(n) }

// counts reports whether a Pod is an available one of the target.
func (a *asked) counts(p *corev1.Pod) bool {
	minReady := int32(0)
	_, name, _ := strings.Cut(a.target, "/")
	owner := metav1.GetControllerOf(p)
	if state := p.Labels[lifecycleState]; owner == nil || !activePod(p) || state != "" && state != "Normal" {
		return false
	}
	for _, o := range a.built.objects {
		m := o.(metav1.Object)
		if m.GetUID() != owner.UID {
			continue
		}
		switch o := o.(type) {
		case *appsv1.ReplicaSet:
			minReady = o.Spec.MinReadySeconds
		case *appsv1.StatefulSet:
			minReady = o.Spec.MinReadySeconds
			if !hasOrdinal(o, p) {
				return false
			}
		case *unstructured.Unstructured:
			n, _, _ := unstructured.NestedInt64(o.Object, "spec", "minReadySeconds")
			minReady = int32(n)
		}
		above := metav1.GetControllerOf(m)
		return (m.GetName() == name || above != nil && above.Name == name && a.uid(name, above.UID)) && availablePod(p, minReady)
	}
	return false
}

// uid reports whether an object has a name and a UID.
func (a *asked) uid(name string, uid types.UID) bool {
	return slices.ContainsFunc(a.built.objects, func(o runtime.Object) bool {
		return o.(metav1.Object).GetName() == name && o.(metav1.Object).GetUID() == uid
	})
}

// kindsOf are the names that kubectl knows kinds by.
var kindsOf = map[string]string{
	"validatingadmissionpolicy": "ValidatingAdmissionPolicy",
	"pod":                       "Pod", "deployment": "Deployment", "replicaset": "ReplicaSet", "statefulset": "StatefulSet", "cloneset": "CloneSet", "node": "Node", "lease": "Lease",
	"namespace": "Namespace", "resourcequota": "ResourceQuota", "limitrange": "LimitRange", "hpa": "HorizontalPodAutoscaler",
	"podunavailablebudget": "PodUnavailableBudget", "serviceaccount": "ServiceAccount", "configmap": "ConfigMap", "secret": "Secret",
	"persistentvolumeclaim": "PersistentVolumeClaim", "pvc": "PersistentVolumeClaim",
}

// takes are the commands of kubectl that answers suggest, with what follows.
var takes = map[string][]string{
	"describe": {"KIND", "NAME"}, "delete": {"KIND", "NAME"}, "logs": {"POD"}, "get": {"KIND", "NAME"}, "rollout resume": {"REF"}, "rollout status": {"REF"},
	"ctrl explain": {"REF"}, "ctrl expectations": {"REF"}, "ctrl plan": {"REF"}, "ctrl orphans": nil, "ctrl owners": {"REF"}, "patch": {"KIND", "NAME"},
	"create serviceaccount": nil, "get pods": nil, "get runtimeclasses": nil, "get endpointslices": nil, "get validatingwebhookconfigurations,mutatingwebhookconfigurations": nil,
	"uncordon": {"NODE"},
}

// checkNext: the command exists, and so does the object that it names.
func (a *asked) checkNext(next string) {
	a.Helper()
	if next == "" {
		return
	}
	words := strings.Fields(next)
	if words[0] != "kubectl" || len(words) < 2 {
		a.Errorf("no command of kubectl: %s", next)
		return
	}
	verb, rest := words[1], words[2:]
	if _, ok := takes[verb+" "+strings.Join(rest[:min(len(rest), 1)], "")]; ok || takes[verb] == nil && len(rest) > 0 {
		verb, rest = verb+" "+rest[0], rest[1:]
	}
	form, ok := takes[verb]
	if !ok || len(rest) < len(form) {
		a.Errorf("no command of kubectl: %s", next)
		return
	}
	kind, name := named(form, rest)
	if len(form) > 0 && !a.has(kindsOf[kind], name) {
		a.Errorf("%s names %s/%s, which is not there", next, kind, name)
	}
	if ctrl := slices.Index(words, "ctrl"); ctrl == 1 {
		if got := a.run(words[2:]...); got.errs != "" {
			a.Errorf("%s fails: %s", next, got.errs)
		}
	}
}

// named is the object of a command's arguments.
func named(form, rest []string) (kind, name string) {
	switch {
	case len(form) == 0:
		return "", ""
	case form[0] == "REF":
		kind, name, _ = strings.Cut(rest[0], "/")
		return kind, name
	case form[0] == "KIND":
		return rest[0], rest[1]
	}
	return strings.ToLower(form[0]), rest[0]
}

// hasOrdinal reports whether a Pod is one of those that a StatefulSet is to have.
func hasOrdinal(set *appsv1.StatefulSet, p *corev1.Pod) bool {
	for n := range *set.Spec.Replicas {
		if set.Spec.Ordinals != nil {
			n += set.Spec.Ordinals.Start
		}
		if p.Name == fmt.Sprintf("%s-%d", set.Name, n) {
			return true
		}
	}
	return false
}
