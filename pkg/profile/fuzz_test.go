package profile

import "testing"

// FuzzProfile reads any version, gates and command line of a manager.
func FuzzProfile(f *testing.F) {
	for _, s := range [][3]string{
		{"v1.36.3", "PodDeletionCost=false", "--feature-gates=Late=true"},
		{"1.30.5-gke.1014001", "LogarithmicScaleDown=true,,", "--exclude"},
		{"1.29+", "X=1", "--feature-gates=AllAlpha=true,AllBeta=false"},
		{"99999999999999999999.1", "=", "-feature-gates"},
	} {
		f.Add(s[0], s[1], s[2])
	}
	f.Fuzz(func(t *testing.T, version, gates, arg string) {
		set, err := Releases{}.ParseGates(gates)
		if err == nil {
			_, _ = New(Options{Emulate: version, Gates: set})
		}
		of, err := toy.ParseGates(gates)
		if err != nil {
			of = nil
		}
		for _, image := range []string{"toys/toy-manager:v" + version, version} {
			i := toy.Installed(ProgramOptions{Gates: of}, Manager{Image: image, Args: []string{arg}})
			if v := i.Version; v.Major != 1 || v.Minor < toy.Oldest() || v.Minor > toy.Newest() {
				t.Errorf("%s is modelled as %s", image, v)
			}
		}
	})
}
