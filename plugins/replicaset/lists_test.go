package replicaset_test

import (
	"slices"
	"sort"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/replicaset"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/states"
)

// podList is sorted as upstream sorts: by Go's sort, with a comparator that an
// oracle compares with upstream's.
type podList struct {
	pods   []int
	before func(i, j int) bool
}

func (l podList) Len() int           { return len(l.pods) }
func (l podList) Swap(i, j int)      { l.pods[i], l.pods[j] = l.pods[j], l.pods[i] }
func (l podList) Less(i, j int) bool { return l.before(l.pods[i], l.pods[j]) }

// eachOrder calls f with every order of each part in turn.
func eachOrder(part []int, f func()) {
	var from func(at int)
	from = func(at int) {
		if at >= len(part) {
			f()
			return
		}
		for i := at; i < len(part); i++ {
			part[at], part[i] = part[i], part[at]
			from(at + 1)
			part[at], part[i] = part[i], part[at]
		}
	}
	from(0)
}

// From every list that upstream may sort certain pods are deleted and safe ones
// kept. Each possible one is deleted from some list and kept from another.
func TestFatesAreThoseOfEveryList(t *testing.T) {
	mixed := 0
	// One check in ten draws no owned pod that comes before an adopted one.
	for checks := 0; mixed == 0 && checks < 10; checks++ {
		rapid.Check(t, func(t *rapid.T) { mixed += fatesOfEveryList(t) })
	}
	if mixed == 0 {
		t.Error("owned pods never came before adopted ones")
	}
}

// fatesOfEveryList counts the pods that are owned and come before adopted ones.
func fatesOfEveryList(t *rapid.T) (mixed int) {
	c := drawTied(t)
	d := c.decide(t, c.sets[0])
	if d.Ranking == nil {
		return 0
	}
	deleted, lists := c.everyList(t, d.Ranking.Cut)
	for _, row := range d.Ranking.Rows {
		n := deleted[row.Object.Name]
		fits := map[decision.Fate]bool{decision.Doomed: n == lists, decision.Safe: n == 0, decision.AtRisk: 0 < n && n < lists}
		if !fits[row.Fate] {
			t.Fatalf("%s is %s: deleted from %d of %d lists of %s", row.Object.Name, row.Fate, n, lists, c.version)
		}
		if row.DecidedBy != nil && row.DecidedBy.Rule == replicaset.OwnedFirst {
			mixed++
		}
	}
	return mixed
}

// drawTied draws up to six pods of one set, owned and to be adopted, that ties
// and contradictions are frequent among.
func drawTied(t *rapid.T) rivals {
	c := rivals{version: rapid.SampledFrom([]string{"1.37", "1.34.0", "1.33", "1.23"}).Draw(t, "version")}
	c.sets = []metav1.Object{drawRival(t, 0)}
	for i := range rapid.IntRange(2, 6).Draw(t, "pods") {
		p := c.drawPod(t, i)
		p.Labels = labelSets[2]
		c.pods = append(c.pods, p)
	}
	return c
}

// everyList counts from how many lists each pod is deleted.
func (c *rivals) everyList(t *rapid.T, cut int) (deleted map[string]int, lists int) {
	p, err := profile.New(profile.Options{Emulate: c.version})
	if err != nil {
		t.Fatal(err)
	}
	before := replicaset.Compared(p, states.Now, c.pods, make([]int, len(c.pods))).Less
	first, second := c.parts(p)
	deleted = map[string]int{}
	eachOrder(first, func() {
		eachOrder(second, func() {
			list := slices.Concat(first, second)
			sort.Sort(podList{list, before})
			for _, i := range list[:cut] {
				deleted[c.pods[i].Name]++
			}
			lists++
		})
	})
	return deleted, lists
}

// parts are the pods in the order of the lists that the sync makes (see
// FilterPodsByOwner of controller_utils.go, v1.37.1; before 1.34 it makes one).
func (c *rivals) parts(p profile.Profile) (first, second []int) {
	for i, pod := range c.pods {
		if owned := metav1.GetControllerOf(pod) != nil; owned || !p.Kubernetes.AtLeast(34, 0) {
			first = append(first, i)
		} else {
			second = append(second, i)
		}
	}
	return first, second
}
