package fuzz

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestExtremes puts extreme numbers, percentages, durations and times, and values
// of other types, in the place of each value of each object of a rich cluster,
// and asks every verb. It demands an answer or an error for the objects that may
// depend on the change, and for all others the answer that they had before.
//
// Of about 4,000 changes every 17th is made, and put to explain and to one other verb
// in turn. HOSTILE=5 makes every 5th; HOSTILE=all makes each and puts it to all
// verbs, which takes a quarter of an hour.
func TestExtremes(t *testing.T) {
	r := richCluster(t)
	before := answersOf(t, r.text(t))
	n, every := 0, stride(t)
	for _, o := range r.changeable() {
		t.Run(fmt.Sprintf("%v/%v", o["kind"], o["metadata"].(object)["name"]), func(t *testing.T) {
			for _, l := range leaves(o) {
				for _, value := range extremes(l.value) {
					if n++; n%every != 0 {
						continue
					}
					l.set(value)
					c := changed{t: t, what: fmt.Sprintf("%s: %.40v", l, value), owner: o, text: r.text(t)}
					c.check(before, n/every)
				}
				l.set(l.value)
			}
		})
	}
	t.Logf("%d changes", n)
}

// everything puts each change to all verbs.
var everything = os.Getenv("HOSTILE") == "all"

// stride is every how many-th change is made.
func stride(t *testing.T) int {
	switch text := os.Getenv("HOSTILE"); text {
	case "":
		return 17
	case "all":
		return 1
	default:
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			t.Fatalf("HOSTILE=%s: want all, or every how many-th change is made", text)
		}
		return n
	}
}

// everyKind are all kinds that are decided.
const everyKind = "rs,rc,deploy,sts,clonesets"

// listed are the verbs that answer about all objects, each in an item of its own.
var listed = [][]string{
	{"explain", everyKind, "-A"},
	{"plan", everyKind, "-A", "--no-truncate", "--replicas", "1"},
	{"plan", "rs,rc,deploy,clonesets", "-A", "--no-truncate", "--replicas", "2147483647"},
	{"plan", "rs,rc,sts,clonesets", "-A", "--no-truncate", "--until-stable"},
	{"plan", "rs,rc,sts,clonesets", "-A", "--no-truncate", "--rounds", "2", "--ready-after", "5s"},
	{"plan", "clonesets", "-A", "--no-truncate", "--image", "*=web:9", "--partition", "50%"},
	{"plan", "deploy", "-A", "--no-truncate", "--image", "*=web:9"},
	{"plan", "sts", "-A", "--replicas", "50"}, // Parallel creates each in one sync
	{"plan", "sts", "-A", "--no-truncate", "--image", "*=web:9", "--partition", "1", "--max-unavailable", "50%"},
	{"orphans", "-A"},
}

// single are the verbs that answer about one object.
var single = [][]string{
	{"explain", everyKind, "-A", "-o", "wide"},
	{"owners", "deploy/web", "-n", "shop", "--dependents", "--cascade", "foreground"},
	{"owners", "pod/cart-1", "-n", "shop"},
	{"expectations", "rs/web-new", "-n", "shop"},
	{"expectations", "clonesets/cart", "-n", "shop"},
	{"expectations", "rc/old", "-n", "shop"},
	{"snapshot", "-n", "shop"},
	{"orphans", "-A", "-o", "wide"},
}

// changed is a cluster with one object changed.
type changed struct {
	t     *testing.T
	what  string
	owner object
	text  []byte
}

// check asks about the cluster; turn picks which verbs come after explain.
func (c changed) check(before map[string]map[string]string, turn int) {
	c.list(listed[0], before)
	if everything {
		for _, q := range listed[1:] {
			c.list(q, before)
		}
		for _, q := range single {
			c.one(q)
		}
		return
	}
	if q := turn % (len(listed) + len(single)); q < len(listed) {
		c.list(listed[q], before)
	} else {
		c.one(single[q-len(listed)])
	}
}

// one asks a verb about one object.
func (c changed) one(q []string) {
	c.t.Helper()
	a := c.ask(q)
	if text := a.stdout + a.stderr; strings.TrimSpace(text) == "" || strings.Contains(text, "internal error") {
		c.t.Errorf("%s: %v: %.600s", c.what, q, text)
	}
}

// list asks a verb about all objects.
func (c changed) list(q []string, before map[string]map[string]string) {
	c.t.Helper()
	a := c.ask(append(slices.Clone(q), "-o", "json"))
	switch {
	case strings.Contains(a.stderr, "internal error"):
		c.t.Errorf("%s: %v: %s", c.what, q, a.stderr)
	case a.stdout == "" && c.refusedInput(a):
	case a.stdout == "":
		c.t.Errorf("%s: %v: no answer about any object: %.300s", c.what, q, a.stderr)
	default:
		c.compare(q, a, itemsOf(c.t, a.stdout), before[strings.Join(q, " ")])
	}
}

