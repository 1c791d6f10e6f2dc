package states

import (
	"encoding/json"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"
)

// newest is the number of the set's own template.
const newest = 9

// template is the version-th template of Pods, with the API server's defaults.
func (s *scene) template(version int) corev1.PodTemplateSpec {
	t := corev1.PodTemplateSpec{}
	t.Labels = map[string]string{"app": "web"}
	t.Spec = corev1.PodSpec{
		Containers: []corev1.Container{{
			Name: "main", Image: fmt.Sprintf("web:%d", version), ImagePullPolicy: corev1.PullIfNotPresent,
			TerminationMessagePath: corev1.TerminationMessagePathDefault, TerminationMessagePolicy: corev1.TerminationMessageReadFile,
		}},
		RestartPolicy: corev1.RestartPolicyAlways, TerminationGracePeriodSeconds: ptr.To[int64](30),
		DNSPolicy: corev1.DNSClusterFirst, SecurityContext: &corev1.PodSecurityContext{}, SchedulerName: corev1.DefaultSchedulerName,
	}
	return t
}

// encoding is how a revision keeps a template.
type encoding struct {
	// created: the template's metadata has "creationTimestamp": null, as versions
	// until 1.33 write it.
	created bool
	// bare: fields that an older API did not know are left out.
	bare bool
	// padded: the JSON has spaces.
	padded bool
}

// own is how the version itself writes.
func (s *scene) own() encoding { return encoding{created: !s.modelled.AtLeast(34, 0)} }

// data is a patch that restores the template.
func data(t corev1.PodTemplateSpec, e encoding) []byte {
	if e.bare {
		t.Spec.Containers[0].TerminationMessagePolicy = ""
		t.Spec.SchedulerName = ""
	}
	raw, err := json.Marshal(t)
	if err != nil {
		panic(err) // plain data
	}
	fields := map[string]any{}
	if err := json.Unmarshal(raw, &fields); err != nil {
		panic(err) // just written
	}
	fields["$patch"] = "replace"
	metadata := fields["metadata"].(map[string]any)
	delete(metadata, "creationTimestamp")
	if e.created {
		metadata["creationTimestamp"] = nil
	}
	patch := map[string]any{"spec": map[string]any{"template": fields}}
	if e.padded {
		raw, err = json.MarshalIndent(patch, "", " ")
	} else {
		raw, err = json.Marshal(patch)
	}
	if err != nil {
		panic(err) // plain data
	}
	return raw
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
	if n > 0 {
		s.update = s.revisions[n-1].Name
		s.current = s.update
	}
	if n > 1 && (s.stratum == rollout || s.chance(40)) {
		s.current = s.revisions[n-2].Name
	}
	s.spoil()
}

// equal makes a revision that of the set's template, mostly as this version writes it.
func (s *scene) equal(i int) {
	e, other := s.own(), s.own()
	other.created = !other.created
	percent := 6
	if s.stratum == history {
		percent = 30
	}
	e = mostly(s.draw, e, percent, other, other, encoding{created: e.created, bare: true}, encoding{created: e.created, padded: true})
	s.revisions[i].Data.Raw = data(s.template(newest), e)
}

func (s *scene) revision(number, version int) *appsv1.ControllerRevision {
	cr := &appsv1.ControllerRevision{Revision: int64(number)}
	cr.Name, cr.Namespace = fmt.Sprintf("web-%d%c", 5+version, 'a'+version), Namespace
	cr.UID, cr.ResourceVersion = types.UID("uid-"+cr.Name), "4"
	cr.CreationTimestamp = ago(10_000 - 100*version)
	cr.Labels = map[string]string{"app": "web", appsv1.ControllerRevisionHashLabelKey: cr.Name[4:]}
	cr.OwnerReferences = []metav1.OwnerReference{*metav1.NewControllerRef(s.set, appsv1.SchemeGroupVersion.WithKind("StatefulSet"))}
	cr.Data.Raw = data(s.template(version), s.own())
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
			cr.Labels[appsv1.ControllerRevisionHashLabelKey] = pick(s.draw, "123456789", "5", "x7")
		case 6:
			cr.OwnerReferences[0].Name = "web-old"
		case 7:
			cr.CreationTimestamp = ago(pick(s.draw, 10_000, 9_000))
		}
	}
}
