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
