package trace

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/cache"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/trace/entry"
)

// TestDepthIsClientGos: what a trace says of how much waits is what client-go's own metric
// says of a queue that gets the same calls, without marks; of a DeltaFIFO it is how many keys
// it hands out then.
func TestDepthIsClientGos(t *testing.T) {
	gvr := schema.GroupVersionResource{Version: "v1", Resource: "pods"}
	for _, minor := range []int{32, 34, 35, 37} {
		random := rand.New(rand.NewPCG(1, uint64(minor)))
		known := cache.NewStore(cache.MetaNamespaceKeyFunc)
		mine, client := newDepth(), newDepth()
		defer mine.release()
		defer client.release()
		plain := newFIFO(minor, known, nil, mine, gvr)
		q, theirs := newTimed(plain, minor, mine, time.Now), newFIFO(minor, known, nil, client, gvr)
		pop := func(q cache.Queue, popped func([]cache.Delta)) {
			_, err := q.Pop(func(obj any, _ bool) error {
				popped(obj.(cache.Deltas))
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		waiting, deepest := func() int { n, _ := mine.left(); return n }, 0
		for range 3000 {
			pod := podNamed("shop", fmt.Sprintf("web-%d", random.IntN(30)))
			switch n := random.IntN(8); {
			case n < 3:
				_, _ = q.Add(pod), theirs.Add(pod)
			case n == 3:
				m := newMark(time.Now(), 0)
				mine.marked(m)
				_ = plain.Add(m)
			case n == 4:
				_, _ = q.Replace([]any{pod}, "7"), theirs.Replace([]any{pod}, "7")
			case waiting() > 0:
				for done := false; !done; { // marks are handed out between
					pop(q, func(deltas []cache.Delta) {
						others, marks := unmarked(deltas)
						q.popped(others, marks)
						done = len(others) > 0
					})
				}
				pop(theirs, func([]cache.Delta) {})
			}
			deepest = max(deepest, waiting())
			if minor >= inOrder && waiting() != client.queued {
				t.Fatalf("client-go 0.%d: %d wait, client-go says %d", minor, waiting(), client.queued)
			}
		}
		if _, most := mine.left(); most < deepest || deepest < 5 {
			t.Errorf("client-go 0.%d: at most %d waited, %d are told", minor, deepest, most)
		}
		left := waiting()
		theirs.Close()
		plain.Close()
		keys := map[string]bool{}
		for err := error(nil); err == nil; {
			_, err = plain.Pop(func(obj any, _ bool) error {
				for _, d := range obj.(cache.Deltas) {
					if _, marked := markOf(d); !marked && minor < inOrder {
						key, _ := cache.DeletionHandlingMetaNamespaceKeyFunc(d.Object)
						keys[key] = true
					}
				}
				return nil
			})
		}
		if minor < inOrder && left != len(keys) {
			t.Errorf("client-go 0.%d: %d wait, %d keys are handed out", minor, left, len(keys))
		}
	}
}

// TestRecordOfGroup: deltas that were fed together are so again; one that is missing is said,
// and a record that ends among them is fed as far as it goes.
func TestRecordOfGroup(t *testing.T) {
	const head = `{"kind":"TraceRecord","apiVersion":"kubectl-ctrl.github.io/v1alpha2","start":"2026-11-01T00:00:00Z","kinds":[],"pick":{},"follows":["/v1/Pod"]}` + "\n" + `{"at":"2026-11-01T00:00:00Z","mark":"run"}`
	pod := func(name string, more int) string {
		return fmt.Sprintf(`{"at":"2026-11-01T00:00:01Z","type":"Replaced","kind":"/v1/Pod","object":{"metadata":{"name":%q,"namespace":"shop"}},"more":%d}`, name, more)
	}
	for name, c := range map[string]struct {
		lines  []string
		events int
		err    string
	}{
		"whole":   {[]string{pod("a", 2), pod("b", 1), pod("c", 0)}, 3, ""},
		"cut off": {[]string{pod("a", 2), pod("b", 1)}, 2, ""},
		"missing": {[]string{pod("a", 2), pod("c", 0)}, 0, "line 4: want the next of 2 more deltas that were fed together"},
		"mark":    {[]string{pod("a", 1), `{"at":"2026-11-01T00:00:01Z","mark":"drain"}`}, 0, "line 4: want the next of 1 more deltas"},
	} {
		rec, err := OpenRecord(strings.NewReader(strings.Join(slices.Insert(c.lines, 0, head), "\n")))
		if err != nil {
			t.Fatal(err)
		}
		sum, err := rec.Replay(t.Context(), Options{Out: func(*entry.Entry) {}})
		if sum.Events != c.events || (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%s: %d events, %v", name, sum.Events, err)
		}
	}
}
