package live

import (
	"fmt"
	"net/http"
	"sync"
	"time"

	"k8s.io/utils/clock"
)

// tolerated is how far the clocks may differ before it is worth a word: Date
// headers have full seconds, and answers take time.
const tolerated = 2 * time.Second

// traffic notes what the server's responses say besides their bodies: its
// time, and its latest refusal to work.
type traffic struct {
	clock clock.PassiveClock

	mu      sync.Mutex
	sampled bool
	sample  sample
	trouble string
}

// sample bounds how far the local clock is ahead of the server's.
type sample struct{ min, max time.Duration }

func (s sample) width() time.Duration { return s.max - s.min }

// ahead is the local clock's lead: zero when the bounds allow for a tolerable one.
func (s sample) ahead() time.Duration {
	if s.min <= tolerated && s.max >= -tolerated {
		return 0
	}
	return (s.min + s.max) / 2
}

// observing sends requests to next and notes what comes back.
type observing struct {
	*traffic
	next http.RoundTripper
}

func (o observing) WrappedRoundTripper() http.RoundTripper { return o.next }

func (o observing) RoundTrip(req *http.Request) (*http.Response, error) {
	sent := o.clock.Now()
	resp, err := o.next.RoundTrip(req)
	if err == nil {
		o.note(resp, sent, o.clock.Now())
	}
	return resp, err
}

func (t *traffic) note(resp *http.Response, sent, received time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if resp.StatusCode == http.StatusTooManyRequests || resp.StatusCode >= http.StatusInternalServerError {
		t.trouble = resp.Status
	} else {
		t.trouble = ""
	}
	date, err := http.ParseTime(resp.Header.Get("Date"))
	if err != nil {
		return
	}
	// The server stamped the response somewhere within the second that starts
	// at date, and between sent and received.
	s := sample{min: sent.Sub(date.Add(time.Second)), max: received.Sub(date)}
	if !t.sampled || s.width() <= max(t.sample.width(), tolerated) {
		t.sampled, t.sample = true, s
	}
}

// lastTrouble is the latest response's status when the server could not do
// its work, or empty.
func (t *traffic) lastTrouble() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.trouble
}

// now is the time by the server's clock, as far as it is known, and a remark
// when that is not the local one.
func (t *traffic) now() (time.Time, string) {
	t.mu.Lock()
	ahead := t.sample.ahead()
	t.mu.Unlock()
	local := t.clock.Now()
	switch {
	case ahead > 0:
		return local.Add(-ahead), skewMessage(ahead, "ahead of")
	case ahead < 0:
		return local.Add(-ahead), skewMessage(-ahead, "behind")
	}
	return local, ""
}

func skewMessage(d time.Duration, relation string) string {
	return fmt.Sprintf("the local clock is %s %s the server's; ages use the server's", d.Round(time.Second), relation)
}
