package trace_test

import (
	"bytes"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/trace"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/trace/entry"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins"
)

// looking is a trace of the set web with three Pods, beside another set with two, an orphan
// and a Pod that names web without being controlled by it.
func looking(t *testing.T, version string, kinds ...view.Kind) (all []*entry.Entry) {
	t.Helper()
	p, err := profile.New(profile.Options{Emulate: version, Releases: plugins.All().Releases()})
	if err != nil {
		t.Fatal(err)
	}
	start := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	e := trace.New(trace.Options{
		Profile: p, Controllers: trace.Running(plugins.All(), kinds), Start: start, Internals: &trace.Internals{},
		Picks: func(_ view.Kind, obj metav1.Object) bool { return obj.GetName() == "web" },
		Out:   func(e *entry.Entry) { all = append(all, e) },
	})
	defer e.Stop()
	e.Follows(view.Pods)
	web, other := setOf("web", 3), setOf("other", 2)
	feed := func(k view.Kind, obj metav1.Object) {
		e.Feed(start, trace.Delta{Type: cache.Replaced, Kind: k, Object: obj, Initial: true})
	}
	feed(view.ReplicaSets, web)
	feed(view.ReplicaSets, other)
	for n := range 3 {
		feed(view.Pods, podOf(web, n))
	}
	for n := range 2 {
		feed(view.Pods, podOf(other, n))
	}
	orphan := podOf(web, 3)
	orphan.OwnerReferences = nil
	feed(view.Pods, orphan)
	theirs := podOf(other, 4)
	ref := *metav1.NewControllerRef(web, appsv1.SchemeGroupVersion.WithKind("ReplicaSet"))
	ref.Controller = nil
	theirs.OwnerReferences = append(theirs.OwnerReferences, ref)
	feed(view.Pods, theirs)
	if err := e.Run(start); err != nil {
		t.Fatal(err)
	}
	e.End(start.Add(time.Second))
	return all
}

// TestSyncsLookUpByUpstreamsIndex: a sync finds Pods by the index of its release, with
// upstream's name and keys (pkg/controller/controller_utils.go), and what it says of that
// is what it found.
func TestSyncsLookUpByUpstreamsIndex(t *testing.T) {
	uid := string(setOf("web", 3).UID)
	type found map[string]int // index and key
	for version, want := range map[string]found{
		"1.33":   {"owner " + uid: 4, "owner orphans of shop": 1},
		"1.34.0": {"podControllerUID " + uid: 3, "podControllerUID _ORPHAN_POD/shop": 1},
		"1.34.1": {"podControllerUID " + uid: 3, "podControllerUID _ORPHAN_POD/shop": 1},
		"1.34.2": {"podController shop/ReplicaSet/web/" + uid: 3, "podController shop": 1},
		"1.34":   {"podController shop/ReplicaSet/web/" + uid: 3, "podController shop": 1},
		"1.37":   {"podController shop/ReplicaSet/web/" + uid: 3, "podController shop": 1},
	} {
		t.Run(version, func(t *testing.T) {
			got, calls, byKey := found{}, map[string]int{}, 0
			var sum []entry.Store
			for _, e := range looking(t, version, view.ReplicaSets) {
				if e.Internals != nil {
					sum = e.Internals.Stores
				}
				if e.Step == nil || e.Step.Lookups == nil {
					continue
				}
				for _, x := range e.Step.Lookups.All {
					if x.Resource != "pods" {
						if x.Resource == "replicasets" && x.Index == "" {
							byKey += x.Calls
						}
						continue
					}
					if x.Own != slices.Contains([]string{"owner", "label"}, x.Index) {
						t.Errorf("%s: own: %t", x.Index, x.Own)
					}
					if calls[x.Index] += x.Calls; x.Index != "label" {
						got[x.Index+" "+x.Key] = x.Objects
					}
				}
			}
			if !maps.Equal(got, want) {
				t.Errorf("looked up %v, want %v", got, want)
			}
			for _, s := range sum {
				for _, x := range s.Indexes {
					if s.Resource == "pods" && x.Lookups != calls[x.Name] {
						t.Errorf("%d look-ups by %s in the summary, %d in steps", x.Lookups, x.Name, calls[x.Name])
					}
				}
				if s.Resource == "replicasets" && s.ByKey != byKey {
					t.Errorf("%d look-ups by key in the summary, %d in steps", s.ByKey, byKey)
				}
				if s.Resource == "pods" && s.Objects != 7 {
					t.Errorf("%d Pods in the store", s.Objects)
				}
			}
		})
	}
}

// TestKeysOfIndexes: the store has the indexes that the controllers look up by, and the
// summary counts their keys.
func TestKeysOfIndexes(t *testing.T) {
	for name, test := range map[string]struct {
		kinds []view.Kind
		want  map[string]int
	}{
		// web's Pods, other's Pods and the orphan; of owners the same keys.
		"of one manager":  {[]view.Kind{view.ReplicaSets}, map[string]int{"namespace": 1, "label": 2, "podController": 3}},
		"of two managers": {[]view.Kind{view.ReplicaSets, view.CloneSets}, map[string]int{"namespace": 1, "label": 2, "podController": 3, "owner": 3}},
		"of another one":  {[]view.Kind{view.CloneSets}, map[string]int{"namespace": 1, "label": 2, "owner": 3}},
	} {
		t.Run(name, func(t *testing.T) {
			got := map[string]int{}
			for _, e := range looking(t, "1.37", test.kinds...) {
				if e.Internals == nil {
					continue
				}
				for _, s := range e.Internals.Stores {
					for _, x := range s.Indexes {
						if s.Resource == "pods" {
							got[x.Name] = x.Keys
						}
					}
				}
			}
			if !maps.Equal(got, test.want) {
				t.Errorf("%v, want %v", got, test.want)
			}
		})
	}
}

// TestMutationDetector: client-go's runs where the environment says so, and the summary says
// that. client-go reads it when the process starts.
func TestMutationDetector(t *testing.T) {
	const name, want = "KUBE_CACHE_MUTATION_DETECTOR", "WANT_DETECTOR"
	if expected := os.Getenv(want); expected != "" {
		s := machine{version: "1.37", fault: from(well, 0, 0), last: time.Minute}.run(t)
		if got := s.entries[len(s.entries)-1].Internals.Detector.Here; got != expected {
			t.Errorf("mutation detector %q, want %q", got, expected)
		}
		return
	}
	for value, expected := range map[string]string{"true": "on", "false": "off", "": "off"} {
		cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestMutationDetector$", "-test.count=1")
		cmd.Env = append(os.Environ(), name+"="+value, want+"="+expected)
		if out, err := cmd.CombinedOutput(); err != nil || !bytes.Contains(out, []byte("PASS")) {
			t.Errorf("%s=%s: %v\n%s", name, value, err, out)
		}
	}
}

// TestDetectorOfAReplay: a replay says of detectors what its record holds.
func TestDetectorOfAReplay(t *testing.T) {
	s := machine{version: "1.37", fault: from(well, 0, 0), last: time.Minute}.run(t)
	if again := s.replay(t, &trace.Internals{}); !strings.Contains(again, "here off; in kube-controller-manager not visible, its Pod was not read") {
		t.Errorf("the replay says:\n%s", again)
	}
	old := &seen{}
	for line := range strings.Lines(s.record.String()) {
		if !strings.Contains(line, `"mark":"internals"`) {
			old.record.WriteString(line)
		}
	}
	if again := old.replay(t, &trace.Internals{}); !strings.Contains(again, "here not recorded; in kube-controller-manager not recorded") {
		t.Errorf("the replay of a record without internals says:\n%s", again)
	}
}
