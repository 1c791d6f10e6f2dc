package inference

import (
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/events"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// tellWrites shows the writes that may be outstanding, or that the verdict counts, or else
// those of the last sync, by what was done.
func (i *inference) tellWrites() {
	shown := i.out.Writes
	switch {
	case i.out.Rule == RetriedSince:
		shown = i.outstanding()
	case len(shown) == 0:
		shown = i.ofLastSync()
	}
	for _, kind := range []struct {
		verb decision.Verb
		rule string
	}{{decision.Create, PodsCreated}, {decision.Delete, PodsDeleted}, {decision.UpdateInPlace, PodsUpdated}} {
		var names, when []string
		for _, w := range shown {
			if w.Verb == kind.verb {
				names = append(names, w.Object.Name)
				when = append(when, ago(i.now, w.At))
			}
		}
		if len(names) > 0 {
			i.found(i.Target, kind.rule, decision.F(decision.KeyN, len(names)), decision.F(keyPods, few(names)),
				decision.F(keyOldest, when[0]), decision.F(keyNewest, when[len(when)-1]))
		}
	}
}

// ofLastSync are the writes of the last sync that wrote, as far as times to the second show:
// of one verb, each a second before the next at most.
func (i *inference) ofLastSync() []Write {
	at := max(len(i.writes)-1, 0)
	for at > 0 && !i.Controller.OneByOne && i.writes[at-1].Verb == i.writes[at].Verb && i.writes[at].At.Sub(i.writes[at-1].At) <= time.Second {
		at--
	}
	return i.writes[at:]
}

// few names the first few.
func few(names []string) string {
	const most = 5
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return strings.Join(names[:most], ", ") + " …"
}

func (i *inference) tellRefusals() {
	if len(i.refusals) == 0 {
		return
	}
	last := slices.MaxFunc(i.refusals, func(a, b *corev1.Event) int { return events.Last(a).Compare(events.Last(b)) })
	n := 0
	for _, e := range i.refusals {
		n += events.Count(e)
	}
	i.found(ownership.RefTo(view.Events, last), CreationsRefused, decision.F(decision.KeyN, n),
		decision.F(keyEvents, len(i.refusals)), decision.F(keyOfLast, events.Count(last)),
		decision.At(keyAge, ago(i.now, events.Last(last)), "lastTimestamp"), decision.At(keyMessage, last.Message, "message"))
}

// limits says what keeps the verdict from being surer, or could have.
func (i *inference) limits() {
	limit := func(rule string, facts ...decision.Fact) {
		i.out.CantTell = append(i.out.CantTell, decision.Ruled(rule, facts...))
	}
	switch {
	case i.eventsErr != nil:
		limit(EventsNotRead, decision.F(keyError, i.eventsErr.Error()))
	case len(i.combined) > 0:
		limit(EventsCombined, decision.F(decision.KeyN, len(i.combined)))
	case i.dropped:
		limit(EventsDropped, decision.F(keyLimit, never))
	}
	if !i.leader.known || i.leader.acquired.IsZero() {
		why := "it does not say"
		if i.leader.err != nil {
			why = i.leader.err.Error()
		}
		limit(LeaderNotKnown, decision.F(keyLease, i.leader.ref.Qualified()), decision.F(keyWhy, why), decision.F(keyProcess, i.Controller.Process))
	}
	if i.statusTime().IsZero() && i.out.Verdict == PossiblyPending {
		limit(StatusTimeNotKnown, decision.F(keyManager, i.Controller.Manager))
	}
	if i.out.Verdict == PossiblyPending {
		limit(CacheHidden, decision.F(keyProcess, i.Controller.Process))
	}
	if i.Controller.ReadsBack {
		limit(ReadBackHidden)
	}
}

// settle says where to look next, the surest first.
func (i *inference) settle() {
	look := func(source decision.Ref, rule string, facts ...decision.Fact) {
		i.out.Settle = append(i.out.Settle, decision.Evidence{Source: source, Ruling: decision.Ruled(rule, facts...)})
	}
	events := decision.Ref{APIVersion: "v1", Kind: "Event", Namespace: i.Target.Namespace, Name: i.Target.Name}
	switch i.out.Verdict { //exhaustive:enforce
	case NoActiveLeader:
		look(i.leader.ref, LookAtLease)
		return
	case Satisfied, Expired, NotApplicable:
		return
	case PossiblyPending:
	}
	if i.statusTime().IsZero() {
		look(i.Target, LookAtManagedFields, decision.F(keyManager, i.Controller.Manager))
	}
	for _, c := range i.Counts {
		if c.Stored != c.Actual {
			look(i.Target, LookAtStatus, decision.F(keyField, c.Field), decision.F(keyBecomes, c.Actual), decision.F(keyIs, c.Stored))
		}
	}
	if i.counted() && !i.statusTime().IsZero() {
		look(i.Target, LookAtNextStatus, decision.F(keyAt, stamp(i.statusTime())))
	}
	if i.eventsErr != nil {
		look(events, LookAtEvents)
	}
	if i.out.Expires != nil {
		look(i.Target, WaitForExpiry, decision.F(keyExpires, stamp(*i.out.Expires)))
	}
	if i.Controller.Forever {
		look(i.leader.ref, RestartEmpties, decision.F(keyProcess, i.Controller.Process))
	}
}

// phrase makes the sentences.
func (o *Inferred) phrase() {
	say := Rules.Put
	say(&o.Ruling)
	say(&o.Then)
	for n := range o.Evidence {
		say(&o.Evidence[n].Ruling)
	}
	for n := range o.CantTell {
		say(&o.CantTell[n])
	}
	for n := range o.Settle {
		say(&o.Settle[n].Ruling)
	}
}
