package cli

import (
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/cli-runtime/pkg/printers"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/render"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/render/html"
)

// outputFlags say how an answer is printed.
type outputFlags struct {
	format   string
	formats  []string
	colour   string
	all      bool
	exitCode bool
	// allowPartial accepts answers that something which was not read could change.
	allowPartial bool
	// exits says what --exit-code does.
	exits string
	about html.About
	// input is that of render.Options.
	input    string
	template *genericclioptions.KubeTemplatePrintFlags
	list     listFlags
}

//go:noinline // it is called at many places
func newOutputFlags() outputFlags {
	return outputFlags{exits: "exit with 0 when nothing is pending, 1 when something is, 2 on an error, or when something was not read that could change the answer", template: genericclioptions.NewKubeTemplatePrintFlags()}
}

// withExits returns the flags with another meaning of --exit-code.
func (f outputFlags) withExits(text string) outputFlags {
	f.exits = text
	return f
}

// takeTemplate takes --template without --output for a go-template, as kubectl does.
func (f *outputFlags) takeTemplate() {
	if f.format == "" && *f.template.TemplateArgument != "" {
		f.format = "go-template"
	}
}

// formats are those of every command. Some have pages besides, owners drawings.
var (
	formats  = []string{"wide", "json", "yaml", "name", "jsonpath=…", "go-template=…", "custom-columns=…"}
	drawings = []string{"dot", "mermaid"}
	pages    = []string{"html"}
)

func (f *outputFlags) add(cmd *cobra.Command) { f.addWith(cmd) }

// addWith adds the flags for a command that has more formats than others.
func (f *outputFlags) addWith(cmd *cobra.Command, more ...string) {
	f.addForm(cmd, slices.Concat(formats, more)...)
	flags := cmd.Flags()
	flags.BoolVar(&f.all, "no-truncate", false, "show every row of long lists, which are otherwise folded to what decides")
	flags.BoolVar(&f.exitCode, "exit-code", false, f.exits)
	flags.BoolVar(&f.allowPartial, "allow-partial", false, "accept an answer without something that could not be read and could change it, where --exit-code would exit with 2, and name, jsonpath, go-template and drawings would be an error")
	cmd.PreRun = func(cmd *cobra.Command, args []string) { f.about = about(cmd, args) }
}

// addForm adds the flags that say in which form an answer is printed.
func (f *outputFlags) addForm(cmd *cobra.Command, formats ...string) {
	f.formats = formats
	flags := cmd.Flags()
	flags.StringVarP(&f.format, "output", "o", "", "output format: "+strings.Join(f.formats, ", "))
	flags.StringVar(&f.colour, "color", "auto", "colour the output: auto (on a terminal, unless NO_COLOR is set), always, never")
	f.template.AddFlags(cmd)
	var values []string
	for _, format := range f.formats {
		values = append(values, strings.TrimSuffix(format, "…"))
	}
	completeWith(cmd, "output", values...)
	completeWith(cmd, "color", "auto", "always", "never")
}

// printer prints the Decisions of one round.
type printer func(w io.Writer, ds []*decision.Decision) error

// toPrinter picks the printer for --output. whole prints one Decision for people;
// kind is the kind of the JSON documents, failed is what there is no Decision about.
func (f *outputFlags) toPrinter(kind string, whole wholePrinter, o render.Options, s *session, failed failures) (printer, error) {
	f.takeTemplate()
	switch f.format {
	case "", "wide":
		if s.triage {
			return s.humanTriage(o), nil
		}
		list := human(o, whole, named(s.subjects), s.pick.allNamespaces, columnsOf(kind))
		if kind == render.ExplanationKind && !named(s.subjects) && !o.InOrder {
			return mostUrgentFirst(list), nil
		}
		return list, nil
	case "name":
		return func(w io.Writer, ds []*decision.Decision) error { return objectNames(w, namedBy(kind)(ds...)) }, nil
	case "html":
		return func(w io.Writer, ds []*decision.Decision) error {
			return html.Decisions(w, ds, failed.rendered(), f.about)
		}, nil
	}
	p, err := f.structured(o)
	if err != nil {
		return nil, err
	}
	return func(w io.Writer, ds []*decision.Decision) error {
		return p.PrintObj(document(kind, ds, failed, single(s.subjects)), w)
	}, nil
}

// mostUrgentFirst prints a list in the order of a triage, what is blocked first.
func mostUrgentFirst(list printer) printer {
	return func(w io.Writer, ds []*decision.Decision) error {
		ds = slices.Clone(ds)
		render.MostUrgentFirst(ds)
		return list(w, ds)
	}
}

// namedBy picks the objects that --output name prints of Decisions: those that
// explain explains, and those that what plan predicts touches.
func namedBy(kind string) func(...*decision.Decision) []decision.Ref {
	if kind == render.ExplanationKind {
		return render.Targets
	}
	return render.Touched
}

// objectNames writes what --output name prints of objects.
//
//go:noinline // it is called at many places
func objectNames(w io.Writer, objects []decision.Ref) error {
	return render.Names(w, render.Named{Objects: objects})
}

// structured picks the printer for programs. What it prints may still end up
// on a terminal, which it must not drive.
func (f *outputFlags) structured(o render.Options) (printers.ResourcePrinter, error) {
	p, err := f.unbounded(o)
	if err != nil {
		return nil, err
	}
	return render.Bounded(p), nil
}

func (f *outputFlags) unbounded(o render.Options) (printers.ResourcePrinter, error) {
	switch strings.ToLower(f.format) {
	case "json":
		return render.HarmlessJSON(&printers.JSONPrinter{}), nil
	case "yaml":
		return render.YAML(), nil
	}
	if p, ok, err := f.customColumns(o); ok {
		return p, err
	}
	p, err := f.templated()
	switch {
	case genericclioptions.IsNoCompatiblePrinterError(err):
		return nil, usageError("--output %q is no format: want one of %s", f.format, strings.Join(f.formats, ", "))
	case err != nil:
		return nil, usageError("--output %q: %w", f.format, err)
	case o.Width > 0:
		return render.HarmlessText(p), nil
	}
	return p, nil
}

func (f *outputFlags) options(env Env) (render.Options, error) {
	o := render.Options{Wide: f.format == "wide", All: f.all, Width: env.Width(), NoHeaders: f.list.noHeaders, InOrder: f.list.sortBy != "", Input: f.input}
	if err := f.list.check(); err != nil {
		return o, err
	}
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
