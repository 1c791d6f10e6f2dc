package render

import (
	"fmt"
	"strings"
	"time"

	"github.com/olekukonko/tablewriter/pkg/twwidth"
)

// Reading is something that is being read: what, and how many of it so far, 0
// when that is not known.
type Reading struct {
	What    string
	Objects int
}

// Progress is one line, no wider than the terminal, about what is being read
// and since when.
func Progress(all []Reading, waited time.Duration, columns int) string {
	var parts []string
	for _, r := range all {
		text := clean(r.What)
		if r.Objects > 0 {
			text += fmt.Sprintf(" (%d so far)", r.Objects)
		}
		parts = append(parts, text)
	}
	line := fmt.Sprintf("%ds: reading %s", int(waited.Seconds()), strings.Join(parts, ", "))
	return twwidth.Truncate(line, max(columns-1, 0), "…")
}
