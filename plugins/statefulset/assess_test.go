package statefulset_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/controller"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/whatif"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/statefulset"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/clusterdsl"
)

// explained is the whole answer about web.
func explained(t *testing.T, text, version string) *decision.Decision {
	t.Helper()
	v, err := clusterdsl.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	c := controller.NewRegistry(statefulset.Controller())[0]
	d, err := c.Run(v.Reader(), emulating(t, version, ""), targetOf("web"), nil)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestHeadlines: what the person at 3 a.m. reads first, and the command to type next.
func TestHeadlines(t *testing.T) {
	const none = "none" // where a next command is empty, and not only not looked at
	const set, old, fresh = "sts web selector=app=web replicas=3 image=web:2 current=web-a update=web-b counts=3/3/3/3/0 ", "srev web-a of=sts/web image=web:1\n", "srev web-b of=sts/web number=2 image=web:2\n"
	ready := func(rev string, names ...string) (text string) {
		for _, name := range names {
			text += "ord " + name + " of=sts/web rev=" + rev + " ready=1h\n"
		}
		return text
	}
	for _, c := range []struct{ name, text, version, headline, next string }{
		{
			"a broken old revision blocks its own fix", set + "\nsrev web-x of=sts/web image=web:bad\n" + fresh + ready("web-b", "web-0", "web-1") + "ord web-2 of=sts/web rev=web-x node=n1 why=image@30m\n", "1.37",
			"statefulset/web in shop: blocked, 2 of 3 updated, 2 available; web-2 blocks updates: image not found.", "kubectl delete pod web-2 -n shop",
		},
		{
			"it is said before its own cause blocks: no node fits it", set + "\n" + old + fresh + ready("web-a", "web-0", "web-1") + "ord web-2 of=sts/web rev=web-a request=8 why=unschedulable@10s\n", "1.37",
			"statefulset/web in shop: progressing, 0 of 3 updated, 2 available; web-2 blocks its own update.", "kubectl delete pod web-2 -n shop",
		},
		{
			"no node fits it, and none would fit what replaces it", set + "\n" + old + fresh + ready("web-a", "web-0", "web-1") + "ord web-2 of=sts/web rev=web-a why=unschedulable@10m\n", "1.37",
			"statefulset/web in shop: blocked, 0 of 3 updated, 2 available; 1 Unschedulable (Insufficient cpu).", "kubectl describe pod web-2 -n shop",
		},
		{
			"nor has what replaces it another claim", strings.Replace(set, "replicas=3", "replicas=1 claims=data", 1) + "\n" + old + fresh + "pvc data-web-0\nord web-0 of=sts/web rev=web-a claims=data why=unbound@10m\n", "1.37",
			"statefulset/web in shop: blocked, 0 of 1 updated, 0 available; 1 Unschedulable.", "kubectl describe pod web-0 -n shop",
		},
		{
			"what replaces it runs the same image", set + "\n" + strings.Replace(old, "web:1", "web:2 request=1", 1) + fresh + ready("web-a", "web-0", "web-1") + "ord web-2 of=sts/web rev=web-a image=web:2 node=n1 why=image@30m\n", "1.37",
			"statefulset/web in shop: blocked, 0 of 3 updated, 2 available; 1 image not found.", "kubectl describe pod web-2 -n shop",
		},
		{
			"and does so when it is deleted with OnDelete", set + "strategy=OnDelete\n" + strings.Replace(old, "web:1", "web:2 request=1", 1) + fresh + ready("web-a", "web-0", "web-1") + "ord web-2 of=sts/web rev=web-a image=web:2 node=n1 why=image@30m\n", "1.37",
			"statefulset/web in shop: blocked, 2 of 3 available; 1 image not found.", "kubectl describe pod web-2 -n shop",
		},
		{
			"a quota refuses a claim", strings.Replace(set, "replicas=3", "replicas=1 claims=data", 1) + "\n" + fresh + "quota few pvcs=2/2\n", "1.37",
			"statefulset/web in shop: blocked, 0 of 1 Pods created; ResourceQuota few exceeded.", "kubectl describe resourcequota few -n shop",
		},
		{
			"it crashed twice", set + "\n" + old + fresh + ready("web-a", "web-0", "web-1") + "ord web-2 of=sts/web rev=web-a node=n1 why=crash@1m×2\n", "1.37",
			"statefulset/web in shop: progressing, 0 of 3 updated, 2 available; web-2 blocks its own update.", "kubectl delete pod web-2 -n shop",
		},
		{
			"it has been starting for long", set + "\n" + old + fresh + ready("web-a", "web-0", "web-1") + "ord web-2 of=sts/web rev=web-a node=n1 why=creating@30m\n", "1.37",
			"statefulset/web in shop: blocked, 0 of 3 updated, 2 available; web-2 blocks its own update.", "kubectl delete pod web-2 -n shop",
		},
		{
			"and not of one that only starts", set + "\n" + old + fresh + ready("web-a", "web-0", "web-1") + "ord web-2 of=sts/web rev=web-a node=n1 why=creating@8s\n", "1.37",
			"statefulset/web in shop: progressing, 0 of 3 updated, 2 available; web-2 ContainerCreating for 8s.", "kubectl describe pod web-2 -n shop",
		},
		{
			"a Pod of the update revision is broken: to delete it does not help", set + "\n" + old + fresh + ready("web-a", "web-0", "web-1") + "ord web-2 of=sts/web rev=web-b node=n1 why=image@30m\n", "1.37",
			"statefulset/web in shop: blocked, 1 of 3 updated, 2 available; 1 image not found.", "kubectl describe pod web-2 -n shop",
		},
		{
			"below the partition it would be created of the same revision", set + "partition=3\n" + old + fresh + ready("web-a", "web-0", "web-1") + "ord web-2 of=sts/web rev=web-a node=n1 why=image@30m\n", "1.37",
			"statefulset/web in shop: blocked, 2 of 3 available; 1 image not found.", "kubectl describe pod web-2 -n shop",
		},
		{
			"maxUnavailable is used up by broken Pods of the old revision, in 1.35.0", set + "policy=Parallel\n" + old + fresh + ready("web-a", "web-0", "web-1") + "ord web-2 of=sts/web rev=web-a node=n1 why=image@30m\n", "1.35.0",
			"statefulset/web in shop: blocked, 0 of 3 updated, 2 available; web-2 blocks updates: image not found.", "kubectl delete pod web-2 -n shop",
		},
		{
			"a broken Pod of the old revision is one of two, and the other one only starts", strings.Replace(set, "replicas=3", "replicas=3 unavailable=2", 1) + "policy=Parallel\n" + old + fresh + ready("web-a", "web-0") + "ord web-1 of=sts/web rev=web-a node=n1 why=image@30m\nord web-2 of=sts/web rev=web-b notready=10s\n", "1.35.0",
			"statefulset/web in shop: blocked, 1 of 3 updated, 1 available; 1 image not found, 1 not scheduled.", "kubectl describe pod web-1 -n shop",
		},
		{
			"both are of the old revision", strings.Replace(set, "replicas=3", "replicas=3 unavailable=2", 1) + "policy=Parallel\n" + old + fresh + ready("web-a", "web-0") + "ord web-1 of=sts/web rev=web-a node=n1 why=image@30m\nord web-2 of=sts/web rev=web-a node=n1 why=image@30m\n", "1.35.0",
			"statefulset/web in shop: blocked, 0 of 3 updated, 1 available; web-1 blocks its own update, 1 more.", "kubectl delete pod web-1 -n shop",
		},
		{
			"a status below zero is written by the next sync", set + "\nsrev web-x of=sts/web image=web:x\n" + fresh + ready("web-x", "web-0", "web-1", "web-2"), "1.37",
			"statefulset/web in shop: reconciling, 0 of 3 updated; next sync deletes 1 Pod to replace it.", "",
		},
		{
			"an orphan counts once it is adopted", set + "\n" + fresh + ready("web-b", "web-0", "web-1") + "ord web-2 rev=web-b ready=1h\n", "1.37",
			"statefulset/web in shop: reconciling, 2 of 3 available; next sync adopts 1 Pod.", "",
		},
		{
			"the update waits for another Pod, and replaces the broken one then", set + "policy=Parallel\n" + old + fresh + ready("web-a", "web-0") + "ord web-1 of=sts/web rev=web-a node=n1 why=image@30m\nord web-2 of=sts/web rev=web-b node=n1 why=creating@10s\n", "1.34",
			"statefulset/web in shop: progressing, 1 of 3 updated, 1 available; 1 ContainerCreating.", "kubectl describe pod web-2 -n shop",
		},
		{
			"the Pod that it waits for is broken as well", set + "policy=Parallel\n" + old + fresh + ready("web-a", "web-0") + "ord web-1 of=sts/web rev=web-a node=n1 why=image@30m\nord web-2 of=sts/web rev=web-b node=n1 why=crash@30m×9\n", "1.34",
			"statefulset/web in shop: blocked, 1 of 3 updated, 1 available; 1 CrashLoopBackOff.", "kubectl logs web-2 -c main --previous -n shop",
		},
		{
			"1.35.4 replaces it", set + "policy=Parallel\n" + old + fresh + ready("web-a", "web-0", "web-1") + "ord web-2 of=sts/web rev=web-a node=n1 why=image@30m\n", "1.35.4",
			"statefulset/web in shop: reconciling, 0 of 3 updated, 2 available; next sync deletes 1 Pod to replace it.", "",
		},
		{
			"an ordinal waits for the one before", set + "\n" + fresh + ready("web-b", "web-0") + "ord web-1 of=sts/web rev=web-b node=n1 why=crash@41m×7\n", "1.37",
			"statefulset/web in shop: blocked, 1 of 3 available; 1 CrashLoopBackOff.", "",
		},
		{
			"a partition is reached", set + "partition=2\n" + old + fresh + ready("web-a", "web-0", "web-1") + ready("web-b", "web-2"), "1.37",
			"statefulset/web in shop: stable, 3 of 3 replicas available, 1 updated; partition 2 is reached.", "",
		},
		{
			"a partition, and no Pod is of another revision", set + "partition=2\n" + old + fresh + ready("web-b", "web-0", "web-1", "web-2"), "1.37",
			"statefulset/web in shop: stable, 3 of 3 replicas available, 3 updated.", "",
		},
		{
			"OnDelete, and no Pod is of another revision", set + "strategy=OnDelete\n" + old + fresh + ready("web-b", "web-0", "web-1", "web-2"), "1.37",
			"statefulset/web in shop: stable, 3 of 3 replicas available.", "",
		},
		{
			"broken Pods of an old revision beyond the ordinals block no update", strings.Replace(set, "replicas=3", "replicas=1", 1) + "\n" + old + fresh + ready("web-b", "web-0") +
				"ord web-1 of=sts/web rev=web-a node=n1 why=image@30m\nord web-2 of=sts/web rev=web-a node=n1 why=image@30m\n", "1.37",
			"statefulset/web in shop: blocked, 1 of 1 available; 2 image not found.", "",
		},
		{
			"one beyond the ordinals crashes, and a Pod among them holds up its deletion", set + "\n" + old + fresh + ready("web-a", "web-0", "web-1", "web-3") +
				"ord web-2 of=sts/web rev=web-a node=n1 why=creating@30m\nord web-4 of=sts/web rev=web-a node=n1 why=crash@30m×9\n", "1.37",
			"statefulset/web in shop: blocked, 0 of 3 updated, 2 available; web-2 blocks its own update.", "kubectl delete pod web-2 -n shop",
		},
		{
			"one beyond the ordinals crashes, and a Pod among them only starts", set + "\n" + fresh + ready("web-b", "web-0", "web-1") +
				"ord web-2 of=sts/web rev=web-b node=n1 why=creating@8s\nord web-3 of=sts/web rev=web-b node=n1 why=crash@30m×9\n", "1.37",
			"statefulset/web in shop: progressing, 2 of 3 available; 1 ContainerCreating, 1 CrashLoopBackOff.", "kubectl describe pod web-2 -n shop",
		},
		{
			"one beyond the ordinals holds up the deletion of another", set + "\n" + fresh + ready("web-b", "web-0", "web-1", "web-2") +
				"ord web-3 of=sts/web rev=web-b node=n1 why=crash@30m×9\nord web-4 of=sts/web rev=web-b node=n1 why=image@30m\n", "1.37",
			"statefulset/web in shop: blocked, 3 of 3 available; 1 CrashLoopBackOff, 1 image not found.", "kubectl logs web-3 -c main --previous -n shop",
		},
		{
			"another Pod crashes besides the one of an old revision that holds up the update", set + "\n" + old + fresh + ready("web-a", "web-0") +
				"ord web-1 of=sts/web rev=web-a node=n1 why=creating@30m\nord web-2 of=sts/web rev=web-a node=n1 why=crash@30m×9\n", "1.37",
			"statefulset/web in shop: blocked, 0 of 3 updated, 1 available; web-1 blocks its own update, 1 more.", "kubectl delete pod web-1 -n shop",
		},
		{
			"OnDelete, and a Pod of the update revision is being deleted", set + "strategy=OnDelete\n" + old + fresh + ready("web-a", "web-0", "web-1") + "ord web-2 of=sts/web rev=web-b ready=1h deleted=1s\n", "1.37",
			"statefulset/web in shop: progressing, 2 of 3 available; web-2 Terminating for 1s.", "",
		},
		{
			"OnDelete, and one has ended", set + "strategy=OnDelete\n" + old + fresh + ready("web-a", "web-0", "web-1") + "ord web-2 of=sts/web rev=web-b phase=Failed\n", "1.37",
			"statefulset/web in shop: reconciling, 2 of 3 available; next sync deletes 1 Pod to replace it.", "",
		},
		{
			"OnDelete, and more Pods are of the update revision than desired", strings.Replace(set, "replicas=3", "replicas=1", 1) + "strategy=OnDelete\n" + old + fresh + ready("web-b", "web-0", "web-1", "web-2"), "1.37",
			"statefulset/web in shop: reconciling, 1 of 1 available; next sync deletes 1 Pod.", "",
		},
		{
			"OnDelete, and an old Pod has ended", set + "strategy=OnDelete\n" + old + fresh + ready("web-a", "web-0", "web-1") + "ord web-2 of=sts/web rev=web-a phase=Failed because=Evicted deleted=10m\n", "1.37",
			"statefulset/web in shop: blocked, 2 of 3 available; 1 Terminating.", "",
		},
		{
			"a partition, and a broken Pod is of a third revision", strings.Replace(set, "current=web-a", "current=web-x", 1) + "partition=2\nsrev web-x of=sts/web number=2 image=web:x age=1h\nsrev web-y of=sts/web number=1 image=web:y age=1h\nsrev web-b of=sts/web number=3 image=web:2 age=9h\n" +
				ready("web-b", "web-2") + ready("web-x", "web-0") + "ord web-1 of=sts/web rev=web-y node=n1 why=image@30m\n", "1.37",
			"statefulset/web in shop: blocked, 2 of 3 available; web-1 keeps revision web-y: image not found.", "",
		},
		{
			"a Pod of a padded name is being deleted", set + "\n" + fresh + ready("web-b", "web-0", "web-1", "web-2") + "ord web-01 of=sts/web rev=web-b ready=1h deleted=1s\n", "1.37",
			"statefulset/web in shop: stable, 3 of 3 replicas available.", "",
		},
		{
			"a Pod of a padded name is beyond the ordinals", set + "\n" + fresh + ready("web-b", "web-0", "web-1", "web-2") + "ord web-07 of=sts/web rev=web-b ready=1h\n", "1.37",
			"statefulset/web in shop: reconciling, 3 of 3 available; next sync deletes 1 Pod.", "",
		},
		{
			"a Pod beyond the last has ended and is being deleted", strings.Replace(set, "replicas=3", "replicas=1", 1) + "\n" + fresh + ready("web-b", "web-0") + "ord web-1 of=sts/web rev=web-b phase=Failed deleted=1s\nord web-2 of=sts/web rev=web-b phase=Failed\n", "1.37",
			"statefulset/web in shop: progressing, 1 of 1 available; web-1 Terminating for 1s.", "",
		},
		{
			"OnDelete, and three Pods are not updated", strings.Replace(set, "replicas=3", "replicas=4", 1) + "strategy=OnDelete\n" + old + fresh + ready("web-a", "web-0", "web-1") + ready("web-b", "web-2", "web-3"), "1.37",
			"statefulset/web in shop: stable, 4 of 4 replicas available, 2 updated; OnDelete: web-0, web-1 not updated.", "",
		},
		{
			"a Pod of the update revision that has ended is not updated", set + "\n" + old + fresh + ready("web-a", "web-0", "web-1") + "ord web-2 of=sts/web rev=web-b phase=Failed\n", "1.37",
			"statefulset/web in shop: reconciling, 0 of 3 updated, 2 available; next sync deletes 1 Pod to replace it.", "",
		},
		{
			"nor is one that is being deleted", set + "\n" + old + fresh + ready("web-a", "web-0", "web-1") + "ord web-2 of=sts/web rev=web-b ready=1h deleted=1s\n", "1.37",
			"statefulset/web in shop: progressing, 0 of 3 updated, 2 available; web-2 Terminating for 1s.", "",
		},
		{
			"a broken Pod that may be of the update revision, which was not read", "files\n" + set + "generation=2 observed=1\n" + ready("web-a", "web-0", "web-1") + "ord web-2 of=sts/web rev=web-a node=n1 why=image@30m\n", "1.37",
			"statefulset/web in shop: blocked, 2 of 3 available; 1 image not found.", "",
		},
		{
			"OnDelete", set + "strategy=OnDelete\n" + old + fresh + ready("web-a", "web-0", "web-1", "web-2"), "1.37",
			"statefulset/web in shop: stable, 3 of 3 replicas available, 0 updated; OnDelete: 3 Pods not updated.", "",
		},
		{
			"a claim is being deleted that its Pod keeps", set + "claims=data\n" + fresh + "pvc data-web-0 deleted=10m\nord web-0 of=sts/web rev=web-b claims=data node=n1 phase=Pending notready=10m\n", "1.37",
			"statefulset/web in shop: blocked, 1 of 3 Pods created; PVC data-web-0 is being deleted, 1 more.", "kubectl delete pod web-0 -n shop",
		},
		{
			"another Pod has the name", set + "\n" + fresh + ready("web-b", "web-0") + "ord web-1 of=rs/other ready=1h\n", "1.37",
			"statefulset/web in shop: blocked, 1 of 3 Pods created; another Pod has the name web-1.", "kubectl ctrl owners pod/web-1 -n shop",
		},
		{
			"a quota refuses the next Pod", set + "\n" + fresh + ready("web-b", "web-0") + "quota compute pods=3/3\n", "1.37",
			"statefulset/web in shop: blocked, 1 of 3 Pods created; ResourceQuota compute exceeded (pods: 3/3).", "kubectl describe resourcequota compute -n shop",
		},
		{
			"a Pod before the first ordinal is none of those desired", set + "start=2\n" + fresh + ready("web-b", "web-0", "web-1", "web-2"), "1.37",
			"statefulset/web in shop: reconciling, 1 of 3 available; next sync creates 1 Pod.", "",
		},
		{
			"nor is one beyond the last", strings.Replace(set, "replicas=3", "replicas=1", 1) + "\n" + fresh + ready("web-b", "web-1", "web-2") + "ord web-0 of=sts/web rev=web-b node=n1 why=image@30m\n", "1.37",
			"statefulset/web in shop: blocked, 0 of 1 available; 1 image not found.", "kubectl describe pod web-0 -n shop",
		},
		{
			"it is not stable while one beyond the last waits to be deleted", strings.Replace(set, "replicas=3", "replicas=1", 1) + "\n" + fresh + ready("web-b", "web-0", "web-1") + "ord web-2 of=sts/web rev=web-b ready=1h deleted=10m\n", "1.37",
			"statefulset/web in shop: blocked, 1 of 1 available; 1 Terminating.", "",
		},
		{
			"OnDelete keeps a broken Pod as it is", set + "strategy=OnDelete\n" + old + fresh + ready("web-a", "web-0", "web-1") + "ord web-2 of=sts/web rev=web-a node=n1 why=crash@41m×7\n", "1.37",
			"statefulset/web in shop: blocked, 2 of 3 available; OnDelete: web-2 not updated, 1 CrashLoopBackOff.", "kubectl delete pod web-2 -n shop",
		},
		{
			"OnDelete, and the broken Pod is of the update revision", set + "strategy=OnDelete\n" + old + fresh + ready("web-a", "web-0", "web-1") + "ord web-2 of=sts/web rev=web-b node=n1 why=image@30m\n", "1.37",
			"statefulset/web in shop: blocked, 2 of 3 available; 1 image not found.", "kubectl describe pod web-2 -n shop",
		},
		{
			"a partition keeps a broken Pod from the rollback", strings.Replace(set, "current=web-a", "current=web-x", 1) + "partition=2\nsrev web-x of=sts/web number=2 image=web:bad age=1h\nsrev web-b of=sts/web number=3 image=web:2 age=9h\n" + ready("web-b", "web-2") + ready("web-x", "web-0") + "ord web-1 of=sts/web rev=web-x node=n1 why=image@30m\n", "1.37",
			"statefulset/web in shop: blocked, 2 of 3 available; partition 2 keeps web-1, 1 image not found.", "kubectl ctrl plan statefulset/web --partition 1 -n shop",
		},
		{
			"a partition, and a Pod waits for minReadySeconds alone", strings.Replace(set, "current=web-a", "current=web-x", 1) + "partition=2 minReady=600\nsrev web-x of=sts/web number=2 image=web:bad age=1h\nsrev web-b of=sts/web number=3 image=web:2 age=9h\n" + ready("web-b", "web-2") + ready("web-x", "web-0") + "ord web-1 of=sts/web rev=web-x ready=1m\n", "1.37",
			"statefulset/web in shop: progressing, 2 of 3 available; web-1 waiting for minReadySeconds for 60s.", none,
		},
		{
			"a Pod that has ended holds its ordinal", set + "\n" + fresh + ready("web-b", "web-0", "web-2") + "ord web-1 of=sts/web rev=web-b phase=Failed because=Evicted deleted=10m\n", "1.37",
			"", "kubectl describe pod web-1 -n shop",
		},
		{
			"a Pod without the volume of a claim can't be given it", set + "claims=data\n" + fresh + "pvc data-web-0\n" + ready("web-b", "web-0", "web-1", "web-2"), "1.37",
			"statefulset/web in shop: blocked, 3 of 3 available; web-0 lacks the volume of PVC data-web-0.", "kubectl delete pod web-0 -n shop",
		},
		{
			"a Pod that is Ready and not Running is not ready", set + "\n" + fresh + ready("web-b", "web-0", "web-2") + "ord web-1 of=sts/web rev=web-b ready=1h phase=Unknown\n", "1.37",
			"statefulset/web in shop: blocked, 2 of 3 available; 1 phase Unknown.", "kubectl describe pod web-1 -n shop",
		},
		{
			"a Pod beyond the last that has ended keeps those above it", strings.Replace(set, "replicas=3", "replicas=1", 1) + "\n" + fresh + ready("web-b", "web-0") + "ord web-1 of=sts/web rev=web-b phase=Failed\nord web-2 of=sts/web rev=web-b phase=Failed\n", "1.37",
			"statefulset/web in shop: blocked, 1 of 1 available; Failed web-1 blocks further deletions.", "kubectl delete pod web-1 -n shop",
		},
		{
			"two Pods of one ordinal", set + "\n" + fresh + ready("web-b", "web-0", "web-01", "web-1", "web-2"), "1.37",
			"statefulset/web in shop: blocked, 4 available, 3 desired; web-01 has the ordinal of web-1.", "kubectl delete pod web-01 -n shop",
		},
		{
			"its own Pod without a phase", set + "\n" + fresh + ready("web-b", "web-0", "web-2") + "ord web-1 of=sts/web rev=web-b phase=\n", "1.37",
			"statefulset/web in shop: blocked, 2 of 3 available; web-1 has no status.phase, 1 not scheduled.", "kubectl get pod web-1 -n shop -o yaml",
		},
		{
			"another Pod of the name is being deleted", set + "\n" + fresh + ready("web-b", "web-0", "web-2") + "ord web-1 of=rs/other ready=1h deleted=10s\n", "1.37",
			"statefulset/web in shop: progressing, 2 of 3 Pods created; another Pod has the name web-1 and is being deleted.", "kubectl ctrl explain pod/web-1 -n shop",
		},
		{
			"the labels of a Pod no longer match: it is released, and keeps its name", set + "\n" + fresh + ready("web-b", "web-0", "web-2") + "ord web-1 app=x of=sts/web rev=web-b ready=1h\n", "1.37",
			"statefulset/web in shop: blocked, 2 of 3 Pods created; labels of web-1 no longer match.", "kubectl ctrl owners pod/web-1 -n shop",
		},
		{
			"the Pod of a StatefulSet that was replaced", set + "\n" + fresh + ready("web-b", "web-0", "web-2") + "ord web-1 of=sts/web@old rev=web-b ready=1h\n", "1.37",
			"statefulset/web in shop: progressing, 2 of 3 Pods created; the garbage collector deletes web-1.", "kubectl ctrl owners pod/web-1 -n shop",
		},
		{
			"a conflict with what the sync itself wrote blocks nothing", "sts web selector=app=web replicas=1 policy=Parallel claims=data retain=Delete/Retain image=web:2 current=web-b update=web-b counts=0/0/0/0/0\n" + fresh + "pvc data-web-0\n", "1.37",
			"statefulset/web in shop: reconciling, 0 of 1 available; next sync creates 1 Pod, modifies 1 PVC.", "",
		},
		{
			"a Pod of an old revision that starts is waited for", set + "\n" + old + fresh + ready("web-a", "web-0", "web-1") + "ord web-2 of=sts/web rev=web-a node=n1 notready=10s age=10s\n", "1.37",
			"", "kubectl describe pod web-2 -n shop",
		},
		{
			"with OnDelete as well", set + "strategy=OnDelete\n" + old + fresh + ready("web-a", "web-0", "web-1") + "ord web-2 of=sts/web rev=web-a node=n1 notready=10s age=10s\n", "1.37",
			"", "kubectl describe pod web-2 -n shop",
		},
		{
			"to delete a Pod on a lost node does not help", set + "\nnode n2 notready=30m\n" + old + fresh + ready("web-a", "web-0", "web-1") + "ord web-2 of=sts/web rev=web-a node=n2 why=unreported@30m\n", "1.37",
			"statefulset/web in shop: blocked, 0 of 3 updated, 2 available; 1 on NotReady node n2.", "kubectl describe node n2",
		},
		{
			"nor with OnDelete", set + "strategy=OnDelete\nnode n2 notready=30m\n" + old + fresh + ready("web-a", "web-0", "web-1") + "ord web-2 of=sts/web rev=web-a node=n2 why=unreported@30m\n", "1.37",
			"statefulset/web in shop: blocked, 2 of 3 available; 1 on NotReady node n2.", "kubectl describe node n2",
		},
		{
			"a claim that is being deleted goes with the Pod that blocks", strings.Replace(set, "replicas=3", "replicas=1 claims=data", 1) + "\n" + old + fresh + "pvc data-web-0 deleted=10m\nord web-0 of=sts/web rev=web-a claims=data node=n1 why=crash@41m×7\n", "1.37",
			"statefulset/web in shop: blocked, 0 of 1 updated, 0 available; web-0 blocks its own update.", "kubectl describe pvc data-web-0 -n shop",
		},
		{
			"the Pod of one that was replaced, which another owner keeps", set + "\n" + fresh + ready("web-b", "web-0", "web-2") + "rs other\nord web-1 of=sts/web@old ref=rs/other rev=web-b ready=1h\n", "1.37",
			"statefulset/web in shop: blocked, 2 of 3 Pods created; another Pod has the name web-1.", "kubectl ctrl owners pod/web-1 -n shop",
		},
		{
			"OnDelete, and a Pod waits for minReadySeconds alone", set + "strategy=OnDelete minReady=600\n" + old + fresh + ready("web-a", "web-0", "web-2") + "ord web-1 of=sts/web rev=web-a ready=1m\n", "1.37",
			"statefulset/web in shop: progressing, 2 of 3 available; web-1 waiting for minReadySeconds for 60s.", none,
		},
		{
			"maxUnavailable is used up by a Pod that waits for minReadySeconds alone", set + "policy=Parallel minReady=600\n" + old + fresh + ready("web-a", "web-0", "web-1") + "ord web-2 of=sts/web rev=web-a ready=1m\n", "1.35.0",
			"statefulset/web in shop: progressing, 0 of 3 updated, 2 available; web-2 waiting for minReadySeconds.", none,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := explained(t, c.text, c.version)
			if c.headline != "" && d.Headline != c.headline {
				t.Errorf("got  %s\nwant %s", d.Headline, c.headline)
			}
			if c.next != "" && strings.TrimPrefix(c.next, none) != d.Next {
				t.Errorf("next %q, want %q", d.Next, c.next)
			}
		})
	}
}

