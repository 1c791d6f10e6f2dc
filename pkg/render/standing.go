package render

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
)

// mostCaused is how many Pods of one cause are shown before the rest is folded.
const mostCaused = 5

// standing writes the state of the target: the first line, the Pods that explain it, what
// else blocks it or is waited for, and what its controller does about it, where that is
// not said yet. Without a state there is the answer alone.
func (p *page) standing() error {
	d := p.d
	if d.Headline == "" {
		p.headline(d.Answer)
		return nil
	}
	p.headlined()
	answered := d.Pending || !d.Said()
	if len(d.Telling()) > 0 {
		if err := p.causes(); err != nil {
			return err
		}
		if answered {
			p.WriteByte('\n')
		}
	}
	if !answered {
		return nil
	}
	p.answered()
	return nil
}

func (p *page) answered() {
	for _, line := range wrap(clean(p.d.Answer), p.Width) {
		p.line(line)
	}
}

// planned writes what is predicted. Where that is nothing, though not all is as desired,
// the state and its cause come first, unless the partition is why.
func (p *page) planned() {
	idle, withholds := p.d.Idle(), p.d.Withholds()
	if !idle || withholds {
		p.predicted(p.d.Answer + emptied(p.d) + today(p.d))
	}
	if !idle {
		return
	}
	p.headlined()
	if !withholds && (p.d.Pending || !p.d.Said()) {
		p.answered()
	}
}

// emptied says that the namespace is being deleted, and the target with it.
func emptied(d *decision.Decision) string {
	for _, c := range d.Causes() {
		if c.Object.Kind == "Namespace" {
			return " Namespace " + c.Object.Name + " is being deleted, and all that is in it."
		}
	}
	return ""
}

// today says what Pods that are created may meet as well.
func today(d *decision.Decision) string {
	created := d.Summary.Create
	for _, e := range d.Follows {
		created += e.Summary.Create
	}
	if created == 0 {
		return ""
	}
	return d.Today()
}

// onCause breaks a first line that is too long before its cause, which is indented.
func (p *page) onCause(text string) []string {
	if p.Width == 0 || width(text) <= p.Width {
		return []string{text}
	}
	counts, cause, found := strings.Cut(text, "; ")
	if !found {
		return wrap(text, p.Width)
	}
	lines := wrap(counts+";", p.Width)
	for _, line := range wrap(cause, p.Width-2) {
		lines = append(lines, "  "+line)
	}
	return lines
}

// reading is the width of a page where no terminal sets one, and the most that a first
// line takes on any.
const reading = 100

// causes writes a table of the Pods among them, and a line for each other one.
func (p *page) causes() error {
	all, waits := p.d.Telling(), p.d.WaitingFor
	if p.d.State == decision.StateStable {
		waits = nil
	}
	if p.Width == 0 {
		p.Width = reading
		defer func() { p.Width = 0 }()
	}
	p.WriteByte('\n')
	causes, follows := parted(p.d.BlockedBy, waits)
	last := besides(waits, all)
	also, behind := waits[last:], 0
	for i := range also {
		if also[i].Pod == nil {
			behind++
		}
	}
	others := p.otherCauses("BLOCKED BY", causes) + p.otherCauses("WAITS FOR", waits[:last])
	if others > 0 && others < len(all)-len(follows)-behind {
		p.WriteByte('\n')
	}
	if err := p.podCauses(all); err != nil || len(follows)+behind == 0 {
		return err
	}
	p.WriteByte('\n')
	if slices.ContainsFunc(follows, func(c decision.Cause) bool { return !c.Follows }) {
		p.otherCauses("BLOCKED BY", follows)
		follows = nil
	}
	p.otherCauses("ALSO", slices.Concat(follows, also))
	return nil
}

// besides is where among causes those begin behind which nothing is waited for, but for Pods:
// they only follow, or came before. Without a Pod there is nothing behind which to say so.
func besides(waits, all []decision.Cause) int {
	if !slices.ContainsFunc(all, func(c decision.Cause) bool { return c.Pod != nil }) {
		return len(waits)
	}
	last := len(waits)
	for last > 0 && (waits[last-1].Pod != nil || waits[last-1].Follows) {
		last--
	}
	return last
}

// parted parts causes that block from those behind all of Pods: what follows from those
// Pods, such as a deadline, which may follow from Pods that are waited for.
func parted(causes, waits []decision.Cause) (before, behind []decision.Cause) {
	ofPod := func(c decision.Cause) bool { return c.Pod != nil }
	if slices.ContainsFunc(waits, ofPod) && !slices.ContainsFunc(causes, func(c decision.Cause) bool { return !c.Follows }) {
		return nil, causes
	}
	last := len(causes)
	for last > 0 && causes[last-1].Pod == nil {
		last--
	}
	if last == 0 { // no Pod is among them
		return causes, nil
	}
	return causes[:last], causes[last:]
}

// lengthy is how long a cause is at least that is not repeated of another Pod.
const lengthy = 80

