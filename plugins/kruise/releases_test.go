package kruise

import (
	"strings"
	"testing"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
)

func TestReleases(t *testing.T) {
	manager := profile.Manager{
		Image: "registry.example/openkruise/kruise-manager:v1.7.3@sha256:0123",
		Args:  []string{"--v=5", "--feature-gates=AllAlpha=true,CloneSetShortHash=false,Other=true", "--cloneset-scaling-exclude-preparing-delete"},
	}
	for _, tc := range []struct {
		name    string
		options profile.ProgramOptions
		manager profile.Manager
		want    string
		on, off []string
	}{
		{"nothing known", profile.ProgramOptions{}, profile.Manager{}, "1.9 assumed, its Deployment was not read", []string{EnvFromMetadata}, []string{CloneSetShortHash}},
		{"image and arguments", profile.ProgramOptions{}, manager, "1.7.3 kruise-manager image v1.7.3", []string{PreparingUpdateAsUpdate, RecreateOnVCTChange}, []string{CloneSetShortHash, ForceDeleteExpectation}},
		{"the user wins", profile.ProgramOptions{Version: "1.8", Gates: map[string]bool{CloneSetShortHash: true}}, manager, "1.8 --kruise-version", []string{CloneSetShortHash, VerticalScaling}, nil},
		{"a tag that is none", profile.ProgramOptions{}, profile.Manager{Image: "kruise-manager:latest"}, `1.9 assumed, the image tag "latest" of kruise-manager names no version`, nil, []string{VerticalScaling}},
		{"no daemon", profile.ProgramOptions{Gates: map[string]bool{KruiseDaemon: false, PreDownloadImage: true}}, profile.Manager{}, "1.9 assumed, its Deployment was not read", nil, []string{EnvFromMetadata, PreDownloadImage}},
		{"no webhook", profile.ProgramOptions{Gates: map[string]bool{PodWebhook: false, UnavailableBudgetUpdate: true}}, profile.Manager{}, "1.9 assumed, its Deployment was not read", []string{EnvFromMetadata}, []string{UnavailableBudgetUpdate, UnavailableBudgetDelete}},
		{"the code of another", profile.ProgramOptions{}, profile.Manager{Image: "kruise-manager:v1.7.5"}, "1.8.3 kruise-manager image v1.7.5, which is the code of 1.8.3", nil, []string{VerticalScaling}},
		{"its gates", profile.ProgramOptions{Version: "1.7.5", Gates: map[string]bool{VerticalScaling: true}}, profile.Manager{}, "1.8.3 --kruise-version, which is the code of 1.8.3", []string{VerticalScaling}, nil},
		{"too old", profile.ProgramOptions{Version: "1.3"}, profile.Manager{}, "1.5 --kruise-version", nil, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			k := Program.Installed(tc.options, tc.manager)
			if got := k.Version.String() + " " + k.Basis; got != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
			for _, g := range tc.on {
				if !k.On(g) {
					t.Errorf("%s is off", g)
				}
			}
			for _, g := range tc.off {
				if k.On(g) {
					t.Errorf("%s is on", g)
				}
			}
			if (k.Flags[ExcludePreparingDelete] == "true") != (len(tc.manager.Args) > 0) {
				t.Error(k.Flags)
			}
		})
	}
}

// TestStages: two gates are on while they are alpha, until 1.7.
func TestStages(t *testing.T) {
	for _, c := range []struct {
		version, args string
		on            bool
	}{
		{"1.5.4", "", true},
		{"1.7.3", "--feature-gates=AllBeta=false", true},
		{"1.7.3", "--feature-gates=AllAlpha=false", false},
		{"1.8.0", "--feature-gates=AllBeta=false", false},
		{"1.8.0", "--feature-gates=AllAlpha=false", true},
	} {
		// The gates of components stay on: without those, both are off.
		k := Program.Installed(profile.ProgramOptions{Gates: map[string]bool{KruiseDaemon: true, PodWebhook: true}}, profile.Manager{Image: "kruise:v" + c.version, Args: []string{c.args}})
		for _, gate := range []string{EnvFromMetadata, UnavailableBudgetDelete} {
			if k.On(gate) != c.on {
				t.Errorf("%s with %s: %s is on: %v", c.version, c.args, gate, !c.on)
			}
		}
	}
}

func TestErrors(t *testing.T) {
	for _, tc := range []struct {
		options profile.ProgramOptions
		want    string
	}{
		{profile.ProgramOptions{Version: "new"}, `"new" is no Kruise version`},
		{profile.ProgramOptions{Version: "1.7.4", Gates: map[string]bool{VerticalScaling: true}}, "does not exist in Kruise 1.7.4"},
		{profile.ProgramOptions{Version: "1.6", Gates: map[string]bool{VerticalScaling: true}}, "does not exist in Kruise 1.6"},
	} {
		if err := Program.Check(tc.options); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%v: got %v", tc.options, err)
		}
	}
	for _, text := range []string{"CloneSetShortHash", "Typo=true"} {
		if _, err := Program.ParseGates(text); err == nil {
			t.Errorf("%q is accepted", text)
		}
	}
}
