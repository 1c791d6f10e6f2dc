package live

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/util/duration"
	"k8s.io/utils/clock"
)

// tolerated is how far the clocks may differ before it is worth a word: Date
// headers have full seconds, and answers take time.
const tolerated = 2 * time.Second

// A Date header outside of these years is no clock's. Between them, differences
// fit into a time.Duration.
const (
	firstYear = 2015 // of Kubernetes 1.0
	lastYear  = 2150
)

// traffic notes what the server's responses say besides their bodies: its
// time, and its latest refusal to work.
type traffic struct {
	clock clock.PassiveClock

	mu      sync.Mutex
	sampled bool
	sample  sample
	trouble string
	// remark is what is odd about the server's latest Date, or empty.
	remark string
}

// sample bounds how far the local clock is ahead of the server's.
type sample struct{ min, max time.Duration }

func (s sample) width() time.Duration { return s.max - s.min }

// ahead is the local clock's lead: zero when the bounds allow for a tolerable one.
func (s sample) ahead() time.Duration {
	if s.min <= tolerated && s.max >= -tolerated {
		return 0
	}
	return s.min + s.width()/2 // their sum may be too long for a Duration
}

// contradicts reports whether no clock of the server gives both samples.
func (s sample) contradicts(other sample) bool {
	return s.min > other.max+tolerated || other.min > s.max+tolerated
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
	if date, err := http.ParseTime(resp.Header.Get("Date")); err == nil {
		t.noteDate(date, sent, received)
	}
}

func (t *traffic) noteDate(date, sent, received time.Time) {
	if year := date.Year(); year < firstYear || year > lastYear {
		t.remark = fmt.Sprintf("the server's clock says %s, which can't be; it is not used", date.Format(time.DateOnly))
		return
	}
	// The server stamped the response somewhere within the second that starts
	// at date, and between sent and received.
	s := sample{min: sent.Sub(date.Add(time.Second)), max: received.Sub(date)}
	if t.sampled && s.contradicts(t.sample) {
		t.remark = "the server's clock changed while it was read; ages use its latest time"
	}
	if !t.sampled || s.contradicts(t.sample) || s.width() <= max(t.sample.width(), tolerated) {
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
	ahead, remarks := t.sample.ahead(), []string{t.remark}
	t.mu.Unlock()
	switch {
	case ahead > 0:
		remarks = append(remarks, skewMessage(ahead, "ahead of"))
	case ahead < 0:
		remarks = append(remarks, skewMessage(-ahead, "behind"))
	}
	remarks = slices.DeleteFunc(remarks, func(r string) bool { return r == "" })
	return t.clock.Now().Add(-ahead), strings.Join(remarks, "; ")
}

func skewMessage(d time.Duration, relation string) string {
	span := d.Round(time.Second).String()
	if d > 48*time.Hour {
		span = duration.HumanDuration(d)
	}
	return fmt.Sprintf("the local clock is %s %s the server's; ages use the server's", span, relation)
}
