package bounds

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"testing"
)

// TestInput: files that are absurd, and cost no more than it takes to say so.
func TestInput(t *testing.T) {
	refused := []string{"explain", "rs/web", "--from", "INPUT"}
	bound(t, []row{
		{name: "empty objects", args: refused, input: repeated("", "{}\n", ""), n: 2_000_000, allocated: 20, growth: -1, status: 2, want: "input:1: this is no Kubernetes object"},
		{name: "nulls", args: refused, input: repeated("", "null\n", ""), n: 2_000_000, allocated: 80, growth: -1, status: 2, want: "more than 400000 objects: dump one namespace at a time"},
		{name: "arrays", args: refused, input: repeated("", "[],", "[]"), n: 2_000_000, allocated: 20, growth: -1, status: 2, want: "input:1: expected an object"},
		{name: "arrays as items", args: refused, input: repeated(`{"kind":"List","apiVersion":"v1","items":[`, "[],", "[]]}"), n: 2_000_000, allocated: 20, growth: -1, status: 2, want: "items[0]: expected an object"},
		{name: "arrays as items of what comes later", args: refused, input: repeated(`{"items":[`, "[],", `[]],"kind":"List","apiVersion":"v1"}`), n: 2_000_000, allocated: 450, growth: -1, status: 2, want: "more than 400000 objects"},
		{name: "arrays in one value", args: refused, input: repeated(`{"kind":"Pod","apiVersion":"v1","metadata":[`, "[],", "[]]}"), n: 3_000_000, allocated: 40, growth: -1, status: 2, want: "a value is larger than 4 MiB"},
		{name: "nested", args: []string{"snapshot", "cloneset/web", "--from", "INPUT"}, input: nested, n: 4_000, allocated: 20, growth: -1, status: 2, want: "input:1: cloneset/shop/web: values are nested deeper than 200"},
	})
}

// TestManyObjects: most objects of a large input are only looked over.
func TestManyObjects(t *testing.T) {
	question := []string{"explain", "rs/web", "--from", "INPUT"}
	bound(t, []row{
		{name: "Pods of others", args: question, input: podsOfOthers, n: 24_000, allocated: 850, resident: 400, growth: -1, want: "replicaset/web"},
	})
}

// TestMillion: an input of very many objects is read, and costs some hundred bytes
// for each beside its JSON, whatever their labels and owners are. One answer looks
// at a bounded number of them.
func TestMillion(t *testing.T) {
	ask := func(args ...string) []string { return append(args, "--from", "INPUT") }
	const refused = "no answer about replicasets/shop/web: pods in namespace shop with app=web: 420000 objects, and one answer reads at most 400000 whole"
	bound(t, []row{
		{name: "none selected", args: ask("explain", "rs/web"), input: smallPods(`{"app":"x%d"}`, 1000, ""), n: 450_000, allocated: 1600, resident: 600, growth: -1, want: "next sync creates 3 Pods"},
		{name: "an owner and labels each", args: ask("explain", "rs/web"), input: smallPods(`{"app":"x","apps.kubernetes.io/pod-index":"%d"}`, 1<<30, `"generateName":"s-%[1]d-","ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"s-%[1]d","uid":"s-%[1]d","controller":true}],`), n: 200_000, allocated: 1000, resident: 500, growth: -1, want: "next sync creates 3 Pods"},
		{name: "all selected", args: ask("explain", "rs/web"), input: smallPods(`{"app":"web"}`, 1, ""), n: 420_000, allocated: 1600, resident: 600, growth: -1, status: 2, want: refused},
	})
}

// smallPods is a ReplicaSet that selects app=web, and n Pods as small as they can be.
// labels and more may have the number of the Pod, below a bound, in them.
func smallPods(labels string, numbers int, more string) func(io.Writer, int) error {
	return func(w io.Writer, n int) error {
		err := object(w, "apps/v1", "ReplicaSet", "web", "", `,"spec":{"replicas":3,"selector":`+webSelector+`,"template":{"metadata":{"labels":`+webLabels+`},"spec":{"containers":[{"name":"main","image":"web:1"}]}}}`)
		for i := 0; i < n && err == nil; i++ {
			metadata := strings.ReplaceAll(`"labels":`+labels+`,`+more, "%[1]d", "%d")
			metadata = strings.ReplaceAll(metadata, "%d", strconv.Itoa(i%numbers))
			_, err = fmt.Fprintf(w, `{"apiVersion":"v1","kind":"Pod","metadata":{%s"name":"p-%07d","namespace":"shop"},"status":{"phase":"Running"}}`+"\n", metadata, i)
		}
		return err
	}
}

// podsOfOthers is a ReplicaSet without Pods, and n Pods that it does not select,
// each small in its file and large once it is decoded.
func podsOfOthers(w io.Writer, n int) error {
	err := oneSet(w, 0)
	for i := 0; i < n && err == nil; i++ {
		_, err = fmt.Fprintf(w, `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p-%07d","namespace":"shop","creationTimestamp":"2026-11-01T10:00:00Z","labels":{"app":"x"}},"spec":{"containers":[{}%s]}}`+"\n", i, strings.Repeat(",{}", 30))
	}
	return err
}

// repeated is n parts between two others.
func repeated(before, part, after string) func(io.Writer, int) error {
	return func(w io.Writer, n int) error {
		_, err := fmt.Fprint(w, before, strings.Repeat(part, n), after)
		return err
	}
}

// nested is a CloneSet with a value that is nested n deep.
func nested(w io.Writer, n int) error {
	_, err := fmt.Fprintf(w, `{"apiVersion":"apps.kruise.io/v1alpha1","kind":"CloneSet","metadata":{"name":"web","namespace":"shop"},"spec":{"x":%s%s}}`, strings.Repeat("[", n), strings.Repeat("]", n))
	return err
}
