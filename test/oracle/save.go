package oracle

import (
	"encoding/json"
	"fmt"
	"os"
	"runtime/debug"
	"testing"
)

// RunAndSave is a TestMain that writes what the tests found as JSON to
// $ORACLE_REPORT, if that is set. Many small states one after another want fewer
// collections.
func RunAndSave(m *testing.M, found func() any) {
	debug.SetGCPercent(400)
	code := m.Run()
	if path := os.Getenv("ORACLE_REPORT"); path != "" {
		if err := save(path, found()); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}
	os.Exit(code)
}

func save(path string, found any) error {
	text, err := json.MarshalIndent(found, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(text, '\n'), 0o644)
}