// TestClaimOfAnOldRevision: a Pod that gets the claim which it waits for blocks nothing.
func TestClaimOfAnOldRevision(t *testing.T) {
	const set = "sts web selector=app=web replicas=1 image=web:2 claims=data current=web-a update=web-b counts=1/0/0/1/0\nsrev web-a of=sts/web image=web:1\nsrev web-b of=sts/web number=2 image=web:2\n" +
		"ord web-0 of=sts/web rev=web-a claims=data phase=Pending notready=30m\n"
	for claims, blocks := range map[string]bool{"": false, "pvc data-web-0\n": true} {
		d := explained(t, set+claims, "1.37")
		found := slices.ContainsFunc(slices.Concat(d.BlockedBy, d.WaitingFor), func(c decision.Cause) bool { return c.Reason == "OldRevisionBlocksUpdate" })
		if found != blocks {
			t.Errorf("with %q: blocks %t, want %t", claims, found, blocks)
		}
	}
}

// TestClaimRemoved: a claim that is being deleted is removed once its Pod is gone.
func TestClaimRemoved(t *testing.T) {
	const set = "sts web selector=app=web replicas=1 image=web:2 claims=data current=web-a update=web-b counts=1/1/1/1/0\nsrev web-a of=sts/web image=web:1\nsrev web-b of=sts/web number=2 image=web:2\n"
	blocked := explained(t, set+"pvc data-web-0 deleted=10m\nord web-0 of=sts/web rev=web-a claims=data node=n1 why=crash@41m×7\n", "1.37")
	if want := "of revision web-b; PVC data-web-0 is being deleted, and is removed after it"; len(blocked.BlockedBy) == 0 || !strings.Contains(blocked.BlockedBy[0].Message, want) {
		t.Errorf("want %q in %+v", want, blocked.BlockedBy)
	}
	const pod = "ord web-0 of=sts/web rev=web-a claims=data ready=1h\n"
	for claim, want := range map[string]bool{"pvc data-web-0\n" + pod: false, "pvc data-web-0 deleted=10m\n" + pod: true, "pvc data-web-0 deleted=10m\n": false} {
		d := explained(t, set+claim, "1.37")
		warned := slices.ContainsFunc(d.Caveats, func(c decision.Caveat) bool {
			return c.Message == "PVCs that are being deleted are removed once their Pods are gone; Pods created again get new PVCs, without the data: data-web-0"
		})
		if warned != want {
			t.Errorf("%s: warned %t, want %t: %+v", claim, warned, want, d.Caveats)
		}
	}
}

