package states

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"maps"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/rand"
)

// hashLabel is the label of a revision with its hash.
const hashLabel = "controller.kubernetes.io/hash"

// newest is the number of the set's own template.
const newest = 9

// template is the version-th template of Pods, with the API server's defaults.
func (s *scene) template(version int) corev1.PodTemplateSpec {
	t := corev1.PodTemplateSpec{}
	t.Labels = map[string]string{"app": "web"}
	get := &corev1.HTTPGetAction{Path: "/", Port: intstr.FromInt32(80), Scheme: corev1.URISchemeHTTP}
	t.Spec = corev1.PodSpec{
		Containers: []corev1.Container{{
			Name: "main", Image: fmt.Sprintf("web:%d", version), ImagePullPolicy: corev1.PullIfNotPresent,
			TerminationMessagePath: corev1.TerminationMessagePathDefault, TerminationMessagePolicy: corev1.TerminationMessageReadFile,
			Ports: []corev1.ContainerPort{{ContainerPort: 80, Protocol: corev1.ProtocolTCP}},
			Env:   []corev1.EnvVar{{Name: "IP", ValueFrom: &corev1.EnvVarSource{FieldRef: &corev1.ObjectFieldSelector{APIVersion: "v1", FieldPath: "status.podIP"}}}},
			ReadinessProbe: &corev1.Probe{
				ProbeHandler:   corev1.ProbeHandler{HTTPGet: get},
				TimeoutSeconds: 1, PeriodSeconds: 10, SuccessThreshold: 1, FailureThreshold: 3,
			},
		}},
		Volumes: []corev1.Volume{
			{Name: "keys", VolumeSource: corev1.VolumeSource{Secret: &corev1.SecretVolumeSource{SecretName: "keys", DefaultMode: new(int32(0o644))}}},
			{Name: "tmp", VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}},
		},
		RestartPolicy: corev1.RestartPolicyAlways, TerminationGracePeriodSeconds: new(int64(30)),
		DNSPolicy: corev1.DNSClusterFirst, SecurityContext: &corev1.PodSecurityContext{}, SchedulerName: corev1.DefaultSchedulerName,
	}
	return t
}

// tuned gives a field of a template another value than the API's default.
func (s *scene) tuned(t *corev1.PodTemplateSpec) {
	main := &t.Spec.Containers[0]
	switch s.IntN(6) {
	case 0:
		t.Spec.TerminationGracePeriodSeconds = new(int64(5))
	case 1:
		main.TerminationMessagePolicy = corev1.TerminationMessageFallbackToLogsOnError
	case 2:
		main.ReadinessProbe.PeriodSeconds = 3
	case 3:
		t.Spec.Volumes[0].Secret.DefaultMode = new(int32(0o600))
	case 4:
		main.ImagePullPolicy = corev1.PullAlways
	case 5:
		main.Image, main.ImagePullPolicy = pick(s.draw, "web", "reg:5000/web:latest", "web@sha256:0"), pick(s.draw, corev1.PullAlways, corev1.PullIfNotPresent)
	}
}

// encoding is how a revision keeps a template.
type encoding struct {
	// created: the template's metadata has "creationTimestamp": null, as versions
	// until 1.33 write it.
	created bool
	// bare is how many fields in a hundred are left out that an older API did not know,
	// and that have defaults.
	bare int
}

// own is how the version itself writes.
func (s *scene) own() encoding { return encoding{created: !s.modelled.AtLeast(34, 0)} }

// data is a patch that restores the template.
func (s *scene) data(t corev1.PodTemplateSpec, e encoding) []byte {
	raw, err := json.Marshal(t)
	if err != nil {
		panic(err) // plain data
	}
	fields := map[string]any{}
	if err := json.Unmarshal(raw, &fields); err != nil {
		panic(err) // just written
	}
	s.strip(fields, e.bare)
	fields["$patch"] = "replace"
	metadata := fields["metadata"].(map[string]any)
	delete(metadata, "creationTimestamp")
	if e.created {
		metadata["creationTimestamp"] = nil
	}
	patch := map[string]any{"spec": map[string]any{"template": fields}}
	if raw, err = json.Marshal(patch); err != nil {
		panic(err) // plain data
	}
	return raw
}

// young are fields with defaults.
var young = map[string]bool{
	"terminationMessagePolicy": true, "terminationMessagePath": true, "schedulerName": true, "protocol": true, "timeoutSeconds": true,
	"failureThreshold": true, "periodSeconds": true, "scheme": true, "path": true, "apiVersion": true, "defaultMode": true, "imagePullPolicy": true,
	"dnsPolicy": true, "restartPolicy": true, "securityContext": true, "terminationGracePeriodSeconds": true, "emptyDir": true,
}

