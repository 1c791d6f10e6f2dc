package bounds

import "testing"

// TestReferences: owners and dependents in great numbers, and in odd shapes.
func TestReferences(t *testing.T) {
	orphans := []string{"orphans", "-A", "--from", "INPUT"}
	owners := func(target string, more ...string) []string {
		return append([]string{"owners", target, "--from", "INPUT"}, more...)
	}
	rows := []row{
		{name: "cycle/orphans", args: orphans, input: cycle, n: 1000, allocated: 60, want: "web-0"},
		{name: "cycle/owners", args: owners("rs/web-0", "--dependents"), input: cycle, n: 1000, allocated: 60, want: "web-0"},
		{name: "many owners/orphans", args: orphans, input: manyOwners, n: 2500, allocated: 60, want: "a"},
		{name: "many owners/owners", args: owners("pod/a"), input: manyOwners, n: 2500, allocated: 80, want: "pod/a"},
		{name: "absent owners", args: owners("pod/a"), input: absentOwners, n: 2500, allocated: 60, want: "pod/a"},
		{name: "one absent owner", args: orphans, input: oneAbsentOwner, n: 2500, allocated: 80, want: "gone"},
		{name: "revisions", args: orphans, input: revisions, n: 2500, allocated: 80, want: "LEFT BEHIND"},
		{name: "claims of volumes", args: orphans, input: volumes, n: 2500, allocated: 80, want: "v-0"},
	}
	rows = append(rows,
		row{name: "chain", args: owners("pod/a"), input: chain, n: 5000, allocated: 150, want: "4975 more between"},
		row{name: "chain, all", args: owners("pod/a", "--no-truncate"), input: chain, n: 2500, allocated: 100, want: "level 2500: "},
		row{name: "chain, down", args: owners("rs/web-0", "--dependents"), input: chain, n: 2500, allocated: 80, want: "2480 more below"},
		row{name: "fan", args: owners("rs/web", "--dependents"), input: oneSet, n: 5000, allocated: 120, want: "4980 more that stay"},
		row{name: "diamonds", args: owners("pod/a"), input: diamonds, n: 1000, allocated: 80, want: "more between"},
	)
	for format, allocated := range map[string]float64{"json": 60, "yaml": 150, "html": 40, "dot": 60} {
		rows = append(rows,
			row{name: "chain/" + format, args: owners("pod/a", "-o", format), input: chain, n: 1000, allocated: allocated, want: "web-0"},
			row{name: "diamonds/" + format, args: owners("pod/a", "-o", format), input: diamonds, n: 400, allocated: 2 * allocated, want: "l-0"},
		)
	}
	for _, policy := range []string{"background", "foreground", "orphan"} {
		rows = append(rows,
			row{name: "chain/" + policy, args: owners("rs/web-0", "--cascade", policy), input: chain, n: 1000, allocated: 60, want: "web-0"},
			row{name: "fan/" + policy, args: owners("rs/web", "--cascade", policy), input: oneSet, n: 2000, allocated: 60, want: "web"},
			row{name: "diamonds/" + policy, args: owners("rs/l-0-0", "--cascade", policy), input: diamonds, n: 500, allocated: 60, want: "l-0"},
			row{name: "cycle/" + policy, args: owners("rs/web-0", "--cascade", policy), input: cycle, n: 500, allocated: 60, want: "web-0"},
			row{name: "many owners/" + policy, args: owners("rs/top", "--cascade", policy), input: underOne, n: 1000, allocated: 60, want: "top"},
		)
	}
	bound(t, rows)
}
