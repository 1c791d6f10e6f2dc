package simulate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
)

// The rulings of a simulation.
const (
	ReadyAfterGiven   = "ReadyAfterGiven"
	ReadyAfterSeen    = "ReadyAfterSeen"
	ReadyAfterAssumed = "ReadyAfterAssumed"

	EndStable     = "EndStable"
	EndHeld       = "EndHeld"
	EndBlocked    = "EndBlocked"
	EndUnready    = "EndUnready"
	EndNotDeleted = "EndNotDeleted"
	EndAlone      = "EndAlone"
	EndRejected   = "EndRejected"
	EndBeyond     = "EndBeyond"
	EndCollected  = "EndCollected"
	EndHomeless   = "EndHomeless"
	EndNodeless   = "EndNodeless"
	EndRescaled   = "EndRescaled"
	RoundsShown   = "RoundsShown"
	TooManyRounds = "TooManyRounds"
	TooMuchWork   = "TooMuchWork"
	EndStrays     = "EndStrays"

	WritesRefused = "WritesRefused"

	WatchLagGiven = "WatchLagGiven"
	WriteOutdated = "WriteOutdated"

	OneOfSeveral      = "OneOfSeveral"
	CountsByChance    = "CountsByChance"
	CreationsAccepted = "CreationsAccepted"
	RetriedAtOnce     = "RetriedAtOnce"
	TakenToHappen     = "TakenToHappen"
	NewPodsAlike      = "NewPodsAlike"
	NamesMadeUp       = "NamesMadeUp"
	BesideNewPods     = "BesideNewPods"
	AllBecomeReady    = "AllBecomeReady"
	RetriedInTime     = "RetriedInTime"
	RoomLater         = "RoomLater"
	RoundByTimer      = "RoundByTimer"
)

const source = "a simulation's own, of no upstream file"

// Rules says why a simulation goes as it does. What its controller decides is
// explained by the controller's own rules, what becomes of Pods by those of the
// model cluster.
var Rules = slices.Concat(own, cluster.Rules)