// TestPartitionOfTheRollback: the cause says which partition lets the rollback reach the Pod,
// and when.
func TestPartitionOfTheRollback(t *testing.T) {
	for _, c := range []struct{ policy, broken, want string }{
		{"", "web-0", "with partition 0 it is updated to web-a, once it is ready or deleted"},
		{"", "web-1", "with partition 1 or less it is updated to web-a, once it is ready or deleted"},
		{"policy=Parallel", "web-1", "with partition 1 or less it is updated to web-a"},
	} {
		text := "sts web selector=app=web replicas=3 partition=2 " + c.policy + " image=web:1 current=web-b update=web-a counts=3/2/2/3/0\nsrev web-a of=sts/web number=3 image=web:1 age=9h\nsrev web-b of=sts/web number=2 image=web:bad age=1h\n"
		for _, name := range []string{"web-0", "web-1", "web-2"} {
			state := " ready=1h\n"
			if name == c.broken {
				state = " node=n1 why=image@30m\n"
			}
			text += "ord " + name + " of=sts/web rev=web-b" + state
		}
		d := explained(t, text, "1.37")
		if len(d.BlockedBy) == 0 || !strings.HasSuffix(d.BlockedBy[0].Message, c.want) {
			t.Errorf("%s %s: want %q in %+v", c.policy, c.broken, c.want, d.BlockedBy)
		}
	}
}

