package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/cli-runtime/pkg/printers"
)

// templated is the printer of -o jsonpath=… and -o go-template=….
func (f *outputFlags) templated() (printers.ResourcePrinter, error) {
	p, err := f.jsonpath()
	if genericclioptions.IsNoCompatiblePrinterError(err) {
		p, err = f.template.GoTemplatePrintFlags.ToPrinter(f.format)
	}
	if err != nil {
		return nil, err
	}
	return f.terse(p), nil
}

// jsonpath is kubectl's own printer, after {.} became {@} in its template.
func (f *outputFlags) jsonpath() (printers.ResourcePrinter, error) {
	flags := *f.template.JSONPathPrintFlags
	format, text := f.format, *flags.TemplateArgument
	if text == "" {
		format, text, _ = strings.Cut(f.format, "=")
	}
	if format == "jsonpath-file" && text != "" {
		data, err := os.ReadFile(text)
		if err != nil {
			return nil, err
		}
		format, text = "jsonpath", string(data)
	}
	text = currentObject(text)
	flags.TemplateArgument = &text
	return flags.ToPrinter(format)
}

// actions are the parts of a jsonpath template in braces, which may hold quoted
// braces.
var actions = regexp.MustCompile(`\{(?:"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[^"'{}])*\}`)

// currentObject writes {.} as {@}. The jsonpath library takes {.} for a field
// without a name, which no object has, and prints nothing.
func currentObject(template string) string {
	return actions.ReplaceAllStringFunc(template, func(action string) string {
		if strings.TrimSpace(strings.Trim(action, "{}")) == "." {
			return "{@}"
		}
		return action
	})
}

// terse cuts the template and the whole object, which may be megabytes, from
// errors of kubectl's printers.
func (f *outputFlags) terse(p printers.ResourcePrinter) printers.ResourcePrinter {
	return printers.ResourcePrinterFunc(func(obj runtime.Object, w io.Writer) error {
		err := p.PrintObj(obj, w)
		if err == nil {
			return nil
		}
		text, _, _ := strings.Cut(err.Error(), ". Printing more information")
		if _, cause, ok := strings.Cut(text, ": Error executing template: "); ok {
			text = cause
		}
		return fmt.Errorf("--output %s: %w", f.format, errors.New(text))
	})
}
