package profile

import (
	"strings"
	"testing"
)

func TestKruise(t *testing.T) {
	manager := Manager{
		Image: "registry.example/openkruise/kruise-manager:v1.7.3@sha256:0123",
		Args:  []string{"--v=5", "--feature-gates=AllAlpha=true,CloneSetShortHash=false,Other=true", "--cloneset-scaling-exclude-preparing-delete"},
	}
	for _, tc := range []struct {
		name    string
		options KruiseOptions
		manager Manager
		want    string
		on, off []string
	}{
		{"nothing known", KruiseOptions{}, Manager{}, "1.9 assumed, its Deployment was not read", []string{EnvFromMetadata}, []string{CloneSetShortHash}},
		{"image and arguments", KruiseOptions{}, manager, "1.7.3 kruise-manager image v1.7.3", []string{PreparingUpdateAsUpdate, RecreateOnVCTChange}, []string{CloneSetShortHash, ForceDeleteExpectation}},
		{"the user wins", KruiseOptions{Version: "1.8", Gates: map[string]bool{CloneSetShortHash: true}}, manager, "1.8 --kruise-version", []string{CloneSetShortHash, VerticalScaling}, nil},
		{"a tag that is none", KruiseOptions{}, Manager{Image: "kruise-manager:latest"}, `1.9 assumed, the image tag "latest" of kruise-manager names no version`, nil, []string{VerticalScaling}},
		{"no daemon", KruiseOptions{Gates: map[string]bool{KruiseDaemon: false, PreDownloadImage: true}}, Manager{}, "1.9 assumed, its Deployment was not read", nil, []string{EnvFromMetadata, PreDownloadImage}},
		{"the code of another", KruiseOptions{}, Manager{Image: "kruise-manager:v1.7.5"}, "1.8.3 kruise-manager image v1.7.5, which is the code of 1.8.3", nil, []string{VerticalScaling}},
		{"its gates", KruiseOptions{Version: "1.7.5", Gates: map[string]bool{VerticalScaling: true}}, Manager{}, "1.8.3 --kruise-version, which is the code of 1.8.3", []string{VerticalScaling}, nil},
		{"too old", KruiseOptions{Version: "1.3"}, Manager{}, "1.5 --kruise-version", nil, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			k := tc.options.Kruise(tc.manager)
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
			if k.ExcludePreparingDelete != (len(tc.manager.Args) > 0) {
				t.Error("ExcludePreparingDelete", k.ExcludePreparingDelete)
			}
		})
	}
}

func TestKruiseErrors(t *testing.T) {
	for _, tc := range []struct {
		options KruiseOptions
		want    string
	}{
		{KruiseOptions{Version: "new"}, `"new" is no Kruise version`},
		{KruiseOptions{Version: "1.7.4", Gates: map[string]bool{VerticalScaling: true}}, "does not exist in Kruise 1.7.4"},
		{KruiseOptions{Version: "1.6", Gates: map[string]bool{VerticalScaling: true}}, "does not exist in Kruise 1.6"},
	} {
		if _, err := New(Options{Kruise: tc.options}); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%v: got %v", tc.options, err)
		}
	}
	for _, text := range []string{"CloneSetShortHash", "Typo=true"} {
		if _, err := ParseKruiseGates(text); err == nil {
			t.Errorf("%q is accepted", text)
		}
	}
}