// TestWhatFollows: the cause says of which revision the Pod is created again.
func TestWhatFollows(t *testing.T) {
	d := explained(t, `sts web selector=app=web replicas=1 image=web:1 current=web-a update=web-a counts=1/0/0/0/0
srev web-a of=sts/web number=3 image=web:1
srev web-b of=sts/web number=2 image=web:bad
ord web-0 of=sts/web rev=web-b node=n1 why=image@30m
`, "1.37")
	if len(d.BlockedBy) == 0 || !strings.Contains(d.BlockedBy[0].Message, "delete it, and it is created again of revision web-a") {
		t.Errorf("%+v", d.BlockedBy)
	}
}

// TestOldRevisionBeingDeleted: who deletes a Pod that is being deleted gains nothing.
func TestOldRevisionBeingDeleted(t *testing.T) {
	d := explained(t, "sts web selector=app=web replicas=3 image=web:2 current=web-a update=web-b policy=Parallel counts=3/2/2/3/0\nsrev web-a of=sts/web image=web:1\n"+
		"srev web-b of=sts/web number=2 image=web:2\nord web-0 of=sts/web rev=web-a ready=1h\nord web-1 of=sts/web rev=web-a ready=1h\nord web-2 of=sts/web rev=web-a notready=1h deleted=20m finalizer=a/b\n", "1.35.0")
	if len(d.BlockedBy) != 1 || d.BlockedBy[0].Label != "Terminating with a finalizer" {
		t.Errorf("blocked by %+v", d.BlockedBy)
	}
}

