package deployment

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/deployment"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/deployment/contract"
)

// Compare lists every difference between a prediction and one real sync.
func Compare(r *deployment.Result, resp *contract.Response) ([]string, error) {
	hideHash(resp)
	predicted, err := writesOf(r)
	if err != nil {
		return nil, err
	}
	var out []string
	want := func(what string, predicted, observed any) {
		if reflect.DeepEqual(predicted, observed) {
			return // what cmp takes 20 times as long to say
		}
		if diff := cmp.Diff(predicted, observed); diff != "" {
			out = append(out, fmt.Sprintf("%s (-predicted +observed):\n%s", what, diff))
		}
	}
	want("patches", show(predicted, true), show(resp.Writes, true))
	want("writes", show(predicted, false), show(resp.Writes, false))
	want("error", errorsOf(errorText(r.Err)), errorsOf(resp.SyncError))
	want("queue", queueOf(r), queue{resp.RequeueAfter, resp.RateLimited, resp.Forgotten})
	return out, nil
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// hideHash puts the plugin's placeholder where upstream's hash of the template
// stands, which no other version can compute.
func hideHash(resp *contract.Response) {
	name := ""
	for _, w := range resp.Writes {
		if w.Call == contract.CallCreateSet {
			name = w.Name
		}
	}
	hash := name[strings.LastIndex(name, "-")+1:]
	if hash == "" {
		return
	}
	hide := func(text string) string { return strings.ReplaceAll(text, hash, deployment.UnknownHash) }
	resp.SyncError = hide(resp.SyncError)
	for i := range resp.Writes {
		w := &resp.Writes[i]
		w.Name, w.Error = hide(w.Name), hide(w.Error)
		w.Object = json.RawMessage(hide(string(w.Object)))
	}
}

// show writes requests for comparison: patches in any order, all others in theirs.
func show(writes []contract.Write, patches bool) []any {
	var out []any
	for _, w := range writes {
		if (w.Call == contract.CallPatchSet) != patches {
			continue
		}
		out = append(out, []any{w.Call, w.Name, objectOf(w), w.Patch, w.Error})
	}
	if patches {
		slices.SortFunc(out, func(a, b any) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
	}
	return out
}

// objectOf reads an object with the types of this module: up to 1.33 upstream
// writes out nulls for times that are not set. Up to 1.32 it knows no
// terminatingReplicas, which the API server ignores in all but a status update.
func objectOf(w contract.Write) any {
	if len(w.Object) == 0 {
		return nil
	}
	if w.Call == contract.CallUpdateDeployment || w.Call == contract.CallUpdateStatus {
		d := &appsv1.Deployment{}
		err := json.Unmarshal(w.Object, d)
		if w.Call == contract.CallUpdateDeployment {
			d.Status.TerminatingReplicas = nil
		}
		return []any{d, errorText(err)}
	}
	rs := &appsv1.ReplicaSet{}
	err := json.Unmarshal(w.Object, rs)
	rs.Status.TerminatingReplicas = nil
	return []any{rs, errorText(err)}
}

// errorsOf splits an aggregate, whose order is that of the cache. What an
// invalid selector's message calls it changed (apimachinery LabelSelectorAsSelector).
func errorsOf(text string) []string {
	text = strings.ReplaceAll(text, "valid pod selector operator", "valid label selector operator")
	if strings.HasPrefix(text, "[") {
		text = strings.Trim(text, "[]")
	}
	all := strings.Split(text, ", ")
	slices.Sort(all)
	return all
}

type queue struct {
	After                  []string
	RateLimited, Forgotten bool
}

// queueOf is what the rule of the next sync means for the work queue.
func queueOf(r *deployment.Result) queue {
	next := r.Decision.NextSync
	q := queue{After: []string{}, Forgotten: true}
	switch next.Rule {
	case deployment.ProgressCheck:
		q.After = append(q.After, next.Facts.Str("after"))
	case deployment.ProgressCheckNow:
		q.RateLimited = true
	case deployment.RetryWithBackoff, deployment.RetryAfterOwnWrite:
		q.RateLimited, q.Forgotten = true, false
	}
	return q
}
