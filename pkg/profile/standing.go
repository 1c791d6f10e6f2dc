package profile

import "slices"

// compared are the releases whose real controllers tests ask: test/oracle has a
// folder for each.
var compared = []Version{
	{1, 23, 17}, {1, 24, 17}, {1, 29, 15}, {1, 30, 14}, {1, 31, 14}, {1, 32, 13},
	{1, 33, 13}, {1, 34, 1}, {1, 34, 4}, {1, 35, 0}, {1, 35, 4}, {1, 36, 3}, {1, 37, 1},
}

// Compared returns the releases whose real controllers tests ask.
func Compared() []Version { return slices.Clone(compared) }

// Support is how far a release of Kubernetes is modelled.
type Support string

const (
	// AgainstOracle is for a release whose model tests compare with the real controllers
	// of that release, or of one that no known change separates from it.
	AgainstOracle Support = "Compared"
	// Modelled is for one that no test compares.
	Modelled Support = "Modelled"
	// TooNew is for one in whose place the newest modelled release is modelled.
	TooNew Support = "TooNew"
	// TooOld is for one in whose place the oldest is.
	TooOld Support = "TooOld"
)

// Standing is how far a release of Kubernetes is modelled.
type Standing struct {
	Support Support
	// Model is the release that is modelled.
	Model Version
	// Oracle is the release whose real controllers Model is compared with; zero for
	// none.
	Oracle Version
	// Changes are those since Model, up to the newest that is modelled.
	Changes []Change
}

// StandingOf returns how far a release is modelled.
func (r Releases) StandingOf(release Version) Standing {
	model, caveat := release.within("Kubernetes", Oldest, Newest)
	s := Standing{Support: Modelled, Model: model, Oracle: r.oracleOf(model), Changes: r.ChangesSince(model)}
	switch {
	case caveat != "" && model == Newest:
		s.Support = TooNew
	case caveat != "":
		s.Support = TooOld
	case s.Oracle != Version{}:
		s.Support = AgainstOracle
	}
	return s
}

// oracleOf returns the nearest release that is compared and from which no known
// change separates v, the later of two that are as near; zero for none.
func (r Releases) oracleOf(v Version) (nearest Version) {
	for _, o := range compared {
		same := len(r.changesBetween(v, o))+len(r.changesBetween(o, v)) == 0
		if same && (nearest == Version{} || o.distance(v) <= nearest.distance(v)) {
			nearest = o
		}
	}
	return nearest
}

// distance is how far apart two releases are: minors count before patches.
func (v Version) distance(to Version) int {
	const minor = 1000
	if to.Patch < 0 {
		to.Patch = minor - 1 // the newest of its minor
	}
	return abs((v.Minor-to.Minor)*minor + v.Patch - to.Patch)
}

func abs(n int) int { return max(n, -n) }
