package replicaset_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/expectations"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/replicaset"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/clusterdsl"

	"github.com/kubectl-ctrl/kubectl-ctrl/test/golden"
)

// given reads expect=(adds:2,dels:1,age:1m,key:a), fail=(create:1,adopt:a,…),
// where numbers count calls from 0, live=deleted or live=replaced, and
// behind=(pods,replicasets.apps), caches that have read up to version 5 of 9.
func given(t *testing.T, td *datadriven.TestData) replicaset.Given {
	var g replicaset.Given
	if text := golden.Arg(td, "expect", ""); text != "" {
		g.Expectations = readRecord(t, text)
	}
	if text := golden.Arg(td, "fail", ""); text != "" {
		g.API = refusing(strings.Split(text, ","))
	}
	for _, resource := range strings.FieldsFunc(golden.Arg(td, "behind", ""), func(r rune) bool { return r == ',' }) {
		g.Behind = append(g.Behind, &expectations.Stale{Resource: schema.ParseGroupResource(resource), Read: "5", Wrote: "9"})
	}
	if how := golden.Arg(td, "live", ""); how != "" {
		g.API.Live = func() (metav1.Object, error) { return changed(how), nil }
	}
	return g
}

// refusing refuses the calls named, and accepts or predicts all others.
func refusing(calls []string) replicaset.API {
	refused := map[string]bool{}
	for _, c := range calls {
		name, _, _ := strings.Cut(c, ":")
		refused[c], refused[name] = true, true
	}
	check := func(call, message string) error {
		if refused[call] {
			return errors.New(message)
		}
		return nil
	}
	at := func(call string) func(int) error {
		return func(n int) error { return check(fmt.Sprintf("%s:%d", call, n), "the server said no") }
	}
	on := func(call string) func(string) error {
		return func(pod string) error { return check(call+":"+pod, "the server said no to "+call) }
	}
	api := replicaset.API{
		Delete: on("delete"), Adopt: on("adopt"), Release: on("release"),
		Status: at("status"), Reread: func() error { return at("reread")(0) },
	}
	if refused["create"] {
		api.Create = at("create")
	}
	return api
}

// changed is the set as the live read finds it: deleted since, or another one
// of the same name.
func changed(how string) metav1.Object {
	live := &metav1.ObjectMeta{Namespace: clusterdsl.Namespace, Name: "web", UID: "web"}
	if how == "deleted" {
		live.DeletionTimestamp = &metav1.Time{Time: clusterdsl.Now}
	} else {
		live.UID = "newer"
	}
	return live
}

func readRecord(t *testing.T, text string) *expectations.Record {
	r := &expectations.Record{Recorded: clusterdsl.Now, Keys: map[string]bool{}}
	for item := range strings.SplitSeq(text, ",") {
		key, value, _ := strings.Cut(item, ":")
		switch key {
		case "adds":
			fmt.Sscan(value, &r.Adds)
		case "dels":
			fmt.Sscan(value, &r.Dels)
		case "key":
			r.Keys[clusterdsl.Namespace+"/"+value] = true
		case "age":
			age, err := time.ParseDuration(value)
			if err != nil {
				t.Fatal(err)
			}
			r.Recorded = clusterdsl.Now.Add(-age)
		}
	}
	return r
}