var own = decision.Catalogue{
	{
		ID: ReadyAfterGiven, Title: "How long Pods take to become ready was given", Source: source,
		Text: "--ready-after says how long every Pod takes from its creation, or from its update in place, until it is ready.",
		Says: "as --ready-after says",
	},
	{
		ID: ReadyAfterSeen, Title: "How long Pods take to become ready was seen", Source: source,
		Text: "The median of what the target's own ready Pods took since they were created or last updated in place. Pods whose containers were restarted are left out, and Pods that became ready more than an hour later: they had been ready before.",
		Line: readyAfterLine,
	},
	{
		ID: ReadyAfterAssumed, Title: "How long Pods take to become ready is assumed", Source: source,
		Text: "No Pod of the target has become ready in a way that tells how long it took. Give --ready-after.",
		Says: "assumed, as no ready Pod shows how long it takes; set it with --ready-after",
	},
	{
		ID: EndStable, Title: "Nothing is left to do", Source: source,
		Text: "The controller does nothing, no timer is set, and every desired Pod is there and available.",
		Line: func(fs decision.Facts) string { return "stable: " + stands(fs) },
	},
	{
		ID: EndHeld, Title: "The spec holds the rest back", Source: source,
		Text: "All desired Pods are available. What the controller leaves undone, it leaves because the target's spec says so; it continues when that is changed.",
		Says: "held by the spec",
	},
	{
		ID: EndBlocked, Title: "Blocked", Source: source,
		Text: "Something is left to do, but the controller does nothing, no timer is set, and no Pod changes with time. Somebody, or another controller, has to do something.",
		Says: "blocked: no action, no timer, and nothing that time changes",
	},
	{
		ID: EndUnready, Title: "Pods stay unavailable", Source: source,
		Text: "The controller has nothing left to do, but Pods are not available and are not assumed to become so.",
		Line: func(fs decision.Facts) string {
			stay := "stay"
			if fs.Int(keyPods)-fs.Int(keyAvailable) == 1 {
				stay = "stays"
			}
			return fmt.Sprintf("nothing is left for the controller to do, but %d of %d Pods %s unavailable", fs.Int(keyPods)-fs.Int(keyAvailable), fs.Int(keyPods), stay)
		},
	},
	{
		ID: EndNotDeleted, Title: "Stable, and Pods are not removed", Source: source,
		Text: "The controller does nothing, no timer is set, and every desired Pod is there and available. A Pod that is being deleted stays: its node is NotReady, or it is there for more than 30s after its grace period, with finalizers or without. Nothing of the target waits for it.",
		Line: func(fs decision.Facts) string { return "stable: " + stands(fs) },
	},
	{
		ID: EndAlone, Title: "The controller leaves the number of Pods as it is", Source: source,
		Text: "There are more or fewer Pods than desired, and the controller does nothing about it.",
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("left alone with %d Pods, %d desired", fs.Int(keyPods), fs.Int(decision.KeyDesired))
		},
	},
	{
		ID: EndRejected, Title: "Kubelets reject each Pod that is created", Source: source,
		Text: "The controller creates a Pod in place of each that a kubelet rejects, which rejects that one as well. Rounds show one of them.",
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("the kubelet rejects each new Pod as those before (%s), and the controller creates another", fs.Str(keyReason))
		},
	},
	{
		ID: EndBeyond, Title: "What follows depends on what is not simulated", Source: source,
		Text: "The controller waits for something that the rounds do not come to, such as a PodUnavailableBudget over several workloads, whose count takes in more than the target's own Pods. It continues when that allows it.",
		Line: func(fs decision.Facts) string { return "what follows depends on " + fs.Str(keyReason) },
	},
	{
		ID: EndCollected, Title: "The garbage collector is to finish a deletion", Source: "pkg/controller/garbagecollector/garbagecollector.go processDeletingDependentsItem, orphanDependents (v1.37.1)",
		Text: "The target, or what it scales and has Pods, is being deleted in the foreground or with --cascade=orphan. The garbage collector deletes its dependents, or removes the ownerReferences to it from them, and it is gone then, unless another finalizer keeps it. The garbage collector is not simulated.",
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("%s is being deleted: the garbage collector %s its dependents first, which is not simulated", fs.Str(keyObject), fs.Str(keyVerb))
		},
	},
	{
		ID: EndHomeless, Title: "Whether an Unschedulable Pod gets a node is not known", Source: source,
		Text: "A Pod stays Unschedulable because of what Pods on the nodes take, and one of those is gone that asked the scheduler for something else, or for less. Whether the Pod fits now depends on nodes and Pods that are not simulated.",
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("whether %s, which is Unschedulable, gets a node once %s is gone is not known", fs.Str(keyPod), fs.Str(keyGone))
		},
	},
	{
		ID: EndNodeless, Title: "Pods wait for a node", Source: source,
		Text: "No known node fits Pods that were created, or none fits Pods of which the scheduler has said so, and new ones like them, or has room for them. They stay Pending until a node is added or changed that does, which a cluster autoscaler may do, or others make room. Only what the scheduler has said blocks.",
		Line: func(fs decision.Facts) string {
			if fs.Int(keyPods) == 1 {
				return "1 Pod waits for a node that fits: " + fs.Str(keyReason)
			}
			return fmt.Sprintf("%d Pods wait for a node that fits: %s", fs.Int(keyPods), fs.Str(keyReason))
		},
	},
	{
		ID: EndRescaled, Title: "An autoscaler sets another number of replicas", Source: "pkg/controller/podautoscaler/horizontal.go reconcileAutoscaler (v1.37.1)",
		Text: "The controller has nothing left to do until then. The HorizontalPodAutoscaler of the target, which is not simulated, sets spec.replicas to another number: because of minReplicas or maxReplicas at its next sync, which may come before the rounds are over, or because its metrics asked for another number last.",
		Line: func(fs decision.Facts) string { return "holds " + until(fs) },
	},
	{
		ID: RoundsShown, Title: "As many rounds as asked for", Source: source,
		Text: "--rounds says how many rounds to simulate. The next one would follow now.",
		Says: "more rounds follow; see them with --rounds or --until-stable",
	},
	{
		ID: TooManyRounds, Title: "More rounds than --until-stable simulates", Source: source,
		Text: fmt.Sprintf("--until-stable ends after %d rounds. Set --rounds to a larger number.", mostRounds),
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("cut off after %d rounds, more follow; see them with --rounds", fs.Int(keyRounds))
		},
	},
	{
		ID: TooMuchWork, Title: "More work than --until-stable simulates", Source: source,
		Text: fmt.Sprintf("--until-stable ends when it has looked at %d Pods, over all syncs together: many rounds of a large target take long. Set --rounds to simulate more.", mostWork),
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("cut off after %d rounds: %d syncs of %d Pods were looked at, more rounds follow; see them with --rounds", fs.Int(keyRounds), fs.Int(keySyncs), fs.Int(keyPods))
		},
	},
	{
		ID: EndStrays, Title: "Pods are created without end", Source: source,
		Text: "The Pods that the controller creates are not its own: their labels do not match the target's selector. It creates more with every sync, and the simulation ends.",
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("cut off after %s: %s it created are not its own, so that it creates more without end", format.Plural(fs.Int(keyRounds), "round"), format.Plural(fs.Int(keyStrays), "Pod"))
		},
	},
	{
		ID: WritesRefused, Title: "The API server refuses what the controller writes", Source: source,
		Text: "The sync fails, or waits for what was never created, and the next one comes to the same: nothing in the simulation changes what the refusal is about.",
		Line: func(fs decision.Facts) string { return fs.Str(keyError) },
	},
	{
		ID: WatchLagGiven, Title: "The controllers' caches are behind", Source: source,
		Text: "--watch-lag says how long after a change the caches of all controllers show it. Their syncs decide by what the caches show, expectations hold them back until they have seen their own creations and deletions, and an update of an object that has changed meanwhile is refused.",
		Line: watchLagLine,
	},
	{
		ID: WriteOutdated, Title: "A write is refused as out of date", Source: "k8s.io/apiserver/pkg/registry/generic/registry/store.go Update",
		Text: "The controller's cache is behind: the object has changed since, exists already, or exists no longer. The sync ends with that error and is retried with back-off.",
		Line: func(fs decision.Facts) string { return "refused: " + fs.Str(keyError) },
	},
	{
		ID: OneOfSeveral, Title: "One of several possible courses", Source: source,
		Text: "Which Pods an action is done to is not deterministic. The simulation continues with one choice, always the same; what follows is what would follow from that one.",
		Line: func(fs decision.Facts) string {
			verb := strings.ReplaceAll(fs.Str(keyVerb), "-", " ")
			if fs.Str(keyVerb) == string(decision.SetState) {
				verb = "move to another lifecycle state"
			}
			return fmt.Sprintf("from round %d on this is one of several possible courses, not deterministic: %d of %d Pods to %s%s", fs.Int(keyRound), fs.Int(decision.KeyK), fs.Int(decision.KeyN), verb, fs.Str(keyAlso))
		},
	},
	{
		ID: CountsByChance, Title: "Chance changes the counts", Source: source,
		Text: "The Pods to choose from differ in revision, readiness or availability, a hook holds some of them and others not, volume claims go with some of them, some leave a place on a node that a waiting Pod may take and others not, or how many are picked is not determined: a Pod that is marked for recreation may be picked again. With another choice the counts would be others, and possibly the rounds.",
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("in round %d the Pods to choose from are not alike, or their number is not determined: counts, rounds and clock depend on the choice", fs.Int(keyRound))
		},
	},
	{
		ID: CreationsAccepted, Title: "Creations are assumed to be accepted", Source: source,
		Text: "The controller's last creation was refused, or refusals are not deterministic. The simulation continues as if they succeed.",
		Line: func(fs decision.Facts) string {
			text := fmt.Sprintf("creations of round %d may be refused; they are assumed to be accepted", fs.Int(keyRound))
			if why := fs.Str(decision.KeyRefused); why != "" {
				text += ". So far: " + why
			}
			return text
		},
	},
	{
		ID: RetriedAtOnce, Title: "A refused creation is assumed to be tried again at once", Source: "k8s.io/client-go/util/workqueue/default_rate_limiters.go DefaultTypedControllerRateLimiter (v0.37.1)",
		Text: "What refused the controller's last creation accepts it now. The back-off after a failed sync, which an event of the object ends, is not seen: it starts at 5ms and doubles with each failure, up to 1000s.",
		Keys: []decision.Key{decision.KeyRefused},
		Line: func(fs decision.Facts) string {
			return fs.Str(decision.KeyRefused) + ", and accepts the next one, which is assumed to come at once; the back-off lasts 16m40s at most"
		},
	},
	{
		ID: TakenToHappen, Title: "Possible actions are assumed to happen", Source: source,
		Text: "Whether they happen depends on what was not read, on another controller or on another release; a caveat says on which. The simulation continues as if they do.",
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("whether the possible actions of round %d happen is not known; they are assumed to", fs.Int(keyRound))
		},
	},
	{
		ID: NewPodsAlike, Title: "New Pods are not told apart", Source: source,
		Text: "Names, UIDs and nodes of Pods that do not exist yet are made up. Which of several such Pods comes first is not known.",
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("which %d of %d new Pods come first is not known: their names and nodes are made up", fs.Int(decision.KeyK), fs.Int(decision.KeyN))
		},
	},
	{
		ID: BesideNewPods, Title: "Nodes of new Pods may decide which Pods go", Source: source,
		Text: "Of Pods that are alike otherwise, those go first that share their node with more Pods of the same controller. Which nodes new Pods get is not known: the simulation takes each to be on a node of its own, so that another Pod may go in a round that deletes some of those that were there before.",
		Says: "which Pods are deleted once there are new ones may depend on the nodes of these, which are not known",
	},
	{
		ID: RetriedInTime, Title: "A failed sync is repeated once its Pods are available", Source: source,
		Text: "A sync that fails sets no timer for minReadySeconds: the back-off of its work queue brings the next one. The queue doubles it with each failure, up to 1000s (16m40s), and how many there were is not known: the rounds may come later by as much.",
		Says: "syncs that fail are assumed to be repeated once Pods are available; the back-off may make each up to 16m40s later",
	},
	{
		ID: RoomLater, Title: "The back-off may bring refused creations later", Source: "k8s.io/client-go/util/workqueue/default_rate_limiters.go DefaultTypedControllerRateLimiter (v0.37.1)",
		Text: "A sync whose creations are refused is repeated with the back-off of its work queue, which doubles with each failure, up to 1000s (16m40s). That Pods of another controller are gone, and have made room, brings no sync before. The simulation takes them to be created as soon as there is room.",
		Line: func(fs decision.Facts) string {
			return "Pods that are refused (" + fs.Str(decision.KeyRefused) + ") are assumed to be created as soon as others make room; the back-off may bring each of these rounds later, by as long as it has waited"
		},
	},
	{
		ID: RoundByTimer, Title: "Only a timer brings a round", Source: "k8s.io/client-go/util/workqueue/delaying_queue.go AddAfter (v0.37.1)",
		Text: "No event wakes the controller before. An earlier sync queued this one, as for its progress deadline. Other rounds may come so as well.",
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("no event brings round %d, but its controller's timer: the sync that set it asked for the next one %s", fs.Int(keyRound), fs.Str(keyReason))
		},
	},
	{
		ID: AllBecomeReady, Title: "New and updated Pods become ready", Source: source,
		Text: "Every Pod that is created or updated is assumed to become ready, each after the same time. Whether Pods of a new version fail, or start more slowly than those of today, is not known before there is one.",
		Line: func(fs decision.Facts) string {
			who := "new"
			if fs.Str(keyOthers) != "" {
				who = "all other new"
			}
			return fmt.Sprintf("%s and updated Pods are assumed to become ready, each after %s", who, fs.Str(keyAfter))
		},
	},
	{
		ID: NamesMadeUp, Title: "Names of new Pods are made up", Source: source,
		Text: "The API server or the controller draws the names of new Pods when it makes them. New Pods are numbered in the order of their creation, and so are instance IDs; each gets a node of its own.",
		Line: func(fs decision.Facts) string {
			who, others := "each is", fs.Str(keyOthers) != ""
			if others {
				who = "others are"
			}
			if fs.Str(keyNamed) == "" {
				return "names of new Pods are made up, in the order of creation; " + who + " assumed to get a node at once"
			}
			if who = "new Pods"; others { // their controller names them
				who = "other new Pods"
			}
			return who + " are assumed to get a node at once"
		},
	},
}

