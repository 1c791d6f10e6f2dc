package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/cli-runtime/pkg/printers"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/render"
)

// outputFlags say how an answer is printed.
type outputFlags struct {
	format   string
	colour   string
	exitCode bool
	json     *genericclioptions.JSONYamlPrintFlags
	template *genericclioptions.KubeTemplatePrintFlags
}

func newOutputFlags() outputFlags {
	return outputFlags{
		json:     genericclioptions.NewJSONYamlPrintFlags(),
		template: genericclioptions.NewKubeTemplatePrintFlags(),
	}
}

var formats = []string{"wide", "json", "yaml", "name", "jsonpath=…", "go-template=…"}

func (f *outputFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVarP(&f.format, "output", "o", "", "output format: "+strings.Join(formats, ", "))
	flags.StringVar(&f.colour, "color", "auto", "colour the output: auto (on a terminal, unless NO_COLOR is set), always, never")
	flags.BoolVar(&f.exitCode, "exit-code", false, "exit with 0 when nothing is pending, 1 when something is, more than 1 on an error")
	f.json.AddFlags(cmd)
	f.template.AddFlags(cmd)
}

// printer prints the Decisions of one round.
type printer func(w io.Writer, ds []*decision.Decision) error

// toPrinter picks the printer for --output. human prints for people; kind is
// the kind of the JSON documents.
func (f *outputFlags) toPrinter(kind string, human printer) (printer, error) {
	switch f.format {
	case "", "wide":
		return human, nil
	case "name":
		return render.Names, nil
	}
	p, err := f.structured()
	if err != nil {
		return nil, err
	}
	return func(w io.Writer, ds []*decision.Decision) error {
		return p.PrintObj(render.NewDocument(kind, ds), w)
	}, nil
}

func (f *outputFlags) structured() (printers.ResourcePrinter, error) {
	if p, err := f.json.ToPrinter(f.format); !genericclioptions.IsNoCompatiblePrinterError(err) {
		return p, err
	}
	if p, err := f.template.ToPrinter(f.format); !genericclioptions.IsNoCompatiblePrinterError(err) {
		return p, err
	}
	return nil, usageError("--output %q is no format: want one of %s", f.format, strings.Join(formats, ", "))
}

func (f *outputFlags) options(env Env) (render.Options, error) {
	o := render.Options{Wide: f.format == "wide", Width: env.Width()}
	switch f.colour {
	case "always":
		o.Colour = true
	case "never":
	case "auto":
		o.Colour = o.Width > 0 && env.Getenv("NO_COLOR") == "" && env.Getenv("TERM") != "dumb"
	default:
		return o, usageError("--color %q: want auto, always or never", f.colour)
	}
	return o, nil
}

// result is the error that ends the command: none, or errPending.
func (f *outputFlags) result(ds []*decision.Decision) error {
	for _, d := range ds {
		if f.exitCode && d.Pending {
			return errPending
		}
	}
	return nil
}

// human prints single Decisions whole and several, asked for by selector or
// namespace, as a list.
func human(o render.Options, whole func(io.Writer, *decision.Decision, render.Options) error, named, namespaces bool) printer {
	return func(w io.Writer, ds []*decision.Decision) error {
		if !named && !o.Wide {
			return render.List(w, ds, namespaces, o)
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
