package states

import "github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"

// Gates lists ways to set feature gates other than by default, where the
// version lets them be set.
func Gates(v profile.Version) []map[string]bool {
	all := []map[string]bool{{profile.PodDeletionCost: false}}
	if !v.AtLeast(31, 0) {
		all = append(all,
			map[string]bool{profile.LogarithmicScaleDown: false},
			map[string]bool{profile.LogarithmicScaleDown: false, profile.PodDeletionCost: false})
	}
	if v.AtLeast(33, 0) {
		all = append(all, map[string]bool{profile.TerminatingReplicas: !v.AtLeast(35, 0)})
	}
	return all
}

func parse(version string) profile.Version {
	v, err := profile.ParseVersion(version)
	if err != nil {
		panic(err) // the versions are directory names
	}
	return v
}