// Refused is why a sync leaves undone what the API server refuses.
func Refused(why string) decision.Ruling { return said(WritesRefused, decision.F(keyError, why)) }

// said is a ruling with its sentence.
func said(rule string, facts ...decision.Fact) decision.Ruling {
	r := decision.Ruled(rule, facts...)
	r.Message = Rules.Say(r.Rule, r.Facts)
	return r
}

func watchLagLine(fs decision.Facts) string {
	text := "the controllers see each change after " + fs.Str(keyLag)
	if n := fs.Int(keyStopped); n > 0 {
		text += fmt.Sprintf("; %s ended early because of that", format.Plural(n, "sync"))
	}
	return text
}

func readyAfterLine(fs decision.Facts) string {
	created, updated := fs.Int(keyCreated), fs.Int(keyUpdated)
	text, their := fmt.Sprintf("median of what %d ready Pods of it took", fs.Int(keyPods)), "their"
	if fs.Int(keyPods) == 1 {
		text, their = "what one ready Pod of it took", "its"
	}
	switch {
	case updated == 0:
		text += " since " + their + " creation"
	case created == 0:
		text += " since " + their + " update in place"
	default:
		text += fmt.Sprintf(" (%d since creation, %d since their update in place)", created, updated)
	}
	switch fastest, slowest := fs.Brief(keyFastest), fs.Brief(keySlowest); {
	case fs.Int(keyPods) < 2:
	case fastest == slowest:
		text += ", " + fastest + " each"
	default:
		text += ", " + fastest + " to " + slowest
	}
	return text + "; change it with --ready-after"
}
