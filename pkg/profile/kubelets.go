package profile

import (
	"fmt"
	"sort"
)

// skewed are the oldest release that a server may have with these kubelets, and the newest
// that is modelled: no kubelet is newer than its server, or more than three minors older
// (two before 1.28), as Kubernetes' version skew policy says. told is false without any that
// can be read.
func skewed(kubelets []string) (oldest, newest Version, basis string, told bool) {
	var all []Version
	for _, text := range kubelets {
		if v, err := ParseVersion(text); err == nil && v.Major == 1 {
			v.Patch = -1
			all = append(all, v)
		}
	}
	if len(all) == 0 {
		return Version{}, Version{}, "", false
	}
	sort.Slice(all, func(i, j int) bool { return all[i].Minor < all[j].Minor })
	first, last := all[0], all[len(all)-1]
	newest = first
	if newest.Minor += 3; newest.Minor < 28 {
		newest.Minor--
	}
	newest.Minor = max(newest.Minor, last.Minor) // a kubelet that is too old runs all the same
	of := "v" + first.String()
	if first != last {
		of += " to v" + last.String()
	}
	basis = fmt.Sprintf("assumed from the Nodes' kubelet %s, which allows %s to %s", of, last, newest)
	if newest.Minor > Newest.Minor && last.Minor <= Newest.Minor {
		newest = Newest
	}
	return last, newest, basis, true
}
