package statefulset

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
)

// TestBehaviours: which release, and which patch of it, changes what the README's table
// says, with the gates as they are by default.
func TestBehaviours(t *testing.T) {
	want := []string{
		"1.29.0 hashLabels index retention start",
		"1.34.0 +available +exact",
		"1.34.2 +byName +semantic -hashLabels",
		"1.35.0 +maxUnavailable",
		"1.35.1 +precise",
		"1.35.4 -maxUnavailable",
		"1.36.0 +missingIsDeleted +readsBack +revisionsByName",
		"1.37.0 +brokenFirst +completesAll +conditions +knowsRecreate +maxUnavailable",
	}
	var got []string
	var before map[string]bool
	for _, version := range []string{"1.29.0", "1.30.0", "1.31.0", "1.32.0", "1.33.0", "1.34.0", "1.34.1", "1.34.2", "1.34.3", "1.35.0", "1.35.1", "1.35.3", "1.35.4", "1.36.0", "1.37.0"} {
		p, err := profile.New(profile.Options{Emulate: version, Releases: releases})
		if err != nil {
			t.Fatal(err)
		}
		now := switches(behaviourOf(p))
		if line := flips(before, now); line != "" {
			got = append(got, version+line)
		}
		before = now
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// switches are what differs between releases that is on or off.
func switches(b behaviour) map[string]bool {
	all := map[string]bool{}
	for v, i := reflect.ValueOf(b), 0; i < v.NumField(); i++ {
		if v.Field(i).Kind() == reflect.Bool {
			all[v.Type().Field(i).Name] = v.Field(i).Bool()
		}
	}
	return all
}

// flips are those that another release has otherwise; of the first one, those that are on.
func flips(before, now map[string]bool) string {
	var on, off []string
	for name, is := range now {
		switch {
		case before == nil && is:
			on = append(on, " "+name)
		case before != nil && is && !before[name]:
			on = append(on, " +"+name)
		case !is && before[name]:
			off = append(off, " -"+name)
		}
	}
	slices.Sort(on)
	slices.Sort(off)
	return strings.Join(append(on, off...), "")
}
