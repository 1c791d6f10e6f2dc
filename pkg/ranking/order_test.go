package ranking

import (
	"fmt"
	"math/rand"
	"slices"
	"sort"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// pod is a small stand-in with the shape of upstream's comparator: a key, an
// age compared in buckets of ten with the UID inside a bucket, a second key,
// and a second bucketed age.
type pod struct{ key, age, restarts, created, uid int }

func bucketed(id string, of func(*pod) int) Criterion[pod] {
	return Criterion[pod]{
		ID:     id,
		Bucket: func(p *pod) Key { return Least(of(p) / 10) },
		Exact:  func(p *pod) Key { return Least(of(p)) },
		Within: func(p *pod) Key { return Least(p.uid) },
	}
}

func keyed(id string, of func(*pod) int) Criterion[pod] {
	return Criterion[pod]{ID: id, Bucket: func(p *pod) Key { return Least(of(p)) }}
}

var criteria = []Criterion[pod]{
	keyed("key", func(p *pod) int { return p.key }),
	bucketed("age", func(p *pod) int { return p.age }),
	keyed("restarts", func(p *pod) int { return p.restarts }),
	bucketed("created", func(p *pod) int { return p.created }),
}

func pods() *rapid.Generator[[]pod] {
	small := rapid.IntRange(0, 2)
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) pod {
		return pod{
			key: rapid.IntRange(0, 1).Draw(t, "key"), age: rapid.IntRange(0, 19).Draw(t, "age") / 4,
			restarts: small.Draw(t, "restarts"), created: rapid.IntRange(0, 12).Draw(t, "created"),
			uid: rapid.IntRange(0, 9).Draw(t, "uid"),
		}
	}), 1, 9)
}

// components finds the blocks the slow way: the transitive closure of "not
// after" over all pairs.
func components(items []pod) map[int]string {
	n := len(items)
	reach := make([][]bool, n)
	for i := range reach {
		reach[i] = make([]bool, n)
		for j := range reach[i] {
			reach[i][j] = i == j || Compare(criteria, &items[j], &items[i]).Sign >= 0
		}
	}
	for k := range n {
		for i := range n {
			for j := range n {
				reach[i][j] = reach[i][j] || reach[i][k] && reach[k][j]
			}
		}
	}
	id := map[int]string{}
	for i := range n {
		var members []int
		for j := range n {
			if reach[i][j] && reach[j][i] {
				members = append(members, j)
			}
		}
		id[i] = fmt.Sprint(members)
	}
	return id
}

func TestBlocksAreTheComponents(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		items := pods().Draw(t, "pods")
		order, want := Sort(items, criteria), components(items)
		for _, b := range order.Blocks() {
			members := slices.Sorted(slices.Values(order.Items[b.Start:b.End]))
			if got := fmt.Sprint(members); got != want[members[0]] {
				t.Fatalf("block %v, want component %v", got, want[members[0]])
			}
		}
		if last := order.Ends[len(order.Ends)-1]; last != len(items) {
			t.Fatalf("blocks end at %d of %d", last, len(items))
		}
	})
}

func TestBlocksAreInOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		items := pods().Draw(t, "pods")
		order := Sort(items, criteria)
		for _, end := range order.Ends {
			for _, a := range order.Items[:end] {
				for _, b := range order.Items[end:] {
					if Compare(criteria, &items[a], &items[b]).Sign >= 0 {
						t.Fatalf("%v is not before %v", items[a], items[b])
					}
				}
			}
		}
	})
}

// TestPartsOfSeconds: times of one second are told apart by the rest, whatever their order.
func TestPartsOfSeconds(t *testing.T) {
	second := time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)
	times := []time.Time{second.Add(3), second.Add(time.Hour), second.Add(2), second, second.Add(1)}
	order := Sort(times, []Criterion[time.Time]{{ID: "latest", Bucket: func(t *time.Time) Key { return Latest(*t) }}})
	if want := []int{1, 0, 2, 4, 3}; !slices.Equal(order.Items, want) || len(order.Ends) != len(want) {
		t.Errorf("%v in blocks that end at %v, want %v, each alone", order.Items, order.Ends, want)
	}
}