// TestOnDeleteUpdatesNoPod: more Pods of the ordinals than are desired, of one ordinal
// written in two ways, make no more desired.
func TestOnDeleteUpdatesNoPod(t *testing.T) {
	d := explained(t, "sts web selector=app=web replicas=2 image=web:2 current=web-b update=web-b strategy=OnDelete\nsrev web-b of=sts/web image=web:2\n"+
		"ord web-0 of=sts/web rev=web-b ready=1h\nord web-1 of=sts/web rev=web-b ready=1h\nord web-01 of=sts/web rev=web-b ready=1h\n", "1.37")
	if r := d.Replicas; *r.Updated != 3 || *r.UpdatedDesired != 2 {
		t.Errorf("%d updated, %d to be updated", *r.Updated, *r.UpdatedDesired)
	}
}

// TestCorrectedTemplate: with OrderedReady, a corrected template replaces no Pod of the
// broken one that it waits for.
func TestCorrectedTemplate(t *testing.T) {
	const broken = "ord web-1 of=sts/web rev=web-b node=n1 why=image@30m\n"
	for name, c := range map[string]struct {
		set, pod string
		want     bool
	}{
		"of the revision that is rolled out":         {"", broken, true},
		"one that has no cause that blocks yet":      {"", "ord web-1 of=sts/web rev=web-b node=n1 why=crash@10s×1\n", false},
		"one that stays on a lost node":              {"", "node n1 notready=10m\nord web-1 of=sts/web rev=web-b node=n1 notready=10m\n", false},
		"of an old revision, which another cause is": {"", "ord web-1 of=sts/web rev=web-a node=n1 why=image@30m\n", false},
		"Parallel":                {"policy=Parallel", broken, false},
		"one without a node":      {"", "ord web-1 of=sts/web rev=web-b why=unschedulable@30m\n", false},
		"OnDelete":                {"strategy=OnDelete", broken, false},
		"from the partition on":   {"partition=1", broken, true},
		"below the partition":     {"partition=2", broken, false},
		"by the ordinal's place":  {"start=1 partition=1", broken, false},
		"and it is being deleted": {"", "ord web-1 of=sts/web rev=web-b node=n1 why=image@30m deleted=10m\n", false},
	} {
		t.Run(name, func(t *testing.T) {
			d := explained(t, "sts web selector=app=web replicas=3 image=web:2 current=web-a update=web-b counts=3/2/2/1/2 "+c.set+
				"\nsrev web-a of=sts/web image=web:1\nsrev web-b of=sts/web number=2 image=web:2\nord web-0 of=sts/web rev=web-a ready=1h\nord web-2 of=sts/web rev=web-b node=n1 why=image@30m\nord web-3 of=sts/web rev=web-b ready=1h\n"+c.pod, "1.36")
			for _, cause := range d.Causes() {
				said := strings.Contains(cause.Message, "after the template is corrected, delete the Pod as well")
				if want := c.want && cause.Object.Name == "web-1"; said != want {
					t.Errorf("%s: said %t: %s", cause.Object.Name, said, cause.Message)
				}
			}
		})
	}
}

