package render

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
)

// Note is a line that makes numbers traceable.
type Note struct {
	Label, Text string
	// Rule is the ID of its rule; empty for none.
	Rule string
	// Inside: it is about the inside of the controller and leaves the answer as it is.
	Inside bool
}

// Notes are the notes of a Decision. Several of one label follow each other.
func Notes(d *decision.Decision) []Note {
	acts := len(d.Actions) > 0
	all := []Note{
		{Label: "MODEL", Text: modelled(d)},
		{Label: "OWNER", Text: owners(d), Inside: len(d.Owners) == 0},
		{Label: "COUNT", Text: count(d), Inside: !acts},
	}
	all = append(all, limits(d)...)
	all = append(all,
		Note{Label: "GATE", Text: gate(d), Inside: d.Gate.Open},
		Note{Label: "STATUS", Text: status(d), Inside: true},
		Note{Label: "NEXT SYNC", Text: d.NextSync.Message, Inside: d.State == decision.StateStable || d.After == 0 && d.Requeue == decision.NoRequeue && !d.Stopped})
	for _, r := range d.Retries {
		all = append(all, Note{Label: "NEXT SYNC", Text: r.Object.String() + ": " + r.Message, Inside: d.State == decision.StateStable})
	}
	return slices.DeleteFunc(all, func(n Note) bool { return n.Text == "" })
}

// context writes the lines that make every number traceable; in wide output also
// those about the inside of a controller that leave the answer as it is.
func (p *page) context() {
	p.changes()
	before := ""
	p.modelled(p.d.Modelled, p.d.AsOf)
	for _, n := range Notes(p.d)[1:] {
		if n.Inside && !p.Wide {
			continue
		}
		label := n.Label
		if label == before {
			label = ""
		}
		before = n.Label
		p.note(label, p.ruled(n.Text, n.Rule))
	}
	p.holds()
}

func modelled(d *decision.Decision) string { return Modelled(d.Modelled, d.AsOf) }

// modelled writes which controller an answer is about.
func (p *page) modelled(m decision.Modelled, asOf time.Time) {
	p.note("MODEL", Modelled(p.brief(m), asOf))
}

// brief leaves out that gates have their defaults, unless a wide answer is asked for.
func (p *page) brief(m decision.Modelled) decision.Modelled {
	if !p.Wide && strings.HasPrefix(m.GatesBasis, "defaults") {
		m.Gates, m.GatesSet, m.GatesBasis = nil, nil, ""
	}
	return m
}

// Modelled says in one line which controller an answer is about.
func Modelled(m decision.Modelled, asOf time.Time) string {
	return fmt.Sprintf("%s of %s %s (%s)%s, as of %s", m.Controller, cmp.Or(m.Product, "Kubernetes"), m.Version, m.Basis, gates(m), asOf.UTC().Format("2006-01-02T15:04:05Z"))
}

// gates names the gates that were set; defaults need no list, and a program without
// gates no word.
func gates(m decision.Modelled) string {
	if strings.HasPrefix(m.GatesBasis, "defaults") {
		return ", default gates"
	}
	if m.GatesBasis == "" && len(m.Gates) == 0 {
		return ""
	}
	set := m.GatesSet
	switch {
	case set == nil:
		for name, on := range m.Gates {
			set = append(set, fmt.Sprintf("%s=%v", name, on))
		}
		slices.Sort(set)
	case len(set) == 0:
		return ", default gates (" + strings.TrimSuffix(m.GatesBasis, ", else defaults of this version") + ")"
	}
	return ", gates " + strings.Join(set, ",") + " (" + m.GatesBasis + ")"
}

func owners(d *decision.Decision) string {
	if len(d.Owners) == 0 {
		return "none: " + d.Target.String() + " has no controller"
	}
	var chain []string
	for _, o := range append(slices.Clone(d.Owners), d.Target) {
		chain = append(chain, o.String())
	}
	return strings.Join(chain, " › ")
}

func count(d *decision.Decision) string {
	of := d.Count.Of
	if len(of) == 0 {
		return ""
	}
	if _, about := of.Get(decision.KeyAllPodsCount); about {
		return rolloutCount(of)
	}
	text := fmt.Sprintf("%d active", of.Int(decision.KeyActive))
	if n := of.Int(decision.KeyAdopted); n > 0 {
		text += fmt.Sprintf(" = %d owned + %d adopted", of.Int(decision.KeyOwned), n)
	}
	if n := of.Int(decision.KeyTerminating); n > 0 {
		text += fmt.Sprintf("; %d terminating, not counted", n)
	}
	if n := of.Int(decision.KeyFinished); n > 0 {
		text += fmt.Sprintf("; %d finished, not counted and never deleted", n)
	}
	text += fmt.Sprintf("; spec.replicas %d; difference %+d", of.Int(decision.KeySpecReplicas), d.Count.Value)
	if n := of.Int(decision.KeyAttempted); n > 0 && of.Int(decision.KeyRefused) > 0 {
		text += fmt.Sprintf("; creations: %d tried, %d refused", n, of.Int(decision.KeyRefused))
	}
	return text
}

func gate(d *decision.Decision) string {
	text := d.Gate.Message + " (" + d.Gate.Basis + ")"
	after := d.Expectations.After
	if after == nil || !d.Gate.Open || len(d.Actions) == 0 {
		return text
	}
	var waits []string
	if after.Adds > 0 {
		waits = append(waits, format.Plural(int(after.Adds), "creation"))
	}
	if after.Dels > 0 {
		waits = append(waits, format.Plural(int(after.Dels), "deletion"))
	}
	if len(waits) == 0 {
		return text
	}
	limit := "no timeout"
	if after.ExpiresIn != nil {
		limit = "at most " + after.ExpiresIn.Brief()
	}
	return fmt.Sprintf("%s; after acting it waits to see %s, %s", text, strings.Join(waits, " and "), limit)
}

// doubt marks a field that may be written otherwise.
func doubt(f decision.FieldChange) string {
	if f.Certainty == decision.Possible {
		return " (possible)"
	}
	return ""
}

func status(d *decision.Decision) string {
	if !d.Status.Writes {
		return d.Status.Message
	}
	var changes []string
	for _, f := range d.Status.Fields {
		if f.Stored != f.Next {
			changes = append(changes, fmt.Sprintf("%s %s → %s%s", f.Field, f.Stored, f.Next, doubt(f)))
		}
	}
	text := "would write " + strings.Join(changes, ", ")
	if len(changes) == 0 {
		text = "would write"
	}
	if !d.Status.Plain {
		text += "; " + d.Status.Message
	}
	return text
}

// soon is how near an end of validity is that a person has to know: the answer may be
// acted on within this time.
const soon = 15 * time.Minute

func (p *page) holds() {
	until := p.d.HoldsUntil()
	if until == nil || !p.Wide && until.Sub(p.d.AsOf) > soon {
		return
	}
	p.note("VALID UNTIL", fmt.Sprintf("%s: then a Pod's age enters its next age bucket, and others may be deleted", clock(*until, p.d.AsOf)))
}
