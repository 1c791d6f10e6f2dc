package health

import (
	"strings"
	"testing"
	"time"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

func replicas(desired, current, available int) *decision.Replicas {
	return &decision.Replicas{Desired: desired, Current: current, Ready: available, Available: available}
}

func updating(r *decision.Replicas, updated, desired int) *decision.Replicas {
	r.Updated, r.UpdatedDesired = &updated, &desired
	return r
}

// TestSettle draws the state from what was found: what is not known makes it no better.
func TestSettle(t *testing.T) {
	crashLoop := decision.Cause{Label: "OOMKilled", Class: string(CrashLoop), Blocked: true, Pod: &decision.PodColumns{}}
	flaps := decision.Cause{Label: "restarting", Class: string(Flapping), Pod: &decision.PodColumns{}}
	mounts := decision.Cause{Label: "FailedMount", Class: string(Failing), Pod: &decision.PodColumns{}}
	crash := decision.Cause{Label: "OOMKilled", Blocked: true, Pod: &decision.PodColumns{}, Since: now.Add(-time.Hour), Next: "kubectl describe pod p"}
	slow := decision.Cause{Label: "ContainerCreating", Pod: &decision.PodColumns{}, Object: decision.Ref{Name: "p"}, Since: now.Add(-8 * time.Second), Next: "kubectl describe pod p"}
	quota := decision.Cause{Label: "ResourceQuota q exceeded", Blocked: true, Stops: true}
	gone, besides := decision.Cause{Label: "the garbage collector deletes it and its dependents", Next: "kubectl ctrl owners rs/web"}, []string{"the garbage collector deletes 1 Pod"}
	stays := decision.Cause{Label: "Terminating with a finalizer", Class: string(Deletion), Blocked: true, Pod: &decision.PodColumns{}, Since: now.Add(-time.Hour), Next: "kubectl describe pod q"}
	held, claim, lost := stays, stays, decision.Cause{Label: "Terminating on NotReady node n1", Class: string(Deletion), Root: true, Pod: &decision.PodColumns{}, Object: decision.Ref{Name: "q"}, Since: now.Add(-40 * time.Second)}
	held.Stops, claim.Pod = true, nil
	onLost := lost
	onLost.Class = string(Step)
	vanished, unset, roomless := lost, crash, crash
	vanished.Blocked, vanished.Next = true, "kubectl describe node n1"
	unset.Label, unset.Class = `without ConfigMap "web-config"`, string(ConfigMissing)
	roomless.Label, roomless.Class = "Unschedulable", string(Unschedulable)
	creates := decision.Action{Verb: decision.Create, Object: decision.Ref{Kind: "Pod"}, Count: 2, Certainty: decision.Certain}
	paused := decision.Cause{Object: decision.Ref{Kind: "ReplicaSet", Namespace: "shop", Name: "web"}, Label: "paused with outstanding updates", Briefs: []string{"paused"}, Class: string(Paused), Blocked: true}
	byHook := decision.Cause{Label: "held by the update hook", Briefs: []string{"update hook"}, Class: string(Hook), Blocked: true, Pod: &decision.PodColumns{}}
	prepares := decision.Action{Verb: decision.SetState, Object: decision.Ref{Kind: "Pod"}, Certainty: decision.Certain}
	lasting, overdue := stays, decision.Cause{Label: "progress deadline exceeded", Class: string(Deadline), Follows: true, Blocked: true}
	lasting.Label += " that takes as long as a line"
	tests := []struct {
		name    string
		a       Assessment
		actions []decision.Action
		want    string
	}{
		{"complete", Assessment{Replicas: replicas(2, 2, 2)}, nil, "stable, 2 of 2 replicas available."},
		{"complete without replicas", Assessment{}, nil, "stable."},
		{"nothing known", Unassessed(), nil, "unknown."},
		{"nothing known but what it does", Unassessed(), []decision.Action{creates}, "reconciling; next sync creates 2 Pods."},
		{"something unread", Assessment{Replicas: replicas(2, 2, 1), Unread: true}, nil, "unknown, 1 of 2 available; why is not known."},
		{"unread, though complete", Assessment{Replicas: replicas(2, 2, 2), Unread: true}, nil, "unknown, 2 of 2 available."},
		{"unread and waiting", Assessment{Replicas: replicas(2, 2, 1), Unread: true, Causes: []decision.Cause{slow}}, nil, "unknown, 1 of 2 available; 1 ContainerCreating."},
		{"nothing says why", Assessment{Replicas: replicas(2, 2, 1)}, nil, "unknown, 1 of 2 available; nothing says why."},
		{"one too many", Assessment{Replicas: replicas(2, 3, 3)}, nil, "unknown, 3 available, 2 desired; nothing says why."},
		{"waiting", Assessment{Replicas: replicas(2, 2, 1), Causes: []decision.Cause{slow}}, nil, "progressing, 1 of 2 available; p ContainerCreating for 8s."},
		{"waiting, blocked", Assessment{Replicas: replicas(2, 2, 0), Causes: []decision.Cause{slow, crash}}, nil, "blocked, 0 of 2 available; 1 OOMKilled."},
		{"blocked, unread", Assessment{Replicas: replicas(2, 2, 1), Unread: true, Causes: []decision.Cause{crash}}, nil, "blocked, 1 of 2 available; 1 OOMKilled."},
		{"blocked, and something to do", Assessment{Replicas: replicas(4, 2, 1), Causes: []decision.Cause{crash}}, []decision.Action{creates}, "reconciling, 1 of 4 available; next sync creates 2 Pods."},
		{"paused, and something to do", Assessment{Replicas: updating(replicas(4, 4, 4), 2, 4), Causes: []decision.Cause{paused}}, []decision.Action{creates}, "reconciling, 2 of 4 updated; next sync creates 2 Pods, paused."},
		{"paused, not all available, and something to do", Assessment{Replicas: updating(replicas(4, 4, 3), 2, 4), Causes: []decision.Cause{paused}}, []decision.Action{creates}, "reconciling, 2 of 4 updated, 3 available; next sync creates 2 Pods, paused."},
		{"paused, and there is no room", Assessment{Replicas: updating(replicas(40000000, 40000000, 30000000), 20000000, 40000000), Causes: []decision.Cause{paused}}, []decision.Action{creates}, "reconciling, 20000000 of 40000000 updated, 30000000 available; next sync creates 2 Pods, paused."},
		{"held by a hook, and something to do", Assessment{Replicas: updating(replicas(4, 4, 4), 2, 4), Causes: []decision.Cause{byHook, byHook}}, []decision.Action{creates}, "reconciling, 2 of 4 updated; next sync creates 2 Pods, 2 update hook."},
		{"held by a hook, and only states to change", Assessment{Replicas: updating(replicas(4, 4, 4), 2, 4), Causes: []decision.Cause{byHook, byHook}}, []decision.Action{prepares}, "reconciling, 2 of 4 updated; 2 held by the update hook."},
		{"stays for a finalizer, and exceeds a deadline", Assessment{Replicas: replicas(2, 1, 1), Causes: []decision.Cause{lasting, overdue}}, nil, "blocked, 1 of 2 available; 1 Terminating with a finalizer that takes as long as a line."},
		{"failing, and something to do", Assessment{Replicas: replicas(4, 2, 1), Causes: []decision.Cause{crashLoop}}, []decision.Action{creates}, "reconciling, 1 of 4 available; next sync creates 2 Pods, 1 OOMKilled."},
		{"failing, and all is available", Assessment{Replicas: replicas(2, 2, 2), Causes: []decision.Cause{crashLoop}}, []decision.Action{creates}, "reconciling, 2 of 2 available; next sync creates 2 Pods."},
		{"flaps, and all is available", Assessment{Replicas: replicas(2, 2, 2), Causes: []decision.Cause{flaps}}, []decision.Action{creates}, "reconciling, 2 of 2 available; next sync creates 2 Pods, 1 restarting."},
		{"flaps, and is stable", Assessment{Replicas: replicas(2, 2, 2), Causes: []decision.Cause{stays, flaps, slow, flaps}}, nil, "stable, 2 of 2 replicas available; 2 restarting, another cause."},
		{"flaps, and another starts", Assessment{Replicas: replicas(3, 3, 2), Causes: []decision.Cause{flaps, slow}}, nil, "progressing, 2 of 3 available; 1 restarting, 1 ContainerCreating."},
		{"blocked, and another fails", Assessment{Replicas: replicas(2, 2, 0), Causes: []decision.Cause{crash, mounts}}, nil, "blocked, 0 of 2 available; 1 OOMKilled, 1 FailedMount."},
		{"generation not observed", Assessment{Replicas: replicas(2, 2, 2), Unobserved: true, Causes: []decision.Cause{{Label: "generation 2 not observed", Reason: NotObserved}}}, nil, "reconciling, 2 of 2 available; generation 2 not observed."},
		{"generation not observed, and blocked", Assessment{Replicas: replicas(2, 2, 1), Unobserved: true, Causes: []decision.Cause{crash, {Label: "generation 2 not observed", Reason: NotObserved}}}, nil, "blocked, 1 of 2 available; 1 OOMKilled."},
		{"kept from doing it", Assessment{Replicas: replicas(4, 2, 1), Causes: []decision.Cause{quota, crash}}, []decision.Action{creates}, "blocked, 2 of 4 Pods created; ResourceQuota q exceeded, 1 OOMKilled."},
		{"complete, and it may not act soon", Assessment{Replicas: replicas(2, 2, 2), Causes: []decision.Cause{{Label: "no active leader", Stops: true}}}, nil, "progressing, 2 of 2 available; no active leader."},
		{"complete, and a Pod goes", Assessment{Replicas: replicas(2, 2, 2), Causes: []decision.Cause{slow}}, nil, "stable, 2 of 2 replicas available."},
		{"complete, and a Pod is not removed", Assessment{Replicas: replicas(2, 2, 2), Causes: []decision.Cause{stays, slow}}, nil, "stable, 2 of 2 replicas available; 1 Terminating with a finalizer."},
		{"complete, and two are not", Assessment{Replicas: replicas(2, 2, 2), Causes: []decision.Cause{stays, stays}, Note: "paused"}, nil, "stable, 2 of 2 replicas available; 2 Terminating with a finalizer, paused."},
		{"complete, and a Pod is deleted on a lost node", Assessment{Replicas: replicas(2, 2, 2), Causes: []decision.Cause{lost, slow}}, nil, "stable, 2 of 2 replicas available; 1 Terminating on NotReady node n1."},
		{"complete, and another Pod is on a lost node", Assessment{Replicas: replicas(2, 2, 2), Causes: []decision.Cause{onLost}}, nil, "stable, 2 of 2 replicas available."},
		{"a Pod is deleted on a lost node, and one is missing", Assessment{Replicas: replicas(2, 1, 1), Causes: []decision.Cause{lost}}, nil, "progressing, 1 of 2 available; q Terminating on NotReady node n1 for 40s."},
		{"a Pod is deleted on a lost node, and one of those there can't start", Assessment{Replicas: replicas(3, 3, 2), Causes: []decision.Cause{vanished, unset, overdue}}, nil, "blocked, 2 of 3 available; 1 without ConfigMap \"web-config\", another cause."},
		{"a Pod is deleted on a lost node, one is missing, and one can't start", Assessment{Replicas: replicas(3, 2, 1), Causes: []decision.Cause{vanished, unset}}, nil, "blocked, 1 of 3 available; 1 Terminating on NotReady node n1, another cause."},
		{"a Pod is deleted on a lost node, and one of those there finds no room", Assessment{Replicas: replicas(3, 3, 2), Causes: []decision.Cause{vanished, roomless}}, nil, "blocked, 2 of 3 available; 1 Terminating on NotReady node n1, another cause."},
		{"a Pod is not removed, and one is missing", Assessment{Replicas: replicas(2, 1, 1), Causes: []decision.Cause{stays}}, nil, "blocked, 1 of 2 available; 1 Terminating with a finalizer."},
		{"a Pod is not removed, and one is to be updated", Assessment{Replicas: updating(replicas(2, 2, 2), 1, 2), Causes: []decision.Cause{stays}}, nil, "blocked, 1 of 2 updated; 1 Terminating with a finalizer."},
		{"a Pod is not removed, and its name is needed", Assessment{Replicas: replicas(2, 2, 2), Undone: true, Causes: []decision.Cause{stays}}, nil, "blocked, 2 of 2 available; 1 Terminating with a finalizer."},
		{"a Pod is not removed, and stops the controller", Assessment{Replicas: replicas(2, 2, 2), Causes: []decision.Cause{held}}, nil, "blocked, 2 of 2 available; 1 Terminating with a finalizer."},
		{"a Pod is not removed, and another crashes", Assessment{Replicas: replicas(2, 2, 2), Causes: []decision.Cause{stays, crash}}, nil, "blocked, 2 of 2 available; 1 Terminating with a finalizer, 1 OOMKilled."},
		{"what is not removed is no Pod", Assessment{Replicas: replicas(2, 2, 2), Causes: []decision.Cause{claim}}, nil, "blocked, 2 of 2 available; Terminating with a finalizer."},
		{"a Pod is not removed, and something is unread", Assessment{Replicas: replicas(2, 2, 2), Unread: true, Causes: []decision.Cause{stays}}, nil, "blocked, 2 of 2 available; 1 Terminating with a finalizer."},
		{"a Pod is not removed of what has no replicas", Assessment{Causes: []decision.Cause{stays}}, nil, "blocked; 1 Terminating with a finalizer."},
		{"complete, and its name is needed", Assessment{Replicas: replicas(2, 2, 2), Undone: true, Causes: []decision.Cause{slow}}, nil, "progressing, 2 of 2 available; p ContainerCreating for 8s."},
		{"deleted", Assessment{Deleting: true, Replicas: replicas(2, 2, 2), Causes: []decision.Cause{crash}}, []decision.Action{creates}, "terminating, 2 of 2 available; 1 OOMKilled."},
		{"updating", Assessment{Replicas: updating(replicas(4, 4, 3), 1, 4), Causes: []decision.Cause{slow}}, nil, "progressing, 1 of 4 updated, 3 available; p ContainerCreating for 8s."},
		{"updating, all available", Assessment{Replicas: updating(replicas(4, 4, 4), 1, 4), Causes: []decision.Cause{slow}}, nil, "progressing, 1 of 4 updated; p ContainerCreating for 8s."},
		{"partition reached", Assessment{Replicas: updating(replicas(4, 4, 4), 1, 1), Note: "partition 3 is reached"}, nil, "stable, 4 of 4 replicas available, 1 updated; partition 3 is reached."},
		{"collected", Assessment{Replicas: replicas(2, 2, 2), Causes: []decision.Cause{crash}, Collected: &gone}, nil, "reconciling, 2 of 2 available; the garbage collector deletes it and its dependents."},
		{"stable besides", Assessment{Replicas: replicas(2, 2, 2), Besides: besides, Note: "it is paused"}, nil, "stable, 2 of 2 replicas available; the garbage collector deletes 1 Pod."},
		{"blocked besides", Assessment{Replicas: replicas(2, 2, 1), Besides: besides, Causes: []decision.Cause{crash}}, nil, "blocked, 1 of 2 available; 1 OOMKilled, the garbage collector deletes 1 Pod."},
		{"reconciling besides", Assessment{Replicas: replicas(4, 2, 2), Besides: besides}, []decision.Action{creates}, "reconciling, 2 of 4 available; the garbage collector deletes 1 Pod."},
	}
	for _, tt := range tests {
		d := &decision.Decision{AsOf: now, Target: decision.Ref{Kind: "ReplicaSet", Namespace: "shop", Name: "web"}, Actions: tt.actions, Pending: len(tt.actions) > 0}
		tt.a.Settle(d)
		if want := "replicaset/web in shop: " + tt.want; d.Headline != want {
			t.Errorf("%s: got  %s\nwant %s", tt.name, d.Headline, want)
		}
		if causes := tt.a.counted(d.Standing); d.Next != next(causes) || !d.Since.Equal(earliest(causes)) {
			t.Errorf("%s: since %v, next %q of %v", tt.name, d.Since, d.Next, causes)
		}
	}
}

// TestNextOfReconciling: the next command is of what the first line names first, and none where
// that is what the next sync does.
func TestNextOfReconciling(t *testing.T) {
	held := decision.Cause{Label: "no active leader", Stops: true, Next: "kubectl describe lease"}
	crash := Options{Now: now}.Judge(decision.Cause{Label: "OOMKilled", Pod: &decision.PodColumns{}, Next: "kubectl logs"}, CrashLoop, now)
	hook := Options{Now: now}.Judge(decision.Cause{Label: "held by the update hook", Pod: &decision.PodColumns{}, Next: "kubectl get"}, Hook, now.Add(-time.Hour))
	for _, tt := range []struct {
		available int
		causes    []decision.Cause
		want      string
	}{
		{1, []decision.Cause{crash}, ""},
		{1, []decision.Cause{crash, held}, held.Next},
		{0, []decision.Cause{held, crash}, crash.Next},
		{0, []decision.Cause{held}, held.Next},
		{1, []decision.Cause{hook}, hook.Next},
	} {
		d := &decision.Decision{AsOf: now, Pending: true}
		Assessment{Replicas: &decision.Replicas{Desired: 2, Current: 2, Available: tt.available}, Causes: tt.causes}.Settle(d)
		if d.State != decision.StateReconciling || d.Next != tt.want {
			t.Errorf("%s next %q, want %q", d.Headline, d.Next, tt.want)
		}
	}
}

// TestWithReplaced: a Pod that a rollout replaces blocks nothing, and the next command is about it
// only where no new Pod has one.
func TestWithReplaced(t *testing.T) {
	crash := Options{Now: now}.Judge(decision.Cause{Label: "OOMKilled", Next: "kubectl logs"}, CrashLoop, now)
	crash.Blocked, crash.BlockedAt = true, now
	for _, tt := range []struct {
		causes []decision.Cause
		want   string
	}{
		{nil, crash.Next},
		{[]decision.Cause{{Class: string(MinReady)}}, crash.Next},
		{[]decision.Cause{{Class: string(Deletion), Next: "kubectl get", Pod: &decision.PodColumns{}}}, "kubectl get"},
		{[]decision.Cause{{Class: string(Step), Next: "kubectl describe"}}, "kubectl describe"},
	} {
		all := WithReplaced(tt.causes, []decision.Cause{crash})
		if c := all[0]; c.Label != crash.Label || c.Blocked || !c.BlockedAt.IsZero() || next(all) != tt.want {
			t.Errorf("%+v: %+v, next %q, want %q", tt.causes, c, next(all), tt.want)
		}
		(&Patience{For: new(time.Duration)}).Judge(decision.Ref{}, all, now)
		if all[0].Blocked {
			t.Errorf("%+v: blocks after a time that was given", tt.causes)
		}
		if alone := next(all[:1]); alone != crash.Next {
			t.Errorf("%+v: next %q where nothing else has one", tt.causes, alone)
		}
	}
}

// TestForbidden: what may not be read is named with the command that shows it, and the answer
// is no whole one; a state that is known without it is.
func TestForbidden(t *testing.T) {
	for available, want := range map[int]string{
		1: "unknown, 1 of 2 available; why is not known: to list pods is forbidden. (partial answer)",
		2: "unknown, 2 of 2 available. (partial answer)",
	} {
		d := &decision.Decision{AsOf: now, Target: decision.Ref{Kind: "Deployment", Namespace: "shop", Name: "web"}}
		Assessment{Replicas: &decision.Replicas{Desired: 2, Current: 2, Available: available}, Unread: true, Forbidden: "pods"}.Settle(d)
		if d.Headline != "deployment/web in shop: "+want || d.Next != "kubectl auth can-i list pods -n shop" || !d.Partial {
			t.Errorf("%s next %q, partial %t", d.Headline, d.Next, d.Partial)
		}
	}
	for class, want := range map[Class]string{Deadline: "kubectl auth can-i list pods -n shop", Quota: "kubectl describe"} {
		d := &decision.Decision{AsOf: now, Target: decision.Ref{Kind: "Deployment", Namespace: "shop", Name: "web"}}
		cause := Options{Now: now}.Judge(decision.Cause{Label: "x", Next: "kubectl describe"}, class, now.Add(-time.Hour))
		Assessment{Replicas: &decision.Replicas{Desired: 2, Current: 2}, Causes: []decision.Cause{cause}, Unread: true, Forbidden: "pods"}.Settle(d)
		if d.State != decision.StateBlocked || d.Next != want || d.Partial {
			t.Errorf("%s: %s next %q, partial %t", class, d.State, d.Next, d.Partial)
		}
	}
	d := &decision.Decision{AsOf: now, Actions: []decision.Action{{Verb: decision.Create}}, Pending: true}
	if (Assessment{Unread: true, Forbidden: "pods"}).Settle(d); d.Partial || d.Next != "" {
		t.Errorf("%s next %q, partial %t", d.Headline, d.Next, d.Partial)
	}
}

// TestFit counts the causes that a first line has no room for, and keeps one.
func TestFit(t *testing.T) {
	brief := "ResourceQuota compute-resources exceeded"
	long := label{texts: []string{brief + " (requests.cpu: 1500m/1600m)", brief}}
	endless := strings.Repeat("endless", 20)
	plain := func(text string, r rank) label { return label{texts: []string{text}, rank: r} }
	unfit := label{texts: []string{"2 Unschedulable (Insufficient cpu)", "2 Insufficient cpu", "2 Unschedulable"}}
	a, b, c := plain("1 a", causeRank), plain("1 b", causeRank), plain("1 c", causeRank)
	for _, tt := range []struct {
		all  []label
		want string
	}{
		{nil, ""},
		{[]label{plain(endless, rootRank)}, endless},
		{[]label{{texts: []string{brief + endless, brief}}}, brief},
		{[]label{a, b, c}, "1 a, 1 b, 1 c"},
		{[]label{long, b, c}, brief + ", 1 b, 1 c"},
		{[]label{long, b, plain(endless, causeRank)}, brief + ", 1 b, another cause"},
		{[]label{a, long, c}, "1 a, " + brief + ", 1 c"},
		{[]label{plain(endless, symptomRank), long, b}, brief + ", 1 b, another cause"},
		{[]label{plain("3 not ready", symptomRank), a, plain(strings.Repeat("b", 58), causeRank)}, "1 a, " + strings.Repeat("b", 58) + ", 1 more"},
		{[]label{a, plain(strings.Repeat("b", 58), causeRank), {texts: []string{"progress deadline exceeded"}, rank: symptomRank, silent: true}}, "1 a, " + strings.Repeat("b", 58)},
		{[]label{a, {texts: []string{endless}, rank: symptomRank, silent: true}, plain(endless, causeRank)}, "1 a, another cause"},
		{[]label{unfit, {texts: []string{"progress deadline exceeded, and no more", "deadline exceeded"}}}, "2 Unschedulable (Insufficient cpu), deadline exceeded"},
		{[]label{unfit, plain(strings.Repeat("c", 50), causeRank)}, "2 Insufficient cpu, " + strings.Repeat("c", 50)},
		{[]label{unfit, plain(strings.Repeat("c", 55), causeRank)}, "2 Unschedulable, " + strings.Repeat("c", 55)},
	} {
		if got := fit(tt.all, longest); got != tt.want {
			t.Errorf("%v: got %q, want %q", tt.all, got, tt.want)
		}
	}
}

// TestHeadlineFits: a first line leaves out for how long, and then the deadline that follows
// from another cause, where it has no columns for them.
func TestHeadlineFits(t *testing.T) {
	missing, exceeded := decision.Cause{Label: "image not found", Blocked: true, Pod: &decision.PodColumns{}},
		decision.Cause{Label: "progress deadline exceeded", Briefs: []string{"deadline exceeded"}, Class: string(Deadline), Follows: true, Blocked: true}
	notReady := decision.Cause{Label: "not ready", Class: string(Step), Blocked: true, Pod: &decision.PodColumns{}}
	crashes := decision.Cause{Label: "OOMKilled", Class: string(CrashLoop), Blocked: true, Pod: &decision.PodColumns{}}
	slow := decision.Cause{Label: "waiting for minReadySeconds", Pod: &decision.PodColumns{}, Object: decision.Ref{Name: "p-1"}, Since: now.Add(-20 * time.Second)}
	for _, tt := range []struct {
		name   string
		causes []decision.Cause
		want   string
	}{
		{"web", []decision.Cause{missing, exceeded}, "1 image not found, progress deadline exceeded."},
		{"checkout-web", []decision.Cause{missing, exceeded}, "1 image not found, deadline exceeded."},
		{"checkout-web-berlin-a", []decision.Cause{missing, exceeded}, "1 image not found."},
		{"web", []decision.Cause{slow}, "p-1 waiting for minReadySeconds for 20s."},
		{"checkout-web", []decision.Cause{slow}, "p-1 waiting for minReadySeconds."},
		{"checkout-web-berlin-a", []decision.Cause{slow}, "1 waiting for minReadySeconds."},
		{"web", []decision.Cause{notReady, exceeded}, "1 not ready, progress deadline exceeded."},
		{"checkout-web-berlin", []decision.Cause{notReady, exceeded}, "1 not ready, deadline exceeded."},
		{"checkout-web-berlin-a-green", []decision.Cause{notReady, exceeded}, "1 not ready."},
		{"checkout-web-berlin-a-green", []decision.Cause{crashes, exceeded}, "1 OOMKilled."},
	} {
		d := &decision.Decision{AsOf: now, Target: decision.Ref{Kind: "CloneSet", Namespace: "shop", Name: tt.name}}
		Assessment{Replicas: replicas(2, 2, 1), Causes: tt.causes}.Settle(d)
		if _, cause, _ := strings.Cut(d.Headline, "; "); cause != tt.want {
			t.Errorf("%s: got %q, want %q", d.Headline, cause, tt.want)
		}
		if n := len(strings.TrimSuffix(d.Headline, ".")); n > columns {
			t.Errorf("%d columns: %s", n, d.Headline)
		}
	}
}