// compare demands that the items of calm are as before, and that each item of
// shop is there or its error is.
func (c changed) compare(q []string, a answer, items, before map[string]string) {
	c.t.Helper()
	shared := c.owner["metadata"].(object)["namespace"] != "shop"
	for key, was := range before {
		now, answered := items[key]
		switch {
		case strings.Contains(key, "/calm/") && !shared && now != was:
			c.t.Errorf("%s: %v: another answer about %s:\n%.600s\nbefore:\n%.600s\n%.300s", c.what, q, key, now, was, a.stderr)
		case strings.Contains(key, "/shop/") && !answered && q[0] != "orphans" && !strings.Contains(a.stderr, key):
			c.t.Errorf("%s: %v: neither an answer nor an error about %s: %.300s", c.what, q, key, a.stderr)
		}
	}
}

// refusedInput reports whether the input as a whole was refused, with the name of
// the changed object.
func (c changed) refusedInput(a answer) bool {
	name := c.owner["metadata"].(object)["name"].(string)
	return a.status == 2 && strings.Contains(a.stderr, "items[") && strings.Contains(a.stderr, name)
}

// ask runs one command line over the cluster. A panic fails the test.
func (c changed) ask(q []string) (a answer) {
	c.t.Helper()
	defer func() {
		if p := recover(); p != nil {
			c.t.Errorf("%s: %v: panic: %v\n%s", c.what, q, p, frames(debug.Stack()))
			a = answer{status: 2, stderr: "items[ " + c.owner["metadata"].(object)["name"].(string)}
		}
	}()
	return ask(bytes.NewReader(c.text), 0, append(slices.Clone(q), "--from", "-", "--at", now)...)
}

// frames are the lines of a stack that are of this repository.
func frames(stack []byte) string {
	var out []string
	for line := range strings.SplitSeq(string(stack), "\n") {
		if strings.Contains(line, "kubectl-ctrl/p") && !strings.HasPrefix(line, "\t") {
			out = append(out, line)
		}
	}
	return strings.Join(out[:min(len(out), 6)], "\n")
}

// answersOf are the items that each listing verb answers, by the command line.
func answersOf(t testing.TB, text []byte) map[string]map[string]string {
	t.Helper()
	out := map[string]map[string]string{}
	for _, q := range listed {
		a := ask(bytes.NewReader(text), 0, append(slices.Clone(q), "-o", "json", "--from", "-", "--at", now)...)
		if a.stderr != "" {
			t.Fatalf("%v: %s", q, a.stderr)
		}
		items := itemsOf(t, a.stdout)
		if len(items) < 2 {
			t.Fatalf("%v: %d items in\n%.2000s", q, len(items), a.stdout)
		}
		out[strings.Join(q, " ")] = items
	}
	return out
}

// itemsOf are the items of an answer by kind/namespace/name of their object.
func itemsOf(t testing.TB, text string) map[string]string {
	t.Helper()
	var list struct{ Items, Findings []json.RawMessage }
	if err := json.Unmarshal([]byte(text), &list); err != nil {
		t.Fatalf("%v in %.300s", err, text)
	}
	out := map[string]string{}
	for _, raw := range slices.Concat(list.Items, list.Findings) {
		var item struct {
			Target, Object struct{ Kind, Namespace, Name string }
		}
		if err := json.Unmarshal(raw, &item); err != nil {
			t.Fatal(err)
		}
		of := item.Target
		if of.Name == "" {
			of = item.Object
		}
		out[strings.ToLower(of.Kind)+"/"+of.Namespace+"/"+of.Name] = string(raw)
	}
	return out
}

// FuzzExtremes puts two extremes into the rich cluster, each in the place of a value,
// and asks one verb.
func FuzzExtremes(f *testing.F) {
	f.Add(uint(0), uint(0), uint(1), uint(1), uint(0))
	f.Add(uint(30), uint(4), uint(200), uint(2), uint(3))
	f.Add(uint(160), uint(5), uint(170), uint(3), uint(9))
	before := answersOf(f, richCluster(f).text(f))
	f.Fuzz(func(t *testing.T, first, with, second, also, verb uint) {
		r := richCluster(t)
		var all []leaf
		for _, o := range r.shop {
			all = append(all, leaves(o)...)
		}
		what := ""
		for _, at := range [][2]uint{{first, with}, {second, also}} {
			l := all[at[0]%uint(len(all))]
			values := extremes(l.value)
			value := values[at[1]%uint(len(values))]
			l.set(value)
			what += fmt.Sprintf("%s: %.40v; ", l, value)
		}
		c := changed{t: t, what: what, owner: object{"metadata": object{"namespace": "shop", "name": ""}}, text: r.text(t)}
		if q := verb % uint(len(listed)+len(single)); q < uint(len(listed)) {
			c.list(listed[q], before)
		} else {
			c.one(single[q-uint(len(listed))])
		}
	})
}
