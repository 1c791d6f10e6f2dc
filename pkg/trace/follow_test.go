package trace_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"
	fcache "k8s.io/client-go/tools/cache/testing"
	"k8s.io/utils/clock"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/render"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/trace"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/trace/entry"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view/live"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins"
)

// served is a kind that a test serves to client-go's informers.
type served struct {
	*fcache.FakeControllerSource
	feed trace.Feed
}

func serve(k view.Kind, example runtime.Object) served {
	source := fcache.NewFakeControllerSource()
	return served{source, trace.Feed{Need: view.Need{Kind: k, Detail: view.Full}, ListerWatcher: source, Example: example}}
}

func setOf(name string, replicas int32) *appsv1.ReplicaSet {
	labels := map[string]string{"app": name}
	return &appsv1.ReplicaSet{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name, UID: types.UID(name), Generation: 1},
		Spec: appsv1.ReplicaSetSpec{
			Replicas: new(replicas), Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: labels}, Spec: corev1.PodSpec{
				Containers: []corev1.Container{{Name: "main", Image: "main", Env: []corev1.EnvVar{{Name: "PASSWORD", Value: "hunter2"}}}},
			}},
		},
	}
}

func podOf(set *appsv1.ReplicaSet, n int) *corev1.Pod {
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: "shop", Name: fmt.Sprintf("%s-%d", set.Name, n), UID: types.UID(fmt.Sprintf("%s-%d", set.Name, n)), Labels: set.Spec.Selector.MatchLabels,
			OwnerReferences: []metav1.OwnerReference{*metav1.NewControllerRef(set, appsv1.SchemeGroupVersion.WithKind("ReplicaSet"))},
			ManagedFields:   []metav1.ManagedFieldsEntry{{Manager: "kube-controller-manager", FieldsV1: metav1.NewFieldsV1(`{"f:metadata":{}}`)}},
		},
		Spec:   corev1.PodSpec{NodeName: "n1", Containers: []corev1.Container{{Name: "main", Image: "main", Env: []corev1.EnvVar{{Name: "PASSWORD", Value: "hunter2"}}}}},
		Status: corev1.PodStatus{Phase: corev1.PodRunning},
	}
}

// follow runs a trace on what is served until act returns.
func follow(t *testing.T, record *trace.Recorder, brief bool, out func(*entry.Entry), act func(started <-chan struct{}), all ...served) entry.Summary {
	t.Helper()
	return followWith(t, trace.Options{Controllers: trace.Running(plugins.All(), []view.Kind{view.ReplicaSets}), Brief: brief, Out: out}, record, act, all...)
}

// followWith is follow, of given options.
func followWith(t *testing.T, o trace.Options, record *trace.Recorder, act func(started <-chan struct{}), all ...served) entry.Summary {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	if o.Profile.Kubernetes == (profile.Version{}) {
		o.Profile = emulated(t, "1.37")
	}
	var feeds []trace.Feed
	for _, s := range all {
		feeds = append(feeds, s.feed)
	}
	started := make(chan struct{})
	out := o.Out
	o.Internals = &trace.Internals{Wall: clock.RealClock{}}
	o.Out = func(e *entry.Entry) {
		if e.Type == entry.Started {
			close(started)
		}
		out(e)
	}
	go func() {
		act(started)
		cancel()
	}()
	sum, err := trace.Follow(ctx, clock.RealClock{}, o, feeds, record)
	if err != nil {
		t.Fatal(err)
	}
	return sum
}

