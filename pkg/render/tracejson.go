package render

import (
	"encoding/json"
	"io"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/harmless"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/journal"
)

// TraceEntryKind is the kind of the lines that TraceJSON writes.
const TraceEntryKind = "TraceEntry"

// TraceJSON writes one entry of a trace as a line of JSON.
func TraceJSON(w io.Writer, e *journal.Entry) error {
	text, err := json.Marshal(struct {
		APIVersion string `json:"apiVersion"`
		Kind       string `json:"kind"`
		*journal.Entry
	}{GroupVersion.String(), TraceEntryKind, e})
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, harmless.EscapedJSON(string(text), "")+"\n")
	return err
}