// Every comparison sort must keep blocks in line, whatever it does inside.
func TestSortingKeepsBlocksInLine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		items := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) pod {
			return pod{age: rapid.IntRange(0, 29).Draw(t, "age"), restarts: rapid.IntRange(0, 2).Draw(t, "r"),
				created: rapid.IntRange(0, 5).Draw(t, "c"), uid: rapid.Int().Draw(t, "uid")}
		}), 1, 60).Draw(t, "pods")
		order := Sort(items, criteria)
		block := map[pod]int{}
		for i, b := range order.Blocks() {
			for _, item := range order.Items[b.Start:b.End] {
				block[items[item]] = i
			}
		}
		rng := rand.New(rand.NewSource(int64(len(items))))
		rng.Shuffle(len(items), func(i, j int) { items[i], items[j] = items[j], items[i] })
		sort.Slice(items, func(i, j int) bool { return Compare(criteria, &items[i], &items[j]).Sign < 0 })
		for i := 1; i < len(items); i++ {
			if block[items[i-1]] > block[items[i]] {
				t.Fatalf("block %d sorted before block %d", block[items[i-1]], block[items[i]])
			}
		}
	})
}

func TestWitness(t *testing.T) {
	// a before b by restarts, b before c and c before a by UID.
	a, b, c := pod{age: 5, restarts: 0, uid: 3}, pod{age: 5, restarts: 1, uid: 1}, pod{age: 6, uid: 2}
	items := []pod{a, b, c}
	order := Sort(items, criteria)
	if len(order.Ends) != 1 {
		t.Fatalf("want one block, got ends %v", order.Ends)
	}
	if w := Witness(items, criteria, order.Items); len(w) != 3 {
		t.Errorf("want a cycle of three, got %v", w)
	}
	if Tied(items, criteria, order.Items) || !Tied([]pod{a, a}, criteria, []int{0, 1}) {
		t.Error("two alike are tied, a circle is not")
	}
	if w := Witness(items, criteria, []int{0}); w != nil {
		t.Errorf("a block of one has no witness, got %v", w)
	}
	// Two that tie, and a third that comes between them by UID.
	weak := []pod{{age: 5, uid: 1}, {age: 5, uid: 3}, {age: 6, uid: 2}}
	if w := Witness(weak, criteria, Sort(weak, criteria).Items); len(w) != 3 {
		t.Errorf("want a circle of three with a tie in it, got %v", w)
	}
}

func TestStraddling(t *testing.T) {
	items := []pod{{key: 0}, {key: 1, uid: 1}, {key: 1, uid: 1}, {key: 2}}
	order := Sort(items, criteria)
	if b, ok := order.Straddling(2); !ok || b != (Block{1, 3}) {
		t.Errorf("cut 2: got %v %v", b, ok)
	}
	for _, cut := range []int{0, 1, 3, 4} {
		if b, ok := order.Straddling(cut); ok {
			t.Errorf("cut %d goes through no block, got %v", cut, b)
		}
	}
}

func BenchmarkSort(b *testing.B) {
	for _, n := range []int{1_000, 10_000, 100_000} {
		rng := rand.New(rand.NewSource(1))
		cyclic, plain := make([]pod, n), make([]pod, n)
		for i := range n {
			cyclic[i] = pod{age: rng.Intn(n), restarts: rng.Intn(3), created: rng.Intn(n), uid: rng.Int()}
			plain[i] = pod{age: 10 * i, uid: i}
		}
		b.Run(fmt.Sprintf("cyclic/%d", n), func(b *testing.B) { benchSort(b, cyclic) })
		b.Run(fmt.Sprintf("plain/%d", n), func(b *testing.B) { benchSort(b, plain) })
	}
}

func benchSort(b *testing.B, items []pod) {
	for b.Loop() {
		Sort(items, criteria)
	}
}
