package cluster

import (
	"fmt"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
)

// What a model cluster assumes.
const (
	WholeGracePeriod = "WholeGracePeriod"
	UnreadyStay      = "UnreadyStay"
	HinderedStay     = "HinderedStay"
	NoClassStay      = "NoClassStay"
	ClaimsFollow     = "ClaimsFollow"
	AlikeFail        = "AlikeFail"
	RejectedAgain    = "RejectedAgain"
	RestartsEnd      = "RestartsEnd"
	LostNodesStay    = "LostNodesStay"
	TaintsDelete     = "TaintsDelete"
	LateStart        = "LateStart"
	PlacesTaken      = "PlacesTaken"
	NoNodeFits       = "NoNodeFits"
	VolumesShared    = "VolumesShared"
	LostStay         = "LostStay"
	FinalizersStay   = "FinalizersStay"
	OthersFollow     = "OthersFollow"
	LaunchBatches    = "LaunchBatches"
)

const source = "a simulation's own, of no upstream file"

// Rules are the assumptions, as notes of a simulation.
var Rules = decision.Catalogue{
	{
		ID: WholeGracePeriod, Title: "Deleted Pods use their grace period", Source: source,
		Text: "A Pod that is deleted is gone when its termination grace period is over; one on no node, or one that ended, at once.",
		Says: "deleted Pods are assumed to need their whole grace period",
	},
	{
		ID: UnreadyStay, Title: "Pods that have long been unready stay so", Source: source,
		Text: "A Pod that was created, or updated in place, longer ago than Pods take to become ready, and is not ready, is not taken to become ready by itself. Nor is it by an update in place, unless that restarts each container that is not ready, and none of them waits for a volume, a ConfigMap or a Secret.",
		Line: func(fs decision.Facts) string {
			if fs.Int(keyPods) == 1 {
				return fmt.Sprintf("1 Pod has not become ready within %s: it is assumed to stay so", fs.Brief(keyAfter)) + until(fs)
			}
			return fmt.Sprintf("%d Pods have not become ready within %s: they are assumed to stay so", fs.Int(keyPods), fs.Brief(keyAfter)) + until(fs)
		},
	},
	{
		ID: HinderedStay, Title: "Pods that no node fits, or that fail, stay so", Source: source,
		Text: "A Pod for which the scheduler found no node, or of which a container ended with an error or waits for something other than its start, is not taken to become ready by itself, however young it is.",
		Line: func(fs decision.Facts) string {
			if fs.Int(keyPods) == 1 {
				return "1 Pod fails, or no node fits it: it is assumed to stay so" + until(fs)
			}
			return fmt.Sprintf("%d Pods fail, or no node fits them: they are assumed to stay so", fs.Int(keyPods)) + until(fs)
		},
	},
	{
		ID: NoClassStay, Title: "Pods whose StorageClass is not there stay Pending", Source: source,
		Text: "A volume claim whose newest event says that its StorageClass is not found gets no volume, and its Pod no node, however young it is. So do claims that ask for the same class, and new claims of Pods that are like such a Pod: of the same controller, with the same containers.",
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("StorageClass %s is not found: %s, and new Pods like it, are assumed to stay Pending", fs.Str(keyClass), fs.Str(keyPod))
		},
	},
	{
		ID: ClaimsFollow, Title: "Volume claims are bound", Source: source,
		Text: "A young Pod that waits for volume claims which are missing or not bound yet is taken to get them, unless an event says that their StorageClass is not there: the controller makes them, and a provisioner their volumes.",
		Line: func(fs decision.Facts) string {
			if fs.Int(keyPods) == 1 {
				return "1 Pod waits for volume claims, which are assumed to be bound soon"
			}
			return fmt.Sprintf("%d Pods wait for volume claims, which are assumed to be bound soon", fs.Int(keyPods))
		},
	},
	{
		ID: AlikeFail, Title: "Pods fail as those like them do", Source: source,
		Text: "A Pod that is created, or updated in place, is assumed not to become ready where a Pod of the same controller fails that has the same containers, and no such Pod is ready. One fails of which a container ended with an error, or waits for something other than its start. So is any Pod that needs the ConfigMap, the Secret or the volume claim for want of which another does not start. One that needs a claim which is attached to the node of another Pod starts when that is gone.",
		Line: func(fs decision.Facts) string {
			needs, pod := fs.Str(keyReason), fs.Str(keyPod)
			switch {
			case pod == "":
				return fmt.Sprintf("Pods that need %s are assumed to start once no other Pod uses it", needs)
			case needs != "":
				return fmt.Sprintf("new and updated Pods that need %s are assumed to fail as %s does", needs, pod)
			}
			return fmt.Sprintf("new and updated Pods with the containers of %s are assumed to fail as it does: none of these is ready", pod)
		},
	},
	{
		ID: RejectedAgain, Title: "Kubelets reject Pods again", Source: source,
		Text: "A kubelet does not admit a Pod for which it has no device or no room: the Pod is Failed, and its controller creates another. Where at least three such Pods of a controller are Failed, and none with their containers has become ready that is younger than they are, those that start and those that are created are taken to be rejected as well.",
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("Pods with the containers of %s are assumed to be rejected by the kubelet as it was (%s)", fs.Str(keyPod), fs.Str(keyReason))
		},
	},
	{
		ID: RestartsEnd, Title: "Pods that restart again and again stay ready", Source: source,
		Text: "A Pod that is ready, and of which a container was restarted at least three times, and runs for less than ten minutes, is taken to stay so, as are those with its containers once they are.",
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("%s is assumed to stay ready though it was restarted %d times, and so are those like it: that they do is not known", fs.Str(keyPod), fs.Int(keyRestarts))
		},
	},
	{
		ID: LateStart, Title: "Pods that start a little late become ready", Source: source,
		Text: "A Pod that starts longer than Pods take to become ready, by no more than that time or a minute, and whose containers neither fail nor restart, is assumed to become ready after that time from now.",
		Line: func(fs decision.Facts) string {
			if fs.Int(keyPods) == 1 {
				return fmt.Sprintf("1 Pod takes longer than %[1]s to become ready: it is assumed to become ready in %[1]s", fs.Brief(keyAfter))
			}
			return fmt.Sprintf("%d Pods take longer than %[2]s to become ready: they are assumed to become ready in %[2]s", fs.Int(keyPods), fs.Brief(keyAfter))
		},
	},
	{
		ID: TaintsDelete, Title: "Pods are deleted when they no longer tolerate their node's taint", Source: "pkg/controller/tainteviction/taint_eviction.go processPodOnNode (v1.37.1)",
		Text: "A NoExecute taint, such as that of a node that is NotReady, deletes the Pods of its node when the time is over for which they tolerate it. Taints that are added or removed later are not foreseen.",
		Line: func(fs decision.Facts) string {
			when := "at once"
			if after := fs.Str(keyAfter); after != "0s" {
				when = "within " + after
			}
			return fmt.Sprintf("taints of their nodes delete %s %s, as their tolerations end", format.Plural(fs.Int(keyPods), "Pod"), when)
		},
	},
	{
		ID: LostNodesStay, Title: "Pods on NotReady nodes stay as they are", Source: source,
		Text: "The kubelet of a node that is NotReady does not answer: Pods on it do not become ready, and their deletion is not confirmed. The node is assumed to stay so.",
		Line: func(fs decision.Facts) string {
			if fs.Int(keyPods) == 1 {
				return "1 Pod is on a NotReady node: it is assumed to stay not ready"
			}
			return fmt.Sprintf("%d Pods are on NotReady nodes: they are assumed to stay not ready", fs.Int(keyPods))
		},
	},
	{
		ID: PlacesTaken, Title: "Unschedulable Pods take the places of Pods that go", Source: source,
		Text: "A Pod that is Unschedulable because of what Pods on the nodes take, such as cpu, host ports or the room that anti-affinity leaves, stays so until a Pod is gone that had a node and asked the scheduler for the same, and for no less. So do new Pods with its containers, and those that ask for no less of what the scheduler named. The place of a Pod that the scheduler preempted is only for the one that was nominated to its node, once all that were preempted there are gone. Whether it fits where another Pod was is not known.",
		Says: "Unschedulable Pods, and new ones like them, are assumed to get a node once a Pod is gone that asked for no less",
	},
	{
		ID: NoNodeFits, Title: "New Pods that no node fits stay Pending", Source: source,
		Text: "Where all nodes are known, a new Pod gets none that asks for more cpu, memory or ephemeral storage than each of them has, or that their labels, taints and cordons keep off all of them. Nodes that may be added, such as by an autoscaler, are not known.",
		Line: func(fs decision.Facts) string {
			return "new Pods that no known node fits are assumed to stay Pending: " + fs.Str(keyReason)
		},
	},
	{
		ID: VolumesShared, Title: "New Pods get the node of the volume that they share", Source: source,
		Text: "A ReadWriteOnce volume is attached to one node. A new Pod that needs its claim while another Pod uses it is taken to get the node of that Pod. On another node it starts when the other Pod is gone, for which a rollout may wait in vain. A Pod that needs a ReadWriteOncePod claim starts when no other Pod uses it.",
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("PVC %s is ReadWriteOnce: new Pods are assumed to get the node of the Pod that uses it; on another one they wait until it is gone", fs.Str(keyReason))
		},
	},
	{
		ID: LostStay, Title: "New Pods with a claim that is Lost stay Pending", Source: "pkg/scheduler/framework/plugins/volumebinding/volume_binding.go PreFilter (v1.37.1)",
		Text: "A claim is Lost whose PersistentVolume is gone. The scheduler finds no node for a Pod that needs it. Neither the controller nor the PV controller replaces the claim.",
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("PVC %s is Lost: new Pods that need it are assumed to stay Pending", fs.Str(keyReason))
		},
	},
	{
		ID: FinalizersStay, Title: "Finalizers hold Pods", Source: source,
		Text: "A deleted Pod with finalizers stays until somebody takes them away. Nobody is taken to do so.",
		Says: "deleted Pods with finalizers are taken to stay",
	},
	{
		ID: OthersFollow, Title: "What others count follows at once", Source: source,
		Text: "A PodUnavailableBudget that counts no Pods but the target's own is counted again whenever one of them changes, and when it forgets the Pods on its record.",
		Says: "the budgets of the Pods are assumed to be counted again at once, whenever a Pod changes",
	},
	{
		ID: LaunchBatches, Title: "Batches of containers share a Pod's time", Source: source,
		Text: "Kruise starts containers by their launch priority, and updates them in place so: the next batch when the one before is ready. How long each takes is not visible from outside. The time in which a Pod becomes ready is taken to be that of all its batches together, and those of an update in place to take equal parts of it.",
		Says: "containers start, and are updated, in batches by launch priority; how long each batch takes is not visible from outside: they are taken to share the Pod's time equally",
	},
}

// until is up to when Pods are assumed to stay unready that an update or a deletion reaches.
func until(fs decision.Facts) string {
	updated, deleted := fs.Int(keyUpdated), fs.Int(keyDeleted)
	what := "updated or deleted"
	switch {
	case updated+deleted == 0:
		return ""
	case deleted == 0:
		what = "updated"
	case updated == 0:
		what = "deleted"
	}
	who, of := "they are", ""
	if updated+deleted == 1 {
		who = "it is"
	}
	if n := updated + deleted; n < fs.Int(keyPods) {
		of = fmt.Sprintf(", %d of them", n)
	}
	return of + " until " + who + " " + what
}
