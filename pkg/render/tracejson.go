package render

import (
	"encoding/json"
	"io"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/sanitize"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/trace/entry"
)

// traceEntryKind is the kind of the lines that TraceJSON writes.
const traceEntryKind = "TraceEntry"

// TraceDocument is the JSON form of one entry of a trace.
type TraceDocument struct {
	metav1.TypeMeta `json:",inline"`
	*entry.Entry
}

// TraceJSON writes one entry of a trace as a line of JSON.
func TraceJSON(w io.Writer, e *entry.Entry) error {
	text, err := json.Marshal(TraceDocument{typeOf(traceEntryKind), e})
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, sanitize.EscapedJSON(string(text), "")+"\n")
	return err
}
