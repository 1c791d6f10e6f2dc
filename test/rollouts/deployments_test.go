package rollouts

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/controlplane"
)

// rollouts is how many Deployments change at once. What a rollout costs is decided
// by limits and rounding, which few sizes and strategies cover.
const rollouts = 48

// change is one Deployment and what is changed of it.
type change struct {
	name     string
	replicas int
	strategy string
	minReady int
	flags    []string
	patch    string
	desired  int
	line     *decision.Timeline
	first    string
	// available is the fewest Pods that are ready, most the largest number of Pods
	// after an instant. In it, the ReplicaSets act side by side: there are no more
	// than bound, if all Pods are created before others are deleted.
	available, most, bound int
}

// TestDeployments holds simulations of Deployments to whole rollouts of the real
// controllers: the sizes of both ReplicaSets before the first new Pod is ready, the
// lowest availability, the most Pods at a time, how many are created and deleted,
// and the end.
func TestDeployments(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 8*time.Minute)
	defer cancel()
	started, err := controlplane.Start(ctx, controlplane.Options{Nodes: 3, NoLeaderElection: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := started.Stop(); err != nil {
			t.Error(err)
		}
	})
	c := cluster{started}
	all := changes()
	var manifests strings.Builder
	for _, ch := range all {
		manifests.WriteString(ch.manifest())
	}
	c.kubectl(t, bytes.NewBufferString(manifests.String()), "create", "-f", "-")
	c.each(ctx, t, all, func(ch *change, s sizes) bool { return s.old == 0 && s.ready == ch.replicas })
	for i := range all {
		ch := &all[i]
		ch.line = c.plan(t, append([]string{"deploy/" + ch.name}, ch.flags...))
		ch.foresee()
	}
	seen := c.watch(ctx, t)
	if err := c.Pause(controlplane.Kwok); err != nil {
		t.Fatal(err)
	}
	for _, ch := range all {
		c.kubectl(t, nil, "patch", "deployment", ch.name, "--type", "merge", "-p", ch.patch)
	}
	c.each(ctx, t, all, func(ch *change, s sizes) bool { return s.String() == ch.first })
	if err := c.Resume(ctx, controlplane.Kwok); err != nil {
		t.Fatal(err)
	}
	c.each(ctx, t, all, func(ch *change, s sizes) bool {
		end := ch.line.End.Counts
		return s.fresh == end.Revisions[0].Pods && s.old == end.Pods-s.fresh && s.ready == end.Ready
	})
	for _, ch := range all {
		seen.compare(t, ch)
	}
}

// changes are rollouts of many sizes and strategies, always the same ones.
func changes() []change {
	chance := rand.New(rand.NewPCG(1, 2))
	pick := func(of ...string) string { return of[chance.IntN(len(of))] }
	var all []change
	for i := range rollouts {
		ch := change{name: fmt.Sprintf("d%02d", i), replicas: 1 + chance.IntN(8), minReady: chance.IntN(2)}
		surge, unavailable := pick("0", "1", "2", `"25%"`, `"50%"`, `"100%"`), pick("0", "1", "2", `"25%"`, `"50%"`, `"100%"`)
		if surge == "0" && unavailable == "0" {
			surge = "1"
		}
		ch.strategy = fmt.Sprintf(`{"type":"RollingUpdate","rollingUpdate":{"maxSurge":%s,"maxUnavailable":%s}}`, surge, unavailable)
		if i%8 == 7 {
			ch.strategy = `{"type":"Recreate"}`
		}
		ch.desired = ch.replicas
		size := ""
		if i%3 == 2 { // scaled in the same change
			ch.desired = 1 + chance.IntN(8)
			size = fmt.Sprintf(`"replicas":%d,`, ch.desired)
			ch.flags = append(ch.flags, "--replicas", fmt.Sprint(ch.desired))
		}
		ch.flags = append(ch.flags, "--image", "main=main:2")
		ch.patch = fmt.Sprintf(`{"spec":{%s"template":{"spec":{"containers":[{"name":"main","image":"main:2"}]}}}}`, size)
		all = append(all, ch)
	}
	return all
}

func (ch *change) manifest() string {
	return fmt.Sprintf(`{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":%[1]q,"namespace":%[2]q},"spec":{"replicas":%[3]d,"minReadySeconds":%[4]d,
		"selector":{"matchLabels":{"app":%[1]q}},"strategy":%[5]s,
		"template":{"metadata":{"labels":{"app":%[1]q}},"spec":{"terminationGracePeriodSeconds":1,"containers":[{"name":"main","image":"main:1"}]}}}}
`, ch.name, namespace, ch.replicas, ch.minReady, ch.strategy)
}

