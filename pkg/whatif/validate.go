package whatif

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// Validation collects what the API server refuses of an object, by the path of its field.
// Of a change, those fields are looked at that it touches: files may hold the rest of an
// object in part.
type Validation struct {
	changes []decision.Change
	found   []string
}

// isNew reports whether the object is not stored yet.
func (v *Validation) isNew() bool { return len(v.changes) == 0 }

func (v *Validation) touched(path string) bool {
	return v.isNew() || slices.ContainsFunc(v.changes, func(c decision.Change) bool {
		changed := withoutNames(c.Path)
		return within(changed, path) || within(path, changed)
	})
}

// withoutNames is a path up to the list of which it names an item.
func withoutNames(path string) string {
	at := 0
	for item := range strings.SplitAfterSeq(path, "[") {
		if name, _, found := strings.Cut(item, "]"); found && strings.Trim(name, "0123456789") != "" {
			return path[:at-1]
		}
		at += len(item)
	}
	return path
}

// within reports whether a path is another one, or below it.
//
//go:noinline // it is called at many places
func within(path, of string) bool {
	rest, below := strings.CutPrefix(path, of)
	return below && (rest == "" || rest[0] == '.' || rest[0] == '[')
}

// Refuse says what is wrong with a field.
//
//go:noinline // it is called at many places
func (v *Validation) Refuse(path, format string, args ...any) {
	v.RefuseWith(path, path, format, args...)
}

// RefuseWith says what is wrong with a field beside another one: either may be changed.
func (v *Validation) RefuseWith(path, other, format string, args ...any) {
	if v.touched(path) || v.touched(other) {
		v.found = append(v.found, path+": "+fmt.Sprintf(format, args...))
	}
}

// Least refuses a number that is less than 0.
//
//go:noinline // it is called at many places
func (v *Validation) Least(path string, n int32) {
	if n < 0 {
		v.Refuse(path, "%d is less than 0", n)
	}
}

// name mirrors NameIsDNSSubdomain, which holds for all workloads that are modelled.
func (v *Validation) name(name string) {
	if problems := apivalidation.NameIsDNSSubdomain(name, false); len(problems) > 0 && v.isNew() {
		v.Refuse("metadata.name", "%s", problems[0])
	}
}

const templatePath = "spec.template.spec"

// template mirrors what ValidatePodTemplateSpecForReplicaSet (pkg/apis/apps/validation/
// validation.go) and validateJobSpec (pkg/apis/batch/validation/validation.go) refuse, and of
// ValidatePodSpec (pkg/apis/core/validation/validation.go, v1.37.1) what users most often
// get wrong. Fields that have a default may be empty.
func (v *Validation) template(w *Workload) {
	const path = templatePath
	t := w.Template
	switch policy := t.Spec.RestartPolicy; {
	case w.Ends && (policy == "" || policy == corev1.RestartPolicyAlways):
		v.Refuse(path+".restartPolicy", "neither Never nor OnFailure")
	case !w.Ends && policy != "" && policy != corev1.RestartPolicyAlways:
		v.Refuse(path+".restartPolicy", "%q is not Always", policy)
	}
	if t.Spec.ActiveDeadlineSeconds != nil && !w.Ends {
		v.Refuse(path+".activeDeadlineSeconds", "not allowed in a template")
	}
	v.pod(path, w)
}

// RefusedTemplate lists what the API server refuses of the Pods of any template, by the path
// of its field. claims are the names of claim templates.
func RefusedTemplate(t *corev1.PodTemplateSpec, claims []string) []string {
	v := &Validation{}
	v.pod(templatePath, &Workload{Template: t, Claims: claims})
	return v.found
}

// pod validates what no kind has rules of its own for.
func (v *Validation) pod(path string, w *Workload) {
	t := w.Template
	if len(t.Spec.Containers) == 0 {
		v.Refuse(path+".containers", "at least one is required")
	}
	switch policy := t.Spec.DNSPolicy; policy {
	case "", corev1.DNSClusterFirst, corev1.DNSClusterFirstWithHostNet, corev1.DNSDefault, corev1.DNSNone:
	default:
		v.Refuse(path+".dnsPolicy", "%q is none of ClusterFirst, ClusterFirstWithHostNet, Default, None", policy)
	}
	v.containers(path, w)
}

// containers validates those of a template.
func (v *Validation) containers(path string, w *Workload) {
	volumes, names := v.volumes(path+".volumes", w), map[string]bool{}
	for _, list := range []struct {
		path string
		all  []corev1.Container
		init bool
	}{{path + ".initContainers", w.Template.Spec.InitContainers, true}, {path + ".containers", w.Template.Spec.Containers, false}} {
		for i := range list.all {
			c := &container{v, &list.all[i], list.path, i, list.init}
			c.validate(volumes)
			if name := list.all[i].Name; names[name] && name != "" {
				v.Refuse(list.path, "[%d]: name %q is given twice", i, name)
			}
			names[list.all[i].Name] = true
		}
	}
}

// volumes are the names of a template's volumes, of which the form is validated as
// ValidateVolumes does, and those that claim templates give.
func (v *Validation) volumes(path string, w *Workload) map[string]bool {
	names := map[string]bool{}
	for i := range w.Template.Spec.Volumes {
		volume := &w.Template.Spec.Volumes[i]
		switch problems := validation.IsDNS1123Label(volume.Name); {
		case volume.Name == "":
			v.Refuse(path, "[%d]: name is required", i)
		case len(problems) > 0:
			v.Refuse(path, "[%d]: name %q: %s", i, volume.Name, problems[0])
		case names[volume.Name]:
			v.Refuse(path, "[%d]: name %q is given twice", i, volume.Name)
		}
		if sources := reflect.ValueOf(volume.VolumeSource); sourcesOf(sources) > 1 {
			v.Refuse(path, "[%d] (%s): more than one type of volume is given", i, volume.Name)
		}
		names[volume.Name] = true
	}
	for _, name := range w.Claims {
		names[name] = true
	}
	return names
}

// sourcesOf counts the types of a volume that are given.
func sourcesOf(source reflect.Value) (n int) {
	for _, field := range source.Fields() {
		if !field.IsNil() { // each is a pointer
			n++
		}
	}
	return n
}
