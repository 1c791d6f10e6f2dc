package decision

import (
	"encoding/json"
	"math"
	"strconv"
	"time"

	"k8s.io/apimachinery/pkg/util/duration"
)

// Span is a length of time. In JSON it is a number of seconds.
type Span time.Duration

//go:noinline // it is called at many places
func (s Span) String() string { return time.Duration(s).String() }

// Brief is the span as kubectl prints ages: 5m0s is 5m, and 68h0m0s is 2d20h.
//
//go:noinline // it is called at many places
func (s Span) Brief() string { return duration.HumanDuration(time.Duration(s)) }

// prompt is how much later than a whole second something may be that is done at once then,
// such as the retries of a write.
const prompt = 100 * time.Millisecond

// Elapsed is the span as the time on a clock, as Brief prints it: by the second, rounded up,
// so that nothing shows before the time it waits for. Instants of a cluster have fractions,
// what they are compared with has none: a Pod that became ready 400ms ago is available
// after minReadySeconds of 8 in 7.6s.
func (s Span) Elapsed() string {
	up := time.Duration(s) - prompt + time.Second - 1
	return Span(max(up.Truncate(time.Second), 0)).Brief()
}

// MarshalJSON writes seconds.
func (s Span) MarshalJSON() ([]byte, error) {
	return strconv.AppendFloat(nil, time.Duration(s).Seconds(), 'f', -1, 64), nil
}

// UnmarshalJSON reads seconds.
func (s *Span) UnmarshalJSON(text []byte) error {
	var seconds float64
	if err := json.Unmarshal(text, &seconds); err != nil {
		return err
	}
	*s = Span(math.Round(seconds * float64(time.Second)))
	return nil
}
