package view

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
)

// later is a Pod that counts how often it is decoded.
type later struct {
	*corev1.Pod
	weight  int
	decoded *int
}

func (l later) Decoded() metav1.Object { *l.decoded++; return l.Pod }
func (l later) Weight() int            { return l.weight }

// TestTooManyWhole: what is more than one answer may decode is an error, before
// anything is decoded, whoever asks, and of a changed View as well. What fits, what
// is asked for by name, and metadata are read.
func TestTooManyWhole(t *testing.T) {
	for name, c := range map[string]struct {
		app, other, weight int
		want               string
	}{
		"as many as fit":      {app: MostWhole, other: 2, weight: 1},
		"one more":            {app: MostWhole + 1, weight: 1, want: "pods in namespace shop with app=web: 40000N objects, and one answer reads at most 400000 whole: leave"},
		"as large as fits":    {app: 4, other: 1, weight: MostWeight / 4},
		"larger":              {app: 5, weight: MostWeight / 4, want: "pods in namespace shop with app=web: N objects that take about 5120 MiB, and one answer takes at most 4096: leave"},
		"none of them":        {other: MostWhole + 1, weight: 1},
		"none of those large": {other: 5, weight: MostWeight / 4},
	} {
		t.Run(name, func(t *testing.T) {
			decoded := 0
			b := NewOpenBuilder(now)
			b.AddOrdered(Pods, deferredPods(c.app, c.other, c.weight, &decoded))
			v := b.View()
			checkTooMany(t, v, strings.Replace(c.want, "N objects", fmt.Sprint(c.app%MostWhole, " objects"), 1), &decoded)
			over := v.With(Pods, pod("new", "web", ""))
			checkTooMany(t, over, strings.Replace(c.want, "N objects", fmt.Sprint(c.app%MostWhole+1, " objects"), 1), &decoded)
		})
	}
}

func deferredPods(app, other, weight int, decoded *int) []metav1.Object {
	var all []metav1.Object
	for i := range app + other {
		p := pod(fmt.Sprintf("p-%07d", i), "web", "")
		if i >= app {
			p.Labels = map[string]string{"app": "x"}
		}
		all = append(all, later{p, weight, decoded})
	}
	return all
}

func checkTooMany(t *testing.T, v *View, want string, decoded *int) {
	t.Helper()
	web := labels.SelectorFromSet(labels.Set{"app": "web"})
	need := Need{Kind: Pods, Namespace: "shop"}
	for range 2 { // who asks again gets the same error
		*decoded = 0
		r := v.Reader()
		listed := List[*corev1.Pod](r, need, web)
		asked := need
		asked.Detail, asked.Selector = Full, SelectorText(web)
		err := r.Err(asked)
		if want == "" && (err != nil || len(listed) < *decoded) {
			t.Errorf("%d listed, %d decoded, %v", len(listed), *decoded, err)
		}
		if want != "" && (err == nil || !strings.HasPrefix(err.Error(), want) || !errors.As(err, new(*TooMany)) || len(listed)+*decoded > 0) {
			t.Errorf("%d listed, %d decoded, %v", len(listed), *decoded, err)
		}
		one := need
		if one.Name = "p-0000000"; len(r.Metadata(need)) == 0 || r.Err(one) != nil {
			t.Error("metadata, or one object, is refused")
		}
		if asked.IfMissing = "this"; want != "" && len(v.InHand(asked)) > MostWhole {
			t.Error("all are in hand")
		}
	}
}

// TestTooManyNamed: so are very many objects that are asked for one by one, and the
// error is noted once.
func TestTooManyNamed(t *testing.T) {
	r := shop(pod("a", "web", "")).Reader()
	need := shopPods
	for i := range MostWhole + 3 {
		need.Name = fmt.Sprint(i)
		if err := r.Err(need); (err != nil) != (i >= MostWhole) {
			t.Fatalf("object %d: %v", i, err)
		}
	}
	if n := len(r.Asked()); n != MostWhole+1 {
		t.Errorf("%d reads are noted", n)
	}
	const want = "pods in namespace shop: 400001 objects, and one answer reads at most 400000 whole"
	if err := r.Asked()[MostWhole].Err; err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Error(err)
	}
}
