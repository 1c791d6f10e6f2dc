package whatif

import (
	"fmt"
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
func within(path, of string) bool {
	rest, below := strings.CutPrefix(path, of)
	return below && (rest == "" || rest[0] == '.' || rest[0] == '[')
}

// Refuse says what is wrong with a field.
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

// template mirrors what ValidatePodTemplateSpecForReplicaSet (pkg/apis/apps/validation/
// validation.go) and validateJobSpec (pkg/apis/batch/validation/validation.go) refuse, and of
// ValidatePodSpec (pkg/apis/core/validation/validation.go, v1.37.1) what users most often
// get wrong: containers without a name or an image, and names that are given twice or
// that no volume has.
func (v *Validation) template(w *Workload) {
	const path = "spec.template.spec"
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
	if len(t.Spec.Containers) == 0 {
		v.Refuse(path+".containers", "at least one is required")
	}
	volumes, names := map[string]bool{}, map[string]bool{}
	for i, volume := range t.Spec.Volumes {
		if volumes[volume.Name] {
			v.Refuse(path+".volumes", "[%d]: name %q is given twice", i, volume.Name)
		}
		volumes[volume.Name] = true
	}
	for _, name := range w.Claims {
		volumes[name] = true
	}
	for _, list := range []struct {
		path string
		all  []corev1.Container
	}{{path + ".initContainers", t.Spec.InitContainers}, {path + ".containers", t.Spec.Containers}} {
		for i := range list.all {
			v.container(list.path, i, &list.all[i], volumes)
			if name := list.all[i].Name; names[name] && name != "" {
				v.Refuse(list.path, "[%d]: name %q is given twice", i, name)
			}
			names[list.all[i].Name] = true
		}
	}
}

func (v *Validation) container(path string, i int, c *corev1.Container, volumes map[string]bool) {
	switch problems := validation.IsDNS1123Label(c.Name); {
	case c.Name == "":
		v.Refuse(path, "[%d]: name is required", i)
	case len(problems) > 0:
		v.Refuse(path, "[%d]: name %q: %s", i, c.Name, problems[0])
	}
	if c.Image == "" { // spaces around one are refused of Pods, and not of templates
		v.Refuse(path, "[%d] (%s): image is required", i, c.Name)
	}
	for _, m := range c.VolumeMounts {
		if !volumes[m.Name] {
			v.Refuse(path, "[%d] (%s): volumeMounts: no volume %q", i, c.Name, m.Name)
		}
	}
	for name, request := range c.Resources.Requests {
		if limit, limited := c.Resources.Limits[name]; limited && request.Cmp(limit) > 0 {
			v.Refuse(path, "[%d] (%s): resources.requests.%s %s is more than its limit %s", i, c.Name, name, request.String(), limit.String())
		}
	}
}
