package render

import (
	"fmt"
	"io"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/cli-runtime/pkg/printers"
)

// mostParts bounds what an answer for programs lists: 100,000 Pods that are each
// claimed, ranked and deleted. Its text is made as a whole, and YAML of that takes
// about a gigabyte.
const mostParts = 300_000

// bulky is a document that may list very much.
type bulky interface {
	// parts is how much that is, and what.
	parts() (n int, what string)
}

func (d *Document) parts() (n int, what string) {
	n = len(d.Claims) + len(d.AllActions())
	if d.Ranking != nil {
		n += len(d.Ranking.Rows)
	}
	for _, r := range d.MoreRankings {
		n += len(r.Rows)
	}
	return n, "claims, actions and ranks"
}

func (l *DocumentList) parts() (n int, what string) {
	for i := range l.Items {
		more, of := l.Items[i].parts()
		n, what = n+more, of
	}
	return n, what
}

func (d *OrphansDocument) parts() (n int, what string) {
	n = len(d.Findings)
	for _, f := range d.ByDesign {
		n += len(f.Objects)
	}
	return n, "findings and objects"
}

// Bounded is a printer for programs that refuses a document which lists too much.
func Bounded(p printers.ResourcePrinter) printers.ResourcePrinter {
	return printers.ResourcePrinterFunc(func(obj runtime.Object, w io.Writer) error {
		if d, ok := obj.(bulky); ok {
			if n, what := d.parts(); n > mostParts {
				return fmt.Errorf("this answer has %d %s, and at most %d are printed for programs: ask without --output, with --output name, or about fewer objects", n, what, mostParts)
			}
		}
		return p.PrintObj(obj, w)
	})
}
