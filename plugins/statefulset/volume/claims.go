package volume

import (
	"maps"
	"strconv"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
)

// ClaimName mirrors getPersistentVolumeClaimName (stateful_set_utils.go, v1.37.1).
//
//go:noinline // it is called at many places
func ClaimName(set *appsv1.StatefulSet, template string, ordinal int) string {
	return template + "-" + set.Name + "-" + strconv.Itoa(ordinal)
}

// Claims mirrors getPersistentVolumeClaims (same file): the claims of an ordinal as
// they are created, in the order of their templates. Of two templates of one name, the
// last one counts.
func Claims(set *appsv1.StatefulSet, ordinal int) []*corev1.PersistentVolumeClaim {
	var all []*corev1.PersistentVolumeClaim
	at := map[string]int{}
	for i := range set.Spec.VolumeClaimTemplates {
		claim := set.Spec.VolumeClaimTemplates[i].DeepCopy()
		template := claim.Name
		claim.Name, claim.Namespace = ClaimName(set, template, ordinal), set.Namespace
		if claim.Labels == nil {
			claim.Labels = map[string]string{}
		}
		if set.Spec.Selector != nil {
			maps.Copy(claim.Labels, set.Spec.Selector.MatchLabels)
		}
		if place, seen := at[template]; seen {
			all[place] = claim
			continue
		}
		at[template] = len(all)
		all = append(all, claim)
	}
	return all
}

// Matches mirrors storageMatches (same file): the Pod has a volume for each template,
// which names the claim of its ordinal.
func Matches(set *appsv1.StatefulSet, pod *corev1.Pod, ordinal int) bool {
	return len(Lacking(set, pod, ordinal)) == 0
}

// Lacking are the claims of the Pod's ordinal that none of its volumes names.
func Lacking(set *appsv1.StatefulSet, pod *corev1.Pod, ordinal int) (claims []string) {
	for i := range set.Spec.VolumeClaimTemplates {
		template := set.Spec.VolumeClaimTemplates[i].Name
		want, claim := ClaimName(set, template, ordinal), last(pod.Spec.Volumes, template)
		if claim == nil || claim.ClaimName != want {
			claims = append(claims, want)
		}
	}
	return claims
}

// last is the claim of the last volume with a name, nil where that has none.
func last(volumes []corev1.Volume, name string) (claim *corev1.PersistentVolumeClaimVolumeSource) {
	for i := range volumes {
		if volumes[i].Name == name {
			claim = volumes[i].PersistentVolumeClaim
		}
	}
	return claim
}

// Volumes mirrors updateStorage (same file): volumes of the claims take the place of
// the Pod's own volumes of their names.
func Volumes(set *appsv1.StatefulSet, own []corev1.Volume, ordinal int) []corev1.Volume {
	templates := set.Spec.VolumeClaimTemplates
	volumes := make([]corev1.Volume, 0, len(templates)+len(own))
	taken := map[string]bool{}
	for i := range templates {
		name := templates[i].Name
		if taken[name] {
			continue
		}
		taken[name] = true
		volumes = append(volumes, corev1.Volume{Name: name, VolumeSource: corev1.VolumeSource{
			PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: ClaimName(set, name, ordinal)},
		}})
	}
	for i := range own {
		if !taken[own[i].Name] {
			volumes = append(volumes, own[i])
		}
	}
	return volumes
}
