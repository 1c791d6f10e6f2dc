package render

import (
	"bytes"
	"io"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/cli-runtime/pkg/printers"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/harmless"
)

// HarmlessJSON is a printer of JSON that writes characters which could drive a
// terminal as \u escapes. The data is the same.
func HarmlessJSON(p printers.ResourcePrinter) printers.ResourcePrinter {
	return printers.ResourcePrinterFunc(func(obj runtime.Object, w io.Writer) error {
		var buf bytes.Buffer
		if err := p.PrintObj(obj, &buf); err != nil {
			return err
		}
		_, err := io.WriteString(w, harmless.Escaped(buf.String(), "\n"))
		return err
	})
}

// HarmlessYAML is a printer of YAML that prints what holds characters which
// could drive a terminal as JSON, which is YAML too: unlike YAML's own styles
// it can escape every one of them. json must be harmless.
func HarmlessYAML(p, json printers.ResourcePrinter) printers.ResourcePrinter {
	return printers.ResourcePrinterFunc(func(obj runtime.Object, w io.Writer) error {
		var plain, safe bytes.Buffer
		if err := p.PrintObj(obj, &plain); err == nil && !strings.ContainsFunc(strings.ReplaceAll(plain.String(), "\n", ""), harmless.Unsafe) {
			_, err := w.Write(plain.Bytes())
			return err
		}
		if err := json.PrintObj(obj, &safe); err != nil {
			return err
		}
		_, err := w.Write(safe.Bytes())
		return err
	})
}

// Harmless is text in which characters that could drive a terminal, or hide
// and reorder what is read, are escapes.
func Harmless(text string) string { return harmless.Escaped(text, "\n\t") }

// HarmlessText is a printer of free text for a terminal. Programs get the text
// as it is, and need no such printer.
func HarmlessText(p printers.ResourcePrinter) printers.ResourcePrinter {
	return printers.ResourcePrinterFunc(func(obj runtime.Object, w io.Writer) error {
		var buf bytes.Buffer
		if err := p.PrintObj(obj, &buf); err != nil {
			return err
		}
		_, err := io.WriteString(w, harmless.Escaped(buf.String(), "\n\t"))
		return err
	})
}
