package render

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/trace/entry"
)

// stamped is the width of the instant that a line of a trace begins with, and
// subject that of what it is about.
const (
	stamped = len("15:04:05.000")
	subject = 34
)

// TraceLine writes one entry of a trace for people.
func TraceLine(w io.Writer, e *entry.Entry, o Options) error {
	t := tracer{Options: o, palette: palette{o.Colour}, at: e.At.UTC().Format("15:04:05.000")}
	switch e.Type {
	case entry.Started:
		t.started(e.Started)
	case entry.Observed:
		t.event(e.Event)
	case entry.Synced:
		t.sync(e.Object, e.Sync)
	case entry.Acted:
		t.act(e.Object, e.Act)
	case entry.Judged:
		t.verdict(e.At, e.Object, e.Verdict)
	case entry.Stepped:
		t.step(e.Step)
	case entry.Ended:
		t.summary(e.Summary)
	case entry.Inside:
		t.internals(e.Internals)
	default:
		t.row(refOf(e.Object), e.Message)
	}
	_, err := io.WriteString(w, t.String())
	return err
}

// tracer collects the lines of one entry.
type tracer struct {
	strings.Builder
	Options
	palette
	at string
}

// row writes what an entry is about and what it says; a second line of text
// stands under the first.
func (t *tracer) row(about, text string) {
	about, text = clean(about), clean(text)
	if t.Width > 0 && t.Width < 100 { // no room for two columns
		t.narrow(about, text)
		return
	}
	left := t.at + "  " + about
	gap := max(stamped+2+subject-len([]rune(left)), 2)
	indent := strings.Repeat(" ", stamped+2+subject)
	for i, line := range wrap(text, t.Width-len(indent)) {
		if i == 0 {
			fmt.Fprintf(t, "%s%s%s\n", left, strings.Repeat(" ", gap), line)
		} else {
			fmt.Fprintf(t, "%s%s\n", indent, line)
		}
	}
}

func (t *tracer) narrow(about, text string) {
	lines := wrap(strings.TrimSpace(about+"  "+text), t.Width-stamped-2)
	for i, line := range lines {
		left := t.at
		if i > 0 {
			left = strings.Repeat(" ", stamped)
		}
		fmt.Fprintf(t, "%s  %s\n", left, line)
	}
}

// more writes a line under the one before.
func (t *tracer) more(text string) {
	indent := strings.Repeat(" ", stamped+2)
	for _, line := range wrap(clean(text), t.Width-len(indent)) {
		fmt.Fprintf(t, "%s%s\n", indent, line)
	}
}

func refOf(r *decision.Ref) string {
	if r == nil {
		return ""
	}
	return strings.ToLower(r.Kind) + " " + r.Namespace + "/" + r.Name
}

func (t *tracer) started(s *entry.Start) {
	var kinds []string
	for kind, n := range s.Targets {
		if n > 0 {
			kinds = append(kinds, format.Plural(n, strings.TrimSuffix(kind, "s")))
		}
	}
	slices.Sort(kinds)
	if len(kinds) == 0 {
		kinds = []string{"nothing yet that a controller acts on"}
	}
	t.row("watching", fmt.Sprintf("%s, %s; Kubernetes %s (%s)", strings.Join(kinds, ", "), format.Plural(s.Pods, "Pod"), s.Modelled.Version, s.Modelled.Basis))
	for _, c := range s.Caveats {
		t.more("note: " + c.Message)
	}
}

func (t *tracer) event(e *entry.Event) {
	about := fmt.Sprintf("%s %s  %s", strings.ToLower(e.Object.Kind), e.Delta, e.Object.Name)
	if e.Tombstone {
		about += " (tombstone)"
	}
	if e.ResourceVersion != "" {
		about += " rv " + e.ResourceVersion
	}
	for i, x := range e.Effects {
		if i > 0 {
			about = ""
		}
		t.row(about, effectText(x))
	}
}

func effectText(x entry.Effect) string {
	text := x.Message
	if x.Before != nil && x.After != nil && *x.Before != *x.After {
		text += fmt.Sprintf(", %d → %d left", *x.Before, *x.After)
	}
	if x.Target == nil || x.Queue == "" {
		return text
	}
	text += fmt.Sprintf("; %s/%s %s", x.Target.Namespace, x.Target.Name, x.Queue)
	if x.Queue == entry.Delayed {
		text += " " + short(x.Delay)
	}
	return text
}

func (t *tracer) sync(about *decision.Ref, s *entry.Sync) {
	if s.Repeated {
		return
	}
	if s.Gone {
		t.row("sync "+about.Namespace+"/"+about.Name, "gone: what was expected for it is dropped")
		return
	}
	_, answer, _ := strings.Cut(strings.TrimSuffix(s.Answer, "."), " ") // the name stands before it
	parts := []string{answer}
	if !s.Gate.Open {
		why := s.Gate.Message
		if !strings.HasPrefix(why, "closed") {
			why = "closed: " + why
		}
		parts = []string{"gate " + why}
	}
	if s.TakenBack {
		parts = append(parts, "taken back, for there is nothing left to do")
	}
	if expects := outstanding(s); expects != "" {
		parts = append(parts, expects)
	}
	switch {
	case s.Failures > 0:
		parts = append(parts, fmt.Sprintf("fails, %s in a row; again in %s", format.Plural(s.Failures, "time"), short(*s.Delay)))
	case s.Delay != nil:
		parts = append(parts, "again in "+short(*s.Delay))
	}
	t.row("sync "+about.Namespace+"/"+about.Name, strings.Join(parts, "; "))
}

