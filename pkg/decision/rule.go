package decision

import (
	"fmt"
	"sort"
)

// Rule is one entry of a plugin's catalogue: something upstream does, under a
// stable name.
type Rule struct {
	// ID is CamelCase, like the reason of an Event.
	ID string
	// Title is a phrase, Text a few lines for `kubectl ctrl rules ID`.
	Title string
	Text  string
	// Source names the upstream file and function that the rule mirrors.
	Source string
	// Versions says where the rule holds when it does not hold everywhere.
	Versions string
	// Keys are the facts that every ruling of the rule has and its sentence is made of.
	// A sentence may read others where they are there.
	Keys []Key
	// Says is the sentence of a rule, where that is the same for all of its cases.
	Says string
	// Line makes the sentence for one case of the rule, where Says does not.
	Line func(Facts) string
	// Question is what a rule among the Reasons answers, in capitals and
	// without the "why": "2 AT ONCE".
	Question func(Facts) string
}

// Catalogue is the ordered list of a plugin's rules.
type Catalogue []Rule

// Find returns the rule with this ID.
func (c Catalogue) Find(id string) (Rule, bool) {
	for _, r := range c {
		if r.ID == id {
			return r, true
		}
	}
	return Rule{}, false
}

// IDs lists the rule IDs in alphabetical order.
func (c Catalogue) IDs() []string {
	ids := make([]string, 0, len(c))
	for _, r := range c {
		ids = append(ids, r.ID)
	}
	sort.Strings(ids)
	return ids
}

// Say is the sentence of rule id for these facts. A rule that is missing from
// the catalogue is a defect of the plugin and is shown as such.
func (c Catalogue) Say(id string, fs Facts) string {
	switch r, _ := c.Find(id); {
	case r.Says != "":
		return r.Says
	case r.Line != nil:
		return r.Line(fs)
	}
	return fmt.Sprintf("(rule %s has no sentence)", id)
}

// Put fills a ruling's Message.
func (c Catalogue) Put(r *Ruling) { r.Message = c.Say(r.Rule, r.Facts) }

// Phrase fills every Message of d from the catalogue. Neighbours that share their
// facts, as the claims of one controller do, share their sentence.
func (c Catalogue) Phrase(d *Decision) {
	last := &Ruling{}
	d.EachRuling(func(r *Ruling) {
		switch {
		case r.Rule == "":
		case r.Rule == last.Rule && sameSlice(r.Facts, last.Facts):
			r.Message = last.Message
		default:
			c.Put(r)
			last = r
		}
	})
	d.noteRetries()
	for i := range d.Reasons {
		why := &d.Reasons[i]
		if r, ok := c.Find(why.Rule); ok && r.Question != nil {
			why.Question = r.Question(why.Facts)
		}
	}
}

// sameSlice reports whether two slices are the same memory.
func sameSlice(a, b Facts) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}
