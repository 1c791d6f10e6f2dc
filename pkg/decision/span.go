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

func (s Span) String() string { return time.Duration(s).String() }

// Brief is the span as kubectl prints ages: 5m0s is 5m, and 68h0m0s is 2d20h.
func (s Span) Brief() string { return duration.HumanDuration(time.Duration(s)) }

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
