package live

import (
	"net/http"
	"strings"
	"testing"
	"time"

	clocktesting "k8s.io/utils/clock/testing"
)

const changed = "the server's clock changed while it was read; ages use its latest time"

// TestImpossibleDates: no Date makes the time one that can't be, and none is
// passed over in silence.
func TestImpossibleDates(t *testing.T) {
	for date, want := range map[string]string{
		"Mon, 01 Jan 0001 00:00:00 GMT": "the server's clock says 0001-01-01, which can't be; it is not used",
		"Thu, 01 Jan 1970 00:00:00 GMT": "the server's clock says 1970-01-01, which can't be; it is not used",
		"Wed, 31 Dec 2014 23:59:59 GMT": "the server's clock says 2014-12-31, which can't be; it is not used",
		"Fri, 31 Dec 9999 23:59:59 GMT": "the server's clock says 9999-12-31, which can't be; it is not used",
		"Wed, 01 Jan 2020 00:00:00 GMT": "the local clock is 6y61d ahead of the server's",
		"Sat, 01 Jan 2150 00:00:00 GMT": "the local clock is ",
		"":                              "",
		"yesterday":                     "",
	} {
		tr := &traffic{clock: clocktesting.NewFakePassiveClock(start)}
		tr.note(&http.Response{Header: http.Header{"Date": {date}}, StatusCode: http.StatusOK}, start, start)
		now, note := tr.now()
		if !strings.HasPrefix(note, want) || (want == "") != (note == "") {
			t.Errorf("%q: note %q, want %q", date, note, want)
		}
		if used := strings.HasPrefix(want, "the local clock"); used != (now != start) || now.Year() < firstYear || now.Year() > lastYear {
			t.Errorf("%q: now %s", date, now)
		}
	}
}

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
		{"a quick answer counts", []response{{0, 10 * time.Second}, {20 * time.Second, 20 * time.Second}}, -9500 * time.Millisecond, "the local clock is 10s ahead of the server's; ages use the server's"},
		{"the newest counts", []response{{0, 10 * time.Second}, {0, 0}}, 0, changed},
		{"changes midway", []response{{0, 0}, {0, 42 * time.Second}, {0, 42 * time.Second}}, -41500 * time.Millisecond, changed + "; the local clock is 42s ahead of the server's; ages use the server's"},
		{"a slow answer shows a change", []response{{0, 0}, {20 * time.Second, time.Hour}}, -time.Hour + 10500*time.Millisecond, changed + "; the local clock is 59m50s ahead of the server's; ages use the server's"},
		{"jitter is no change", []response{{0, 0}, {0, 2 * time.Second}, {0, -time.Second}}, 0, ""},
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
