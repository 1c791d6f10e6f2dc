package profile

import (
	"fmt"
	"regexp"
	"strconv"
)

// Version is a Kubernetes release. Patch is -1 when only major and minor are
// known; such a version behaves as the newest patch of its minor.
type Version struct {
	Major int `json:"major"`
	Minor int `json:"minor"`
	Patch int `json:"patch"`
}

// V1 is the release 1.minor.patch.
func V1(minor, patch int) Version { return Version{Major: 1, Minor: minor, Patch: patch} }

// Oldest and Newest bound the releases whose behaviour is modelled.
var (
	Oldest = Version{1, 21, -1}
	Newest = Version{1, 37, -1}
)

var versionPattern = regexp.MustCompile(`^v?(\d+)\.(\d+)\+?(?:\.(\d+))?(?:[-+].*)?$`)

// ParseVersion reads "1.31", "v1.36.3", "v1.30.5-gke.1014001", "1.29+".
func ParseVersion(s string) (Version, error) {
	m := versionPattern.FindStringSubmatch(s)
	if m == nil {
		return Version{}, fmt.Errorf("%q is no Kubernetes version: want major.minor or major.minor.patch, such as 1.36", s)
	}
	v := Version{Patch: -1}
	v.Major, _ = strconv.Atoi(m[1])
	v.Minor, _ = strconv.Atoi(m[2])
	if m[3] != "" {
		v.Patch, _ = strconv.Atoi(m[3])
	}
	return v, nil
}

func (v Version) String() string {
	if v.Patch < 0 {
		return fmt.Sprintf("%d.%d", v.Major, v.Minor)
	}
	return fmt.Sprintf("%d.%d.%d", v.Major, v.Minor, v.Patch)
}

// AtLeast reports whether v behaves as major 1, this minor and patch or later.
//
//go:noinline
func (v Version) AtLeast(minor, patch int) bool {
	if v.Minor != minor {
		return v.Minor > minor
	}
	return v.Patch < 0 || v.Patch >= patch
}

// within brings v into the range of a product's releases whose behaviour is
// known, and says so.
func (v Version) within(product string, oldest, newest Version) (Version, string) {
	switch {
	case v.Major != 1 || v.Minor > newest.Minor:
		return newest, fmt.Sprintf("%s %s is newer than this tool knows; %s is modelled", product, v, newest)
	case v.Minor < oldest.Minor:
		return oldest, fmt.Sprintf("%s %s is older than this tool knows; %s is modelled", product, v, oldest)
	}
	return v, ""
}
