package eviction

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"
)

var now = time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)

// placed is a Pod that was bound to its node at 11:00 and tolerates taints.
func placed(t *testing.T, tolerations string) *corev1.Pod {
	t.Helper()
	var p corev1.Pod
	text := "spec: {nodeName: n1, tolerations: [" + tolerations + "]}\nstatus: {conditions: [{type: PodScheduled, status: 'True', lastTransitionTime: '2026-07-01T11:00:00Z'}]}"
	if err := yaml.UnmarshalStrict([]byte(text), &p); err != nil {
		t.Fatal(err)
	}
	return &p
}

func tainted(t *testing.T, taints string) *corev1.Node {
	t.Helper()
	var n corev1.Node
	if err := yaml.UnmarshalStrict([]byte("spec: {taints: ["+taints+"]}"), &n); err != nil {
		t.Fatal(err)
	}
	return &n
}

func TestEviction(t *testing.T) {
	const (
		unreachable = "{key: node.kubernetes.io/unreachable, effect: NoExecute, timeAdded: '2026-07-01T11:58:20Z'}"
		notReady    = "{key: node.kubernetes.io/not-ready, effect: NoExecute, timeAdded: '2026-07-01T11:59:00Z'}"
		timeless    = "{key: team, value: edge, effect: NoExecute}"
		soon        = "{key: team, value: edge, effect: NoExecute, timeAdded: '2026-07-01T11:59:00Z'}"
		early       = "{key: team, value: edge, effect: NoExecute, timeAdded: '2026-07-01T10:59:00Z'}"
		defaults    = "{key: node.kubernetes.io/not-ready, operator: Exists, effect: NoExecute, tolerationSeconds: 300}, {key: node.kubernetes.io/unreachable, operator: Exists, effect: NoExecute, tolerationSeconds: 300}"
	)
	tests := []struct {
		name, taints, tolerations string
		// want is the sentence behind "the node's taint ".
		want string
		// at is when the Pod is deleted, "" where that is not known.
		at string
		// seconds are tolerationSeconds, -1 for without limit.
		seconds int64
	}{
		{name: "no taint", tolerations: defaults},
		{name: "another effect", taints: "{key: a, effect: NoSchedule}, {key: b, effect: PreferNoSchedule}"},
		{name: "default tolerations", taints: unreachable, tolerations: defaults,
			want: "node.kubernetes.io/unreachable deletes it in 3m20s (tolerated for 5m)", at: "12:03:20", seconds: 300},
		{name: "not tolerated, and added a while ago", taints: unreachable,
			want: "node.kubernetes.io/unreachable was to delete it 100s ago (not tolerated)", at: "11:58:20"},
		{name: "not tolerated, with no time", taints: timeless, tolerations: defaults, want: "team=edge deletes it at once (not tolerated)"},
		{name: "tolerated by another value", taints: timeless, tolerations: "{key: team, value: core}", want: "team=edge deletes it at once (not tolerated)"},
		{name: "tolerated by another effect", taints: timeless, tolerations: "{key: team, operator: Exists, effect: NoSchedule}", want: "team=edge deletes it at once (not tolerated)"},
		{name: "compared by number", taints: "{key: load, value: '3', effect: NoExecute}", tolerations: "{key: load, operator: Lt, value: '9'}", want: "load=3 deletes it at once (not tolerated)"},
		{name: "without limit", taints: soon, tolerations: "{key: team, value: edge}", want: "team=edge does not delete it (tolerated without limit)", seconds: -1},
		{name: "everything without limit", taints: unreachable + ", " + timeless, tolerations: "{operator: Exists}",
			want: "node.kubernetes.io/unreachable does not delete it (tolerated without limit)", seconds: -1},
		{name: "everything for a while", taints: unreachable, tolerations: "{operator: Exists, tolerationSeconds: 110}",
			want: "node.kubernetes.io/unreachable deletes it in 10s (tolerated for 110s)", at: "12:00:10", seconds: 110},
		{name: "the first of two tolerations", taints: unreachable, tolerations: "{operator: Exists}, " + defaults,
			want: "node.kubernetes.io/unreachable does not delete it (tolerated without limit)", seconds: -1},
		{name: "the time is over", taints: unreachable, tolerations: "{operator: Exists, tolerationSeconds: 60}",
			want: "node.kubernetes.io/unreachable was to delete it 40s ago (tolerated for 60s)", at: "11:59:20", seconds: 60},
		{name: "the time is over now", taints: unreachable, tolerations: "{operator: Exists, tolerationSeconds: 100}",
			want: "node.kubernetes.io/unreachable deletes it in 0s (tolerated for 100s)", at: "12:00:00", seconds: 100},
		{name: "no second", taints: soon, tolerations: "{operator: Exists, tolerationSeconds: 0}",
			want: "team=edge was to delete it 60s ago (tolerated for 0s)", at: "11:59:00"},
		{name: "fewer than none", taints: timeless, tolerations: "{operator: Exists, tolerationSeconds: -5}", want: "team=edge deletes it at once (tolerated for 0s)"},
		{name: "added at an unknown time", taints: timeless, tolerations: "{operator: Exists, tolerationSeconds: 3600}",
			want: "team=edge deletes it (tolerated for 60m, since an unknown time)", seconds: 3600},
		{name: "added before the Pod came", taints: early, tolerations: "{operator: Exists, tolerationSeconds: 7200}",
			want: "team=edge deletes it in 60m (tolerated for 120m)", at: "13:00:00", seconds: 7200},
		{name: "two taints, added at once", taints: notReady + ", " + soon, tolerations: defaults + ", {key: team, operator: Exists, tolerationSeconds: 90}",
			want: "team=edge deletes it in 30s (tolerated for 90s)", at: "12:00:30", seconds: 90},
		{name: "two taints, the first one runs", taints: notReady + ", " + unreachable, tolerations: "{key: node.kubernetes.io/not-ready, operator: Exists, tolerationSeconds: 61}, " + defaults,
			want: "node.kubernetes.io/unreachable deletes it in 3m20s (tolerated for 5m)", at: "12:03:20", seconds: 300},
		{name: "two taints, of one no time is known", taints: unreachable + ", " + timeless, tolerations: "{key: team, operator: Exists, tolerationSeconds: 301}, " + defaults,
			want: "node.kubernetes.io/unreachable deletes it (tolerated for 5m, since an unknown time)", seconds: 300},
		{name: "two taints, one without limit", taints: unreachable + ", " + soon, tolerations: "{key: team, operator: Exists}, " + defaults,
			want: "node.kubernetes.io/unreachable deletes it in 3m20s (tolerated for 5m)", at: "12:03:20", seconds: 300},
		{name: "two taints, one not tolerated", taints: unreachable + ", " + soon, tolerations: defaults,
			want: "team=edge was to delete it 60s ago (not tolerated)", at: "11:59:00"},
		{name: "two taints, the time of one is over before the other", taints: unreachable + ", " + soon, tolerations: "{key: node.kubernetes.io/unreachable, operator: Exists, tolerationSeconds: 30}",
			want: "node.kubernetes.io/unreachable was to delete it 70s ago (tolerated for 30s)", at: "11:58:50", seconds: 30},
		{name: "two taints, none tolerated", taints: soon + ", " + unreachable, want: "node.kubernetes.io/unreachable was to delete it 100s ago (not tolerated)", at: "11:58:20"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := Of(tainted(t, tt.taints), placed(t, tt.tolerations), now)
			if tt.want == "" {
				if e != nil {
					t.Errorf("%+v, want none", e)
				}
				return
			}
			if e == nil {
				t.Fatal("none")
			}
			at, seconds := "", int64(-1)
			if !e.At.IsZero() {
				at = e.At.Format("15:04:05")
			}
			if e.TolerationSeconds != nil {
				seconds = *e.TolerationSeconds
			}
			if want := "the node's taint " + tt.want; e.Message != want || at != tt.at || seconds != tt.seconds {
				t.Errorf("%s, at %q, %d seconds\nwant %s, at %q, %d seconds", e.Message, at, seconds, want, tt.at, tt.seconds)
			}
		})
	}
	if e := Of(nil, placed(t, ""), now); e != nil {
		t.Errorf("of a node that was not read: %+v", e)
	}
}
