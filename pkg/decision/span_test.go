package decision

import (
	"encoding/json"
	"testing"
	"time"
)

func TestSpan(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0", 5 * time.Minute: "300", 1500 * time.Millisecond: "1.5", -time.Second: "-1", 1000 * time.Hour: "3600000", time.Microsecond: "0.000001",
	} {
		if got, err := json.Marshal(Span(d)); err != nil || string(got) != want {
			t.Errorf("%s: %s, %v, want %s", d, got, err, want)
		}
		var read Span
		if err := json.Unmarshal([]byte(want), &read); err != nil || read != Span(d) {
			t.Errorf("%s is read as %s, %v, want %s", want, read, err, d)
		}
	}
	if got := Span(5 * time.Minute).Brief(); got != "5m" {
		t.Errorf("brief: %s", got)
	}
	if err := json.Unmarshal([]byte(`"5m"`), new(Span)); err == nil {
		t.Error("what is no number is no error")
	}
}

// TestElapsed: what happens after minReadySeconds of 8 shows at 8s, not at 7s.
func TestElapsed(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0s", 40 * time.Millisecond: "0s", 500 * time.Millisecond: "1s", 7150 * time.Millisecond: "8s", 8 * time.Second: "8s", 8010 * time.Millisecond: "8s",
		8660 * time.Millisecond: "9s", 59200 * time.Millisecond: "60s", 150 * time.Second: "2m30s",
	} {
		if got := Span(d).Elapsed(); got != want {
			t.Errorf("%s: %s, want %s", d, got, want)
		}
	}
}