func emulated(t *testing.T, version string) profile.Profile {
	t.Helper()
	p, err := profile.New(profile.Options{Emulate: version, Releases: plugins.All().Releases()})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestNoInformerRunsBeforeAllAreMade: they share a map of stores.
func TestNoInformerRunsBeforeAllAreMade(t *testing.T) {
	pods, sets := serve(view.Pods, &corev1.Pod{}), serve(view.ReplicaSets, &appsv1.ReplicaSet{})
	var listed atomic.Bool
	source := cache.ToListerWatcherWithContext(pods.feed.ListerWatcher)
	pods.feed.ListerWatcher = &cache.ListWatch{
		ListWithContextFunc: func(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) {
			listed.Store(true)
			return source.ListWithContext(ctx, o)
		},
		WatchFuncWithContext: func(ctx context.Context, o metav1.ListOptions) (watch.Interface, error) {
			listed.Store(true)
			return source.WatchWithContext(ctx, o)
		},
	}
	early := false
	sets.feed.Pages = func(func(live.Page)) { // the second one is being made
		time.Sleep(50 * time.Millisecond)
		early = listed.Load()
	}
	follow(t, nil, true, func(*entry.Entry) {}, func(started <-chan struct{}) { <-started }, pods, sets)
	if early {
		t.Error("the first informer lists while the second one is made")
	}
	if !listed.Load() {
		t.Error("nothing was listed")
	}
}

// TestReplaySaysTheSame records a trace through client-go's informers, and
// replays it: the same lines, byte for byte.
func TestReplaySaysTheSame(t *testing.T) {
	pods, sets := serve(view.Pods, &corev1.Pod{}), serve(view.ReplicaSets, &appsv1.ReplicaSet{})
	quotas, limits := serve(view.ResourceQuotas, &corev1.ResourceQuota{}), serve(view.LimitRanges, &corev1.LimitRange{})
	web := setOf("web", 1)
	sets.Add(web)
	pods.Add(podOf(web, 0))
	var live, kept bytes.Buffer
	record := trace.NewRecorder(&kept, trace.Header{
		Kinds: []string{"replicasets.apps"}, Follows: trace.Kinds([]view.Need{pods.feed.Need, sets.feed.Need, quotas.feed.Need, limits.feed.Need}),
	}, plugins.All().Keep())
	acted := make(chan struct{}, 100)
	follow(t, record, false, printTo(t, &live, func(e *entry.Entry) {
		if e.Act != nil {
			acted <- struct{}{}
		}
	}), func(started <-chan struct{}) {
		<-started
		more := setOf("web", 4)
		more.Generation = 2
		sets.Modify(more)
		time.Sleep(50 * time.Millisecond)
		for n := 1; n < 4; n++ {
			pods.Add(podOf(web, n))
		}
		for range 3 {
			<-acted
		}
		pods.Delete(podOf(web, 0)) // somebody's
		time.Sleep(50 * time.Millisecond)
		pods.Add(podOf(web, 4))
		<-acted
		sets.Delete(more.DeepCopy()) // the source numbers what it is given
		time.Sleep(50 * time.Millisecond)
	}, pods, sets, quotas, limits)
	if again := replayed(t, kept.String()); live.String() != again {
		t.Errorf("live:\n%s\nagain:\n%s", &live, again)
	}
	for _, want := range []string{"predicted ✓", "did create pod/web-4", "gone", "summary", "queue of replicasets: ", "  in syncs: "} {
		if !strings.Contains(live.String(), want) {
			t.Errorf("the trace does not say %q:\n%s", want, &live)
		}
	}
	for _, secret := range []string{"hunter2", "f:metadata"} {
		if strings.Contains(kept.String(), secret) {
			t.Errorf("the record holds %q", secret)
		}
	}
}

// replayed is what a replay of a record says.
func replayed(t *testing.T, record string) string {
	t.Helper()
	var out bytes.Buffer
	rec, err := trace.OpenRecord(strings.NewReader(record))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := rec.Replay(t.Context(), trace.Options{
		Controllers: trace.Running(plugins.All(), []view.Kind{view.ReplicaSets}), Out: printTo(t, &out, nil), Internals: &trace.Internals{},
	}); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func printTo(t *testing.T, b *bytes.Buffer, also func(*entry.Entry)) func(*entry.Entry) {
	return func(e *entry.Entry) {
		for _, write := range []func() error{
			func() error { return render.TraceLine(b, e, render.Options{}) },
			func() error { return render.TraceJSON(b, e) },
		} {
			if err := write(); err != nil {
				t.Error(err)
			}
		}
		if also != nil {
			also(e)
		}
	}
}

func TestBrokenRecords(t *testing.T) {
	const head = `{"kind":"TraceRecord","apiVersion":"kubectl-ctrl.github.io/v1alpha2","start":"2026-11-01T12:00:00Z","profile":{},"follows":[]}` + "\n"
	for text, want := range map[string]string{
		"":                       "the record is empty",
		"{":                      "line 1: no header",
		`{"kind":"Bundle"}`:      "line 1: want a record made by trace --record",
		`{"kind":"TraceRecord"}`: "this version reads kubectl-ctrl.github.io/v1alpha2",
		strings.Replace(head, `"profile":{}`, `"toolVersion":"v0.3.0","profile":{"Kruise":"1.8"}`, 1): `line 1: json: unknown field "Kruise": replay it with the version that recorded it (v0.3.0)`,
		head + `{"mark":"dance"}`:                                                     `line 2: "dance" is no mark`,
		head + `{"type":"Added","kind":"/v1/Tree","object":{}}`:                       `line 2: "/v1/Tree" is no kind`,
		head + `{"type":"Added","kind":"/v1/Pod","object":{}}`:                        "line 2: a Pod without a name",
		head + `{"type":"Dance","kind":"/v1/Pod","object":{"metadata":{"name":"a"}}}`: `line 2: "Dance" is no type of delta`,
		head + `{"mark":"run"`:                                                        "line 2: unexpected EOF",
	} {
		rec, err := trace.OpenRecord(strings.NewReader(text))
		if err == nil {
			_, err = rec.Replay(t.Context(), trace.Options{Out: func(*entry.Entry) {}})
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %s", text, err, want)
		}
	}
}
