package cli

import (
	"io"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/render"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/trace/entry"
)

// printer picks how entries are printed. What can't be written, because the
// reader has gone or the disk is full, ends a trace, unless a record is kept of it.
func (f *traceFlags) printer(env Env) (lineWriter, error) {
	o, err := f.output.options(env)
	if err != nil {
		return nil, err
	}
	if f.output.format == "json" {
		return render.TraceJSON, nil
	}
	return func(w io.Writer, e *entry.Entry) error { return render.TraceLine(w, e, o) }, nil
}