// outstanding is what the sync would wait for.
func outstanding(s *entry.Sync) string {
	if s.Expects == nil || !s.Gate.Open || s.Expects.Age != 0 {
		return ""
	}
	var parts []string
	if s.Expects.Adds > 0 {
		parts = append(parts, format.Plural(int(s.Expects.Adds), "creation"))
	}
	if s.Expects.Dels > 0 {
		parts = append(parts, format.Plural(int(s.Expects.Dels), "deletion"))
	}
	if len(parts) == 0 {
		return ""
	}
	return "then expects " + strings.Join(parts, " and ")
}

func (t *tracer) act(about *decision.Ref, a *entry.Act) {
	text := fmt.Sprintf("did %s %s/%s", a.Verb, strings.ToLower(a.Object.Kind), a.Object.Name)
	if a.To != nil {
		text += fmt.Sprintf(" to %d", *a.To)
	}
	switch a.Standing {
	case entry.Predicted:
		text += "  predicted ✓"
	case entry.SeenFirst:
		text += "  follows from the state without it ✓"
	case entry.Undetermined:
		if text += "  not determined"; a.Why == "" {
			text += ": one of those that were possible"
		}
	case entry.Foreign:
		text = strings.Replace(text, "did ", "", 1) + "  not the controller's"
	case entry.Otherwise:
		text = "! " + text + "  MISPREDICTED, expected: " + wanted(a.Wanted)
	}
	if a.Why != "" {
		text += ": " + a.Why
	}
	if a.SeenAt != nil && a.Standing != entry.SeenFirst {
		text += " (seen " + a.SeenAt.UTC().Format("15:04:05.000") + ")"
	}
	if len(a.Changed) > 0 {
		text += "  " + changesOf(a.Changed)
	}
	t.row(refOf(about), text)
}

// changesOf names the first fields of a change, with their values.
func changesOf(all []entry.Changed) string {
	var parts []string
	for _, c := range all[:min(len(all), 3)] {
		_, path, _ := strings.Cut(c.Path, ".") // metadata or spec
		parts = append(parts, fmt.Sprintf("%s %s → %s", path, format.OrDash(c.From), format.OrDash(c.To)))
	}
	return format.Some(parts, len(all))
}

func wanted(all []entry.Action) string {
	if len(all) == 0 {
		return "nothing was to be done"
	}
	var parts []string
	for _, a := range all[:min(len(all), 5)] {
		parts = append(parts, actionText(a))
	}
	if n := len(all) - len(parts); n > 0 {
		parts = append(parts, fmt.Sprintf("and %d more", n))
	}
	return strings.Join(parts, ", ")
}

func actionText(a entry.Action) string {
	kind, name, _ := strings.Cut(a.Object, "/")
	switch {
	case a.Verb == decision.Create && kind == "pod":
		return fmt.Sprintf("create %s", format.Plural(a.Count, "Pod"))
	case a.Verb == decision.Scale && a.To != nil:
		return fmt.Sprintf("scale %s to %d", name, *a.To)
	case a.Choice != nil:
		return fmt.Sprintf("%s %s (%d of %d)", a.Verb, name, a.Choice.K, a.Choice.N)
	}
	return fmt.Sprintf("%s %s", a.Verb, name)
}

func (t *tracer) verdict(now time.Time, about *decision.Ref, v *entry.Verdict) {
	text := map[entry.State]string{
		entry.Idle: "nothing to do", entry.Acting: "expected: " + wanted(v.Actions),
		entry.Busy:    "waits while its controller does other things: " + wanted(v.Actions),
		entry.Unknown: "not known while events are missing",
		entry.Refused: "refused",
	}[v.State]
	if v.State == entry.Refused && len(v.Actions) > 0 {
		text = "refused so far: " + wanted(v.Actions)
	}
	if v.State == entry.Late {
		text = fmt.Sprintf("! should have acted %s ago: %s", now.Sub(v.Since).Round(time.Second), wanted(v.Actions))
	}
	t.row(refOf(about), text)
	for _, e := range v.Evidence {
		t.more(e.Message)
	}
}

func (t *tracer) summary(s *entry.Summary) {
	t.row("summary", fmt.Sprintf("%s and %s in %s", format.Plural(s.Events, "event"), format.Plural(s.Syncs, "sync"), s.For))
	t.more(fmt.Sprintf("%s of the controllers: %d predicted, %d that follow from the state without them, %d not determined, %d mispredicted",
		format.Plural(s.Acts, "act"), s.Predicted, s.SeenFirst, s.Undetermined, s.Misses))
	t.more(fmt.Sprintf("%s of others; late: %d, refused: %d, expectations taken back: %d", format.Plural(s.Foreign, "act"), s.Late, s.Refused, s.Withdrawn))
	if s.BlindSince != nil {
		t.more("changes are not visible since " + s.BlindSince.UTC().Format(time.TimeOnly) + ": what happened then is not known")
	}
	for _, open := range s.Open {
		t.more("open: " + open)
	}
}

// short is a span in milliseconds, a long one in hundredths of a second.
func short(s decision.Span) string {
	d, digits := time.Duration(s), time.Millisecond
	if d > time.Second {
		digits = 10 * time.Millisecond
	}
	return d.Round(digits).String()
}
