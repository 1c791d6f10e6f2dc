package decision

import (
	"encoding/json"
	"math"
	"strconv"
	"time"
)

// Span is a length of time: a Go duration, and a number of seconds in JSON.
type Span string

// SpanOf is a duration as a Span.
func SpanOf(d time.Duration) Span { return Span(d.String()) }

// Brief is the span as kubectl prints ages.
func (s Span) Brief() string { return Brief(string(s)) }

// MarshalJSON writes seconds.
func (s Span) MarshalJSON() ([]byte, error) {
	d, err := time.ParseDuration(string(s))
	if err != nil {
		return nil, err
	}
	return strconv.AppendFloat(nil, d.Seconds(), 'f', -1, 64), nil
}

// UnmarshalJSON reads seconds.
func (s *Span) UnmarshalJSON(text []byte) error {
	var seconds float64
	if err := json.Unmarshal(text, &seconds); err != nil {
		return err
	}
	*s = SpanOf(time.Duration(math.Round(seconds * float64(time.Second))))
	return nil
}
