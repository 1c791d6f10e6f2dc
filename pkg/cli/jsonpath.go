package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	kubejson "k8s.io/apimachinery/pkg/util/json"
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
	p, err := flags.ToPrinter(format)
	if err != nil || flags.AllowMissingKeys == nil || !*flags.AllowMissingKeys {
		return p, err
	}
	return lenient(p), nil
}

// lenient prints an element of an empty list as it prints a missing field:
// {.blockedBy[0].reason} is empty for an object that nothing blocks.
func lenient(p printers.ResourcePrinter) printers.ResourcePrinter {
	return printers.ResourcePrinterFunc(func(obj runtime.Object, w io.Writer) error {
		var buf bytes.Buffer
		err := p.PrintObj(obj, &buf)
		if err != nil && strings.Contains(err.Error(), "array index out of bounds") {
			buf.Reset()
			err = printWithoutEmpty(p, obj, &buf)
		}
		if err != nil {
			return err
		}
		_, err = w.Write(buf.Bytes())
		return err
	})
}

func printWithoutEmpty(p printers.ResourcePrinter, obj runtime.Object, w io.Writer) error {
	content, err := contentOf(obj)
	if err != nil {
		return err
	}
	dropEmpty(content)
	return p.PrintObj(&unstructured.Unstructured{Object: content}, w)
}

// contentOf is an object as JSON has it.
func contentOf(obj runtime.Object) (content map[string]any, err error) {
	text, err := json.Marshal(obj)
	if err != nil {
		return nil, err
	}
	return content, kubejson.Unmarshal(text, &content)
}

// dropEmpty takes empty lists out of an object and of what is in it.
func dropEmpty(value any) {
	switch value := value.(type) {
	case map[string]any:
		for name, field := range value {
			if list, ok := field.([]any); ok && len(list) == 0 {
				delete(value, name)
			}
			dropEmpty(field)
		}
	case []any:
		for _, item := range value {
			dropEmpty(item)
		}
	}
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
