package fuzz

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// FuzzRecord replays any text that is given as the record of a trace.
func FuzzRecord(f *testing.F) {
	text, err := os.ReadFile("../../docs/examples/trace.jsonl")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	for _, change := range [][2]string{
		{"2026-11-01T12:00:05", "9999-12-31T23:59:59"}, {"2026-11-01", "0001-01-01"}, {`"web-k2n7p"`, `"\u001b[2J\u202e"`},
		{`"generation":5`, `"generation":-5`}, {"Updated", "Deleted"}, {`"replicas":4`, `"replicas":2147483647`}, {`"spec":{`, `"spec":[`},
	} {
		f.Add(bytes.ReplaceAll(text, []byte(change[0]), []byte(change[1])))
	}
	steps, err := os.ReadFile("../../docs/examples/expiry.jsonl")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(steps)
	for _, change := range [][2]string{
		{`"step":{`, `"stop":{`}, {`"request":{`, `"deltas":{`}, {`"deltas":{`, `"calls":{`}, {`"objects":4`, `"objects":-4`},
		{`"reflector"`, `"\u001b[2J\u202e"`}, {`"informers":[`, `"informers":[{},`}, {`"tookSeconds":0`, `"tookSeconds":-9e18`},
	} {
		f.Add(bytes.ReplaceAll(steps, []byte(change[0]), []byte(change[1])))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		path := filepath.Join(t.TempDir(), "record.jsonl")
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		for _, q := range [][]string{{"trace", "--from", path}, {"trace", "--from", path, "-o", "json"}, {"trace", "--from", path, "--internals"}, {"trace", "--from", path, "--internals", "-o", "json"}} {
			ask(nil, 0, q...).check(t, q[:1])
		}
	})
}
