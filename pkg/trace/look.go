package trace

import (
	"fmt"
	"strings"
	"time"
)

// look tells the engine what can't be watched, when all can be again, and until
// when all changes were delivered, if it wants to know that.
func (f *Follower) look(feeds []Feed) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	at := f.now()
	names, text := f.unseen(feeds)
	switch {
	case names != "" && names != f.blind:
		f.record.mark(at, blind, text)
		f.engine.loseSight(at, text)
	case names == "" && f.blind != "":
		f.record.mark(at, sees, "")
		f.engine.regainSight(at)
	}
	f.blind = names
	if until := f.confirmed(feeds); names == "" && until.After(f.engine.confirmed) {
		f.record.mark(at, confirmed, until.Format(time.RFC3339Nano))
		f.engine.confirm(at, until)
	}
	return f.record.Err()
}

// unseen names the feeds that can't be watched, and says why and since when.
func (f *Follower) unseen(feeds []Feed) (names, text string) {
	var all []string
	var reasons []string
	var first time.Time
	for n, feed := range feeds {
		cause, since, blind := f.sights[n].blind()
		if !blind || f.notRead(feed) {
			continue
		}
		all = append(all, feed.Need.String())
		if len(reasons) == 0 {
			reasons = append(reasons, cause)
		}
		if first.IsZero() || since.Before(first) {
			first = since
		}
	}
	if len(all) == 0 {
		return "", ""
	}
	names = strings.Join(all, ", ")
	return names, fmt.Sprintf("cannot watch %s since %s: %s. Changes there are not visible, so no controller is called late.",
		names, first.UTC().Format(time.TimeOnly), reasons[0])
}

// confirmed is until when every feed has delivered all changes, zero when the
// engine does not want to know.
func (f *Follower) confirmed(feeds []Feed) time.Time {
	want := f.engine.wants
	if want.IsZero() {
		return want
	}
	first := f.now()
	for n, feed := range feeds { // each is asked, also behind one that does not know
		if until := f.sights[n].until(want); !f.notRead(feed) && until.Before(first) {
			first = until
		}
	}
	return first
}
