package redact

import (
	"os"
	"strings"
	"sync"
	"testing"
)

var readReasons = sync.OnceValues(func() (map[string]string, error) {
	file, err := os.ReadFile("testdata/kept.txt")
	if err != nil {
		return nil, err
	}
	kept := map[string]string{}
	var reason string
	for line := range strings.Lines(string(file)) {
		switch field, indented := strings.CutPrefix(line, "  "); {
		case indented:
			for f := range strings.FieldsSeq(field) {
				kept[f] = reason
			}
		case !strings.HasPrefix(line, "#"):
			reason = strings.TrimSpace(line)
		}
	}
	return kept, nil
})

// reasons says of each field of the API that stays why it does.
func reasons(t *testing.T) map[string]string {
	t.Helper()
	kept, err := readReasons()
	if err != nil {
		t.Fatal(err)
	}
	return kept
}