// TestTemplateThatWorks: it is not what is wrong where another Pod of it is available.
func TestTemplateThatWorks(t *testing.T) {
	d := explained(t, "sts web selector=app=web replicas=2 image=web:2 current=web-b update=web-b counts=2/1/2/1/2\nsrev web-b of=sts/web image=web:2\n"+
		"ord web-0 of=sts/web rev=web-b ready=1h\nord web-1 of=sts/web rev=web-b node=n1 why=image@30m\n", "1.36")
	for _, cause := range d.Causes() {
		if strings.Contains(cause.Message, "template") {
			t.Errorf("%s: %s", cause.Object.Name, cause.Message)
		}
	}
}

// TestDeleteAfterTheChange: the broken Pod of a change that is only planned is deleted once that is
// applied, as before it would be created again as it is. Other changes do not wait for it.
func TestDeleteAfterTheChange(t *testing.T) {
	const text = "sts web selector=app=web replicas=2 image=web:bad current=web-a update=web-b counts=2/1/1/1/1\nsrev web-a of=sts/web image=web:1\nsrev web-b of=sts/web number=2 image=web:bad\n" +
		"ord web-0 of=sts/web rev=web-a ready=1h\nord web-1 of=sts/web rev=%s node=n1 why=image@30m\n"
	three := int32(3)
	for name, c := range map[string]struct {
		revision string
		fields   whatif.Fields
		next     string
	}{
		"corrected":   {"web-b", whatif.Fields{Images: map[string]string{"*": "web:3"}}, "kubectl delete pod web-1 -n shop # after the change is applied"},
		"rolled back": {"web-b", whatif.Fields{Images: map[string]string{"*": "web:1"}}, "kubectl delete pod web-1 -n shop # after the change is applied"},
		"scaled":      {"web-a", whatif.Fields{Replicas: &three}, "kubectl delete pod web-1 -n shop"},
	} {
		v, err := clusterdsl.Parse(strings.Replace(text, "%s", c.revision, 1))
		if err != nil {
			t.Fatal(err)
		}
		of, target := controller.NewRegistry(statefulset.Controller())[0], targetOf("web")
		set, _ := v.Held(target.Kind, target.Namespace, target.Name)
		changed, changes, err := of.WhatIf.Change(set, c.fields)
		if err != nil {
			t.Fatal(err)
		}
		d, err := of.Run(v.With(target.Kind, changed).AsWhatIf().Reader(), emulating(t, "1.37", ""), target, changes)
		if err != nil {
			t.Fatal(err)
		}
		if d.Next != c.next {
			t.Errorf("%s: next %q, want %q", name, d.Next, c.next)
		}
	}
}
