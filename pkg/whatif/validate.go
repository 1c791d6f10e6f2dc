package whatif

import (
	"fmt"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/utils/ptr"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// defaultDeadline is the progressDeadlineSeconds of a Deployment that names none
// (pkg/apis/apps/v1/defaults.go, v1.37.1).
const defaultDeadline = 600

// fields collects what the API server refuses of an object, by the path of its field.
// Of a change, those fields are looked at that it touches: files may hold the rest of an
// object in part.
type fields struct {
	changes []decision.Change
	found   []string
}

func (f *fields) touched(path string) bool {
	return len(f.changes) == 0 || slices.ContainsFunc(f.changes, func(c decision.Change) bool { return within(c.Path, path) || within(path, c.Path) })
}

// within reports whether a path is another one, or below it.
func within(path, of string) bool {
	rest, below := strings.CutPrefix(path, of)
	return below && (rest == "" || rest[0] == '.' || rest[0] == '[')
}

func (f *fields) refuse(path, format string, args ...any) {
	if f.touched(path) {
		f.found = append(f.found, path+": "+fmt.Sprintf(format, args...))
	}
}

// least refuses a number that is less than 0.
func (f *fields) least(path string, n int32) {
	if n < 0 {
		f.refuse(path, "%d is less than 0", n)
	}
}

// name mirrors NameIsDNSSubdomain, which holds for all workloads that are modelled.
func (f *fields) name(name string) {
	if problems := apivalidation.NameIsDNSSubdomain(name, false); len(problems) > 0 && len(f.changes) == 0 {
		f.refuse("metadata.name", "%s", problems[0])
	}
}

// deployment mirrors ValidateDeploymentSpec and ValidateDeploymentStrategy
// (pkg/apis/apps/validation/validation.go, v1.37.1).
func (f *fields) deployment(spec *appsv1.DeploymentSpec) {
	f.least("spec.minReadySeconds", spec.MinReadySeconds)
	f.least("spec.revisionHistoryLimit", ptr.Deref(spec.RevisionHistoryLimit, 0))
	deadline := ptr.Deref(spec.ProgressDeadlineSeconds, defaultDeadline)
	f.least("spec.progressDeadlineSeconds", deadline)
	if deadline <= spec.MinReadySeconds && (f.touched("spec.progressDeadlineSeconds") || f.touched("spec.minReadySeconds")) {
		f.found = append(f.found, fmt.Sprintf("spec.progressDeadlineSeconds: %d is not more than minReadySeconds (%d)", deadline, spec.MinReadySeconds))
	}
	rolling := spec.Strategy.RollingUpdate
	switch kind := spec.Strategy.Type; kind {
	case appsv1.RecreateDeploymentStrategyType:
		if rolling != nil && len(f.changes) == 0 { // kubectl apply takes that of a stored one away
			f.refuse("spec.strategy.rollingUpdate", "not allowed with the type Recreate")
		}
	case "", appsv1.RollingUpdateDeploymentStrategyType:
		if rolling != nil {
			f.rolling(rolling)
		}
	default:
		f.refuse("spec.strategy.type", "%q is neither Recreate nor RollingUpdate", kind)
	}
}

// statefulSet mirrors ValidateStatefulSetSpec (same file), as far as no feature gate changes
// it.
func (f *fields) statefulSet(spec *appsv1.StatefulSetSpec) {
	f.least("spec.minReadySeconds", spec.MinReadySeconds)
	if spec.Ordinals != nil {
		f.least("spec.ordinals.start", spec.Ordinals.Start)
	}
	if policy := spec.PodManagementPolicy; policy != "" && policy != appsv1.OrderedReadyPodManagement && policy != appsv1.ParallelPodManagement {
		f.refuse("spec.podManagementPolicy", "%q is neither OrderedReady nor Parallel", policy)
	}
	rolling := spec.UpdateStrategy.RollingUpdate
	switch kind := spec.UpdateStrategy.Type; kind {
	case appsv1.OnDeleteStatefulSetStrategyType:
		if rolling != nil && len(f.changes) == 0 {
			f.refuse("spec.updateStrategy.rollingUpdate", "not allowed with the type OnDelete")
		}
	case "", appsv1.RollingUpdateStatefulSetStrategyType:
		if rolling != nil {
			f.least("spec.updateStrategy.rollingUpdate.partition", ptr.Deref(rolling.Partition, 0))
		}
	}
}

// rolling mirrors ValidateRollingUpdateDeployment.
func (f *fields) rolling(r *appsv1.RollingUpdateDeployment) {
	const unavailable, surge = "spec.strategy.rollingUpdate.maxUnavailable", "spec.strategy.rollingUpdate.maxSurge"
	u, s := f.share(unavailable, r.MaxUnavailable), f.share(surge, r.MaxSurge)
	if u == 0 && s == 0 && (f.touched(unavailable) || f.touched(surge)) {
		f.found = append(f.found, unavailable+": 0 is not allowed while maxSurge is 0")
	}
	if r.MaxUnavailable != nil && r.MaxUnavailable.Type == intstr.String && u > 100 {
		f.refuse(unavailable, "%s is more than 100%%", r.MaxUnavailable.StrVal)
	}
}

// share is the number of a field that holds a number or a percentage, which it defaults to.
func (f *fields) share(path string, v *intstr.IntOrString) int {
	if v == nil {
		return 25
	}
	if v.Type == intstr.Int {
		f.least(path, v.IntVal)
		return int(v.IntVal)
	}
	if problems := validation.IsValidPercent(v.StrVal); len(problems) > 0 {
		f.refuse(path, "%q is neither a number nor a percentage", v.StrVal)
		return 1
	}
	n := 0
	_, _ = fmt.Sscanf(v.StrVal, "%d%%", &n)
	return n
}

// template mirrors what ValidatePodTemplateSpecForReplicaSet refuses (same file), and of
// ValidatePodSpec (pkg/apis/core/validation/validation.go, v1.37.1) what users most often
// get wrong: containers without a name or an image, and names that are given twice or
// that no volume has.
func (f *fields) template(t *corev1.PodTemplateSpec, claims []string) {
	const path = "spec.template.spec"
	if policy := t.Spec.RestartPolicy; policy != "" && policy != corev1.RestartPolicyAlways {
		f.refuse(path+".restartPolicy", "%q is not Always", policy)
	}
	if t.Spec.ActiveDeadlineSeconds != nil {
		f.refuse(path+".activeDeadlineSeconds", "not allowed in a template")
	}
	if len(t.Spec.Containers) == 0 {
		f.refuse(path+".containers", "at least one is required")
	}
	volumes, names := map[string]bool{}, map[string]bool{}
	for i, v := range t.Spec.Volumes {
		if volumes[v.Name] {
			f.refuse(path+".volumes", "[%d]: name %q is given twice", i, v.Name)
		}
		volumes[v.Name] = true
	}
	for _, name := range claims {
		volumes[name] = true
	}
	for _, list := range []struct {
		path string
		all  []corev1.Container
	}{{path + ".initContainers", t.Spec.InitContainers}, {path + ".containers", t.Spec.Containers}} {
		for i := range list.all {
			f.container(list.path, i, &list.all[i], volumes)
			if name := list.all[i].Name; names[name] && name != "" {
				f.refuse(list.path, "[%d]: name %q is given twice", i, name)
			}
			names[list.all[i].Name] = true
		}
	}
}

func (f *fields) container(path string, i int, c *corev1.Container, volumes map[string]bool) {
	switch problems := validation.IsDNS1123Label(c.Name); {
	case c.Name == "":
		f.refuse(path, "[%d]: name is required", i)
	case len(problems) > 0:
		f.refuse(path, "[%d]: name %q: %s", i, c.Name, problems[0])
	}
	switch {
	case c.Image == "":
		f.refuse(path, "[%d] (%s): image is required", i, c.Name)
	case strings.TrimSpace(c.Image) != c.Image:
		f.refuse(path, "[%d] (%s): image %q has leading or trailing spaces", i, c.Name, c.Image)
	}
	for _, m := range c.VolumeMounts {
		if !volumes[m.Name] {
			f.refuse(path, "[%d] (%s): volumeMounts: no volume %q", i, c.Name, m.Name)
		}
	}
	for name, request := range c.Resources.Requests {
		if limit, limited := c.Resources.Limits[name]; limited && request.Cmp(limit) > 0 {
			f.refuse(path, "[%d] (%s): resources.requests.%s %s is more than its limit %s", i, c.Name, name, request.String(), limit.String())
		}
	}
}
