package main

import (
	"runtime"
	"slices"
	"testing"
)

func TestVersionsThatKrewTakes(t *testing.T) {
	for stamp, want := range map[string]bool{
		"v1.2.3": true, "v0.1.0-rc.1": true, "v0.1.0-3-g8bc6377": true,
		"1.2.3": false, "v1.2": false, "8bc6377": false, "": false,
	} {
		if err := checkVersion(stamp); (err == nil) != want {
			t.Errorf("version %q: %v", stamp, err)
		}
	}
}

func TestParseTargets(t *testing.T) {
	host := runtime.GOOS + "/" + runtime.GOARCH
	for list, want := range map[string][]string{
		"":                           {"linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64", "windows/amd64", "windows/arm64"},
		"darwin/arm64,windows/amd64": {"darwin/arm64", "windows/amd64"},
		"host":                       {host},
	} {
		got, err := parseTargets(list)
		if err != nil {
			t.Errorf("%q: %v", list, err)
		}
		var names []string
		for _, on := range got {
			names = append(names, on.String())
		}
		if !slices.Equal(names, want) {
			t.Errorf("%q: %v, want %v", list, names, want)
		}
	}
	if _, err := parseTargets("plan9/amd64"); err == nil {
		t.Error("plan9/amd64 is taken")
	}
}