// foresee reads the timeline for what is compared.
func (ch *change) foresee() {
	first := ch.line.Rounds[0].Counts
	s := sizes{}
	for _, r := range first.Revisions {
		if r.Role == decision.New {
			s.fresh += r.Pods
		} else {
			s.old += r.Pods
		}
	}
	ch.first = s.String()
	ch.available, ch.most, ch.bound = ch.line.Counts.Ready, ch.line.Counts.Pods, 0
	before := ch.line.Counts.Pods
	for _, r := range ch.line.Rounds {
		created := 0
		for _, a := range r.Actions {
			if a.Verb == decision.Create && a.Object.Kind == "Pod" {
				created++
			}
		}
		ch.available, ch.most, ch.bound = min(ch.available, r.Counts.Ready), max(ch.most, r.Counts.Pods), max(ch.bound, before+created)
		before = r.Counts.Pods
	}
}

// sizes are the Pods of one Deployment that are not on their way out.
type sizes struct{ fresh, old, ready int }

// String is how many run which template.
func (s sizes) String() string { return fmt.Sprintf("%d new, %d old", s.fresh, s.old) }

func (s *sizes) count(p *corev1.Pod, image string) {
	if p.DeletionTimestamp != nil {
		return
	}
	if p.Spec.Containers[0].Image == image {
		s.fresh++
	} else {
		s.old++
	}
	for _, c := range p.Status.Conditions {
		if c.Type == corev1.PodReady && c.Status == corev1.ConditionTrue {
			s.ready++
		}
	}
}

// each waits until all Deployments are so.
func (c cluster) each(ctx context.Context, t *testing.T, all []change, is func(*change, sizes) bool) {
	t.Helper()
	client, err := c.Client()
	if err != nil {
		t.Fatal(err)
	}
	image := "main:2"
	if all[0].line == nil {
		image = "main:1"
	}
	err = c.WaitFor(ctx, "all Deployments", func(ctx context.Context) (bool, error) {
		pods, err := client.CoreV1().Pods(namespace).List(ctx, metav1.ListOptions{})
		if err != nil {
			return false, err
		}
		now := map[string]*sizes{}
		for i := range pods.Items {
			app := pods.Items[i].Labels["app"]
			if now[app] == nil {
				now[app] = &sizes{}
			}
			now[app].count(&pods.Items[i], image)
		}
		for i := range all {
			s := sizes{}
			if n := now[all[i].name]; n != nil {
				s = *n
			}
			if !is(&all[i], s) {
				return false, fmt.Errorf("%s with %s, %s and %v has %v, %d ready; predicted first is %s", all[i].name, all[i].strategy, all[i].patch, all[i].flags, s, s.ready, all[i].first)
			}
		}
		return true, nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// seen is what a watch of all Pods shows of each Deployment.
type seen struct {
	sync.Mutex
	pods map[string]map[string]*corev1.Pod
	of   map[string]*cost
}

// cost is what a rollout came to.
type cost struct{ available, most, created, deleted int }

func (c cluster) watch(ctx context.Context, t *testing.T) *seen {
	t.Helper()
	client, err := c.Client()
	if err != nil {
		t.Fatal(err)
	}
	list, err := client.CoreV1().Pods(namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	w, err := client.CoreV1().Pods(namespace).Watch(ctx, metav1.ListOptions{ResourceVersion: list.ResourceVersion})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.Stop)
	s := &seen{pods: map[string]map[string]*corev1.Pod{}, of: map[string]*cost{}}
	for i := range list.Items {
		s.take(watch.Event{Type: watch.Modified, Object: &list.Items[i]})
	}
	for app, pods := range s.pods {
		s.of[app] = &cost{available: len(pods), most: len(pods)}
	}
	go func() {
		for e := range w.ResultChan() {
			s.take(e)
		}
	}()
	return s
}

func (s *seen) take(e watch.Event) {
	p, ok := e.Object.(*corev1.Pod)
	if !ok {
		return
	}
	s.Lock()
	defer s.Unlock()
	app := p.Labels["app"]
	if s.pods[app] == nil {
		s.pods[app] = map[string]*corev1.Pod{}
	}
	was := s.pods[app][p.Name]
	s.pods[app][p.Name] = p
	c := s.of[app]
	if c == nil {
		return // of the list
	}
	if was == nil {
		c.created++
	}
	if p.DeletionTimestamp != nil && was != nil && was.DeletionTimestamp == nil {
		c.deleted++
	}
	now := sizes{}
	for _, p := range s.pods[app] {
		now.count(p, "main:2")
	}
	c.available, c.most = min(c.available, now.ready), max(c.most, now.fresh+now.old)
}

func (s *seen) compare(t *testing.T, ch change) {
	t.Helper()
	s.Lock()
	defer s.Unlock()
	got := *s.of[ch.name]
	want := cost{available: ch.available, most: got.most, created: ch.line.Totals.Create, deleted: ch.line.Totals.Delete}
	if got != want || got.most < ch.most || got.most > ch.bound {
		t.Errorf("%s, %d replicas, %s, %v: it was %+v, predicted is %+v with %d to %d Pods: %s", ch.name, ch.replicas, ch.strategy, ch.flags, got, want, ch.most, ch.bound, ch.line.Answer)
	}
}
