package cli

import (
	"fmt"
	"io"
	"slices"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/render"
)

type wholePrinter func(io.Writer, *decision.Decision, render.Options) error

// columnsOf are what a list of the answers of a kind says.
func columnsOf(kind string) render.Columns {
	if kind == render.ExplanationKind {
		return render.StateColumns
	}
	return render.NextColumn
}

// human prints single Decisions whole and several, asked for by selector or
// namespace, as a list.
func human(o render.Options, whole wholePrinter, named, namespaces bool, columns render.Columns) printer {
	return func(w io.Writer, ds []*decision.Decision) error {
		if !named {
			return render.List(w, ds, namespaces || severalNamespaces(ds), columns, o)
		}
		for i, d := range ds {
			if i > 0 {
				if _, err := fmt.Fprintln(w); err != nil {
					return err
				}
			}
			if err := whole(w, d, o); err != nil {
				return err
			}
		}
		return nil
	}
}

// document is the answer for programs. As with kubectl get, the question
// decides whether it is a list, not how many there happen to be.
func document(kind string, ds []*decision.Decision, failed failures, single bool) runtime.Object {
	if single && len(ds) == 1 {
		return render.NewDocument(kind, ds[0])
	}
	return render.NewDocumentList(kind, ds, failed.rendered())
}

// severalNamespaces reports whether names alone may not tell the targets apart.
func severalNamespaces(ds []*decision.Decision) bool {
	return slices.ContainsFunc(ds, func(d *decision.Decision) bool { return d.Target.Namespace != ds[0].Target.Namespace })
}
