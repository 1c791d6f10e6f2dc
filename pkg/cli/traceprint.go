package cli

import (
	"io"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/journal"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/render"
)

// printer picks how entries are printed. What can't be written, because the
// reader has gone, ends nothing: the summary and the record still count.
func (f *traceFlags) printer(env Env) (lineWriter, error) {
	o, err := f.output.options(env)
	if err != nil {
		return nil, err
	}
	if f.output.format == "json" {
		return func(w io.Writer, e *journal.Entry) { _ = render.TraceJSON(w, e) }, nil
	}
	return func(w io.Writer, e *journal.Entry) { _ = render.TraceLine(w, e, o) }, nil
}
