package live

import (
	"net/http"
	"testing"
	"time"

	clocktesting "k8s.io/utils/clock/testing"
)

func TestClockSkew(t *testing.T) {
	type response struct{ took, ahead time.Duration } // ahead: the local clock's lead
	tests := []struct {
		name      string
		responses []response
		want      time.Duration // the corrected time, after start
		note      string
	}{
		{"none yet", nil, 0, ""},
		{"same", []response{{0, 0}}, 0, ""},
		{"tolerable", []response{{0, 2 * time.Second}}, 0, ""},
		{"ahead", []response{{0, 42 * time.Second}}, -41500 * time.Millisecond, "the local clock is 42s ahead of the server's; ages use the server's"},
		{"behind", []response{{0, -90 * time.Minute}}, 90*time.Minute + 500*time.Millisecond, "the local clock is 1h30m1s behind the server's; ages use the server's"},
		{"a slow answer proves little", []response{{20 * time.Second, 10 * time.Second}}, 0, ""},
		{"a quick answer counts", []response{{0, 10 * time.Second}, {20 * time.Second, 0}}, -9500 * time.Millisecond, "the local clock is 10s ahead of the server's; ages use the server's"},
		{"the newest counts", []response{{0, 10 * time.Second}, {0, 0}}, 0, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tr := &traffic{clock: clocktesting.NewFakePassiveClock(start)}
			for _, r := range tt.responses {
				header := http.Header{"Date": {start.Add(-r.ahead).Format(http.TimeFormat)}}
				tr.note(&http.Response{Header: header, StatusCode: http.StatusOK}, start.Add(-r.took), start)
			}
			now, note := tr.now()
			if got := now.Sub(start); got != tt.want {
				t.Errorf("corrected by %s, want %s", got, tt.want)
			}
			if note != tt.note {
				t.Errorf("note %q, want %q", note, tt.note)
			}
		})
	}
}
