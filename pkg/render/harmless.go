package render

import (
	"bytes"
	"io"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/cli-runtime/pkg/printers"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/blockyaml"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/sanitize"
)

// HarmlessJSON is a printer of JSON that writes characters which could drive a
// terminal as \u escapes. The data is the same. The printer p writes whole
// characters at once.
func HarmlessJSON(p printers.ResourcePrinter) printers.ResourcePrinter {
	return printers.ResourcePrinterFunc(func(obj runtime.Object, w io.Writer) error {
		return p.PrintObj(obj, harmlessWriter{w})
	})
}

// harmlessWriter writes JSON with escapes. An answer may be hundreds of megabytes,
// so it is escaped line by line.
type harmlessWriter struct{ w io.Writer }

func (h harmlessWriter) Write(text []byte) (int, error) {
	for line := range bytes.Lines(text) {
		if _, err := io.WriteString(h.w, sanitize.EscapedJSON(string(line), "\n")); err != nil {
			return 0, err
		}
	}
	return len(text), nil
}

// YAML is a printer of YAML, in which such characters are escapes as well.
func YAML() printers.ResourcePrinter {
	return printers.ResourcePrinterFunc(func(obj runtime.Object, w io.Writer) error {
		text, err := blockyaml.Marshal(obj)
		if err == nil {
			_, err = w.Write(text)
		}
		return err
	})
}

// Harmless is text in which characters that could drive a terminal, or hide
// and reorder what is read, are escapes.
func Harmless(text string) string { return sanitize.Escaped(text, "\n\t") }

// HarmlessLine is Harmless in one line: line ends and tabs are spaces.
func HarmlessLine(text string) string { return clean(text) }

// HarmlessText is a printer of free text for a terminal. Programs get the text
// as it is, and need no such printer.
func HarmlessText(p printers.ResourcePrinter) printers.ResourcePrinter {
	return printers.ResourcePrinterFunc(func(obj runtime.Object, w io.Writer) error {
		var buf bytes.Buffer
		if err := p.PrintObj(obj, &buf); err != nil {
			return err
		}
		_, err := io.WriteString(w, sanitize.Escaped(buf.String(), "\n\t"))
		return err
	})
}
