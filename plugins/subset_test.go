package plugins_test

import (
	"path/filepath"
	"testing"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view/bundle"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/subset"
)

func TestExamplesLackNothingUnsaid(t *testing.T) {
	files, err := filepath.Glob("../docs/examples/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	all := plugins.All()
	prof, err := profile.New(profile.Options{Emulate: "1.37", Releases: all.Releases()})
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range append(files, "../test/cli/testdata/cluster.yaml") {
		t.Run(filepath.Base(file), func(t *testing.T) {
			src, err := bundle.Open([]string{file}, nil, bundle.Options{})
			if err != nil {
				t.Fatal(err)
			}
			v, err := src.Load(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			doubted, err := subset.Case{Controllers: all, Profile: prof, Whole: v}.Check()
			if err != nil {
				t.Error(err)
			}
			t.Log(doubted)
		})
	}
}