// strip leaves fields with defaults out, in so many of a hundred.
func (s *scene) strip(value any, percent int) {
	switch value := value.(type) {
	case map[string]any:
		for _, field := range slices.Sorted(maps.Keys(value)) {
			if young[field] && s.chance(percent) {
				delete(value, field)
				continue
			}
			s.strip(value[field], percent)
		}
	case []any:
		for _, item := range value {
			s.strip(item, percent)
		}
	}
}

// drawRevisions draws the history, the newest of which is mostly that of the set's
// template.
func (s *scene) drawRevisions() {
	n := mostly(s.draw, s.between(1, 3), 12, 0, 5)
	if s.stratum == history {
		n = pick(s.draw, 1, 2, 3, 4, 5, 13)
	}
	if s.stratum == rollout {
		n = mostly(s.draw, 2, 30, 3, 4)
	}
	for i := range n {
		s.revisions = append(s.revisions, s.revision(i+1, i))
	}
	if n > 0 && s.chance(85) {
		s.equal(n - 1)
	}
	if n > 1 && (s.chance(4) || s.stratum == history && s.chance(30)) {
		s.equal(s.IntN(n - 1)) // rolls back, or is there twice
	}
	s.name()
	if n > 0 {
		s.update = s.revisions[n-1].Name
		s.current = s.update
	}
	if n > 1 && (s.stratum == rollout || s.chance(40)) {
		s.current = s.revisions[n-2].Name
	}
	s.spoil()
}

// name gives most revisions the names that hashing their data comes to
// (pkg/controller/history/controller_history.go HashControllerRevision, v1.37.1).
func (s *scene) name() {
	taken := map[string]bool{}
	for _, cr := range s.revisions {
		hash := fnv.New32()
		hash.Write(cr.Data.Raw)
		hash.Write([]byte(mostly(s.draw, "0", 15, "1")))
		name := Name + "-" + rand.SafeEncodeString(fmt.Sprint(hash.Sum32()))
		if taken[name] || s.chance(30) {
			continue
		}
		taken[name] = true
		cr.Name = name
		cr.UID = types.UID("uid-" + name)
		cr.Labels[hashLabel] = name[len(Name)+1:]
	}
}

// equal makes a revision that of the set's template, mostly as this version writes it.
func (s *scene) equal(i int) {
	e, other := s.own(), s.own()
	other.created = !other.created
	percent := 6
	if s.stratum == history {
		percent = 30
	}
	e = mostly(s.draw, e, percent, other, other, encoding{created: e.created, bare: 20}, encoding{created: other.created, bare: 60})
	s.revisions[i].Data.Raw = s.data(s.set.Spec.Template, e)
}

func (s *scene) revision(number, version int) *appsv1.ControllerRevision {
	cr := &appsv1.ControllerRevision{Revision: int64(number)}
	cr.Name, cr.Namespace = fmt.Sprintf("web-%d%c", 5+version, 'a'+version), Namespace
	cr.UID, cr.ResourceVersion = types.UID("uid-"+cr.Name), "4"
	cr.CreationTimestamp = ago(10_000 - 100*version)
	cr.Labels = map[string]string{"app": "web", hashLabel: cr.Name[4:]}
	cr.OwnerReferences = []metav1.OwnerReference{*metav1.NewControllerRef(s.set, appsv1.SchemeGroupVersion.WithKind("StatefulSet"))}
	cr.Data.Raw = s.data(s.template(version), s.own())
	return cr
}

// spoil makes revisions what they rarely are.
func (s *scene) spoil() {
	for _, cr := range s.revisions {
		percent := 2
		if s.stratum == history {
			percent = 15
		}
		if !s.chance(percent) {
			continue
		}
		switch s.IntN(8) {
		case 0, 1:
			cr.OwnerReferences = nil
		case 2:
			cr.OwnerReferences[0].UID = "uid-other"
		case 3:
			cr.Labels["app"] = "blog"
		case 4:
			cr.Revision = pick(s.draw, int64(1), 2, 7)
		case 5: // hash labels that are numbers count until 1.34.1
			cr.Labels[hashLabel] = pick(s.draw, "123456789", "5", "x7")
		case 6:
			cr.OwnerReferences[0].Name = "web-old"
		case 7:
			cr.CreationTimestamp = ago(pick(s.draw, 10_000, 9_000))
		}
	}
}