func (p *page) podCauses(all []decision.Cause) error {
	var rows [][]string
	first := map[string]string{}
	f := folding(p.All, upTo[string](mostCaused))
	for _, c := range all {
		if c.Pod == nil || !f.shows(c.Label) {
			continue
		}
		text := Caused(c)
		if said, before := first[text]; before && width(text) > lengthy {
			text = "the same as " + said
		} else {
			first[text] = c.Object.Name
		}
		rows = append(rows, []string{clean(c.Object.Name), c.Pod.Ready, clean(c.Pod.Status), format.Age(c.Pod.Created, p.d.AsOf), clean(text)})
	}
	if err := p.grid(grid{indent: "  ", header: []string{"POD", "READY", "STATUS", "AGE", "CAUSE"}, rows: rows, name: 0, text: 4}); err != nil {
		return err
	}
	for _, c := range all {
		if n := f.left[c.Label]; n > 0 {
			p.line("  " + more(n, clean(c.Label)))
			f.left[c.Label] = 0
		}
	}
	return nil
}

// causeIndent is the width of the column with the label of a cause that is no Pod's.
const causeIndent = 15

// otherCauses writes those that are no Pod's, and returns how many there are.
func (p *page) otherCauses(label string, causes []decision.Cause) int {
	n := 0
	for _, c := range causes {
		if c.Pod == nil {
			p.labelled("  "+label, foundAt(c.Object, p.d.Target, c.Message), causeIndent)
			label = ""
			n++
		}
	}
	return n
}

// nextCommand ends an answer with what to type next.
func (p *page) nextCommand() {
	if p.d.Next == "" {
		return
	}
	text := "\nNext: " + clean(p.d.Next)
	if strings.HasPrefix(p.d.Next, "kubectl ctrl ") {
		text += clean(p.Input)
	}
	p.line(text)
}

// Columns are what a list says of each Decision, and what it says besides with -o wide.
type Columns struct {
	header []string
	cells  func(*page, *decision.Decision) []string
	more   []string
	beside func(*page, *decision.Decision) []string
}

// NextColumn is what the controller does next, StateColumns its state.
var (
	NextColumn = Columns{
		[]string{"NEXT"}, func(p *page, d *decision.Decision) []string { return []string{p.next(d)} },
		[]string{"CREATED", "DELETED", "RECREATED", "UPDATED", "PVCS DELETED"}, tolls,
	}
	StateColumns = Columns{
		[]string{"READY", "STATE", "SINCE", "CAUSE"}, (*page).state,
		[]string{"CURRENT", "UPDATED", "AVAILABLE"}, counted,
	}
)

// wide are the columns of -o wide: what is told besides stands before the rest, which
// ends in a sentence.
func (c Columns) wide() Columns {
	return Columns{header: slices.Concat(c.more, c.header), cells: func(p *page, d *decision.Decision) []string {
		return slices.Concat(c.beside(p, d), c.cells(p, d))
	}}
}

// counted are the numbers of a target's Pods.
func counted(_ *page, d *decision.Decision) []string {
	r := d.Replicas
	switch {
	case r == nil:
		return []string{"-", "-", "-"}
	case r.Updated == nil:
		return []string{fmt.Sprint(r.Current), "-", fmt.Sprint(r.Available)}
	}
	return []string{fmt.Sprint(r.Current), fmt.Sprint(*r.Updated), fmt.Sprint(r.Available)}
}

// tolls are what a plan comes to: a range where not all is certain.
func tolls(_ *page, d *decision.Decision) []string {
	c, p := d.Summary.Total.Certain, d.Summary.Total.Possible
	var cells []string
	for _, n := range [][2]int{
		{c.PodsCreated, p.PodsCreated}, {c.PodsDeleted, p.PodsDeleted}, {c.PodsRecreated, p.PodsRecreated},
		{c.PodsUpdated, p.PodsUpdated}, {c.ClaimsDeleted, p.ClaimsDeleted},
	} {
		text := fmt.Sprint(n[0])
		if n[1] > 0 {
			text += fmt.Sprintf("-%d", n[0]+n[1])
		}
		cells = append(cells, text)
	}
	return cells
}

// state are the cells of a target's state. Where nothing says why it is in that
// state, what its controller does next stands for it.
func (p *page) state(d *decision.Decision) []string {
	ready, cause := "-", clean(d.Cause)
	if r := d.Replicas; r != nil {
		ready = fmt.Sprintf("%d/%d", r.Ready, r.Desired)
	}
	if d.Cause == "" && d.State == decision.StateUnknown || d.State == "" {
		cause = p.next(d)
	}
	return []string{ready, p.tone(format.OrDash(string(d.State)), stateColours[d.State]), format.Age(d.Since, d.AsOf), cause}
}

var stateColours = map[decision.State]tone{
	decision.StateStable: green, decision.StateReconciling: cyan, decision.StateProgressing: cyan,
	decision.StateBlocked: red, decision.StateTerminating: orange, decision.StateUnknown: orange,
}
