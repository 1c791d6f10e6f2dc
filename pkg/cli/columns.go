package cli

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/cli-runtime/pkg/printers"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/orphans"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/render"
)

// listFlags say how a list is printed, as those of kubectl get do.
type listFlags struct {
	noHeaders bool
	sortBy    string
}

func (f *listFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.BoolVar(&f.noHeaders, "no-headers", false, "print the rows of a list without headers, counts and caveats; a partial answer is an error then, unless --allow-partial is given")
	flags.StringVar(&f.sortBy, "sort-by", "", "sort a list by a field of the JSON form, such as .replicas.available")
	completeWith(cmd, "sort-by", sortColumns...)
}

// sortColumns are the fields of what a list shows.
var sortColumns = []string{".target.namespace", ".target.name", ".replicas.available", ".replicas.desired", ".state", ".since", ".cause"}

// check refuses a field that can't be read, or that no answer has, before anything is.
func (f *listFlags) check() error {
	if f.sortBy == "" {
		return nil
	}
	if _, err := fieldPrinter(f.sortBy); err != nil {
		return usageError("--sort-by %q: %w", f.sortBy, err)
	}
	if path := fieldPath(f.sortBy); !hasField(reflect.TypeFor[decision.Decision](), path) {
		return usageError("--sort-by %q: answers have no such field; the list shows %s%s", f.sortBy, join(sortColumns), didYouMean("."+strings.Join(path, "."), sortColumns))
	}
	return nil
}

// fieldPath are the names in a field: replicas and available in {.replicas.available}.
// What JSONPath has besides names ends it.
func fieldPath(field string) []string {
	field = strings.TrimPrefix(strings.TrimSuffix(strings.TrimPrefix(field, "{"), "}"), ".")
	if i := strings.IndexAny(field, "[]*@?()'\" {"); i >= 0 {
		field = strings.TrimSuffix(field[:i], ".")
	}
	if field == "" {
		return nil
	}
	return strings.Split(field, ".")
}

// hasField reports whether the JSON form of a type can have a field.
func hasField(t reflect.Type, path []string) bool {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	switch {
	case len(path) == 0, t.Kind() == reflect.Map, t.Kind() == reflect.Interface:
		return true
	case t.Kind() != reflect.Struct || t.Implements(reflect.TypeFor[json.Marshaler]()):
		return false
	}
	for f := range t.Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == path[0] && hasField(f.Type, path[1:]) || name == "" && f.Anonymous && hasField(f.Type, path) {
			return true
		}
	}
	return false
}

// sorted are decisions in the order of --sort-by. Those without the field come first.
func (f *listFlags) sorted(kind string, ds []*decision.Decision) ([]*decision.Decision, error) {
	if f.sortBy == "" {
		return ds, nil
	}
	p, err := fieldPrinter(f.sortBy)
	if err != nil {
		return nil, err
	}
	values := make(map[*decision.Decision]string, len(ds))
	for _, d := range ds {
		rows, err := rowsOf(render.NewDocument(kind, d), []printers.ResourcePrinter{p})
		if err != nil {
			return nil, usageError("--sort-by %q: %w", f.sortBy, err)
		}
		values[d] = rows[0][0]
	}
	out := slices.Clone(ds)
	slices.SortStableFunc(out, func(a, b *decision.Decision) int { return compareValues(values[a], values[b]) })
	return out, nil
}

// sortedPlaced is sorted, for the decisions of several contexts.
func (f *listFlags) sortedPlaced(kind string, placed []render.Placed) ([]render.Placed, error) {
	of := make(map[*decision.Decision]render.Placed, len(placed))
	ds := make([]*decision.Decision, len(placed))
	for i, p := range placed {
		ds[i], of[p.Decision] = p.Decision, p
	}
	ds, err := f.sorted(kind, ds)
	if err != nil {
		return nil, err
	}
	out := make([]render.Placed, len(ds))
	for i, d := range ds {
		out[i] = of[d]
	}
	return out, nil
}

// compareValues compares numbers as numbers, and all else as text.
func compareValues(a, b string) int {
	x, errX := strconv.ParseFloat(a, 64)
	y, errY := strconv.ParseFloat(b, 64)
	if errX == nil && errY == nil {
		return cmp.Compare(x, y)
	}
	return cmp.Compare(a, b)
}

// fieldPrinter prints a field: .state, state and {.state} are the same one.
func fieldPrinter(path string) (printers.ResourcePrinter, error) {
	if !strings.HasPrefix(path, "{") {
		path = "{." + strings.TrimPrefix(path, ".") + "}"
	}
	p, err := printers.NewJSONPathPrinter(currentObject(path))
	if err != nil {
		return nil, err
	}
	p.AllowMissingKeys(true)
	return lenient(p), nil
}

// customColumns is the printer of -o custom-columns=HEADER:FIELD,… and of
// -o custom-columns-file=FILE, in which headers stand above fields. ok is false for
// other formats.
func (f *outputFlags) customColumns(o render.Options) (p printers.ResourcePrinter, ok bool, err error) {
	format, spec, _ := strings.Cut(f.format, "=")
	if format != "custom-columns" && format != "custom-columns-file" {
		return nil, false, nil
	}
	headers, fields, err := columnsOfSpec(format, spec)
	if err != nil {
		return nil, true, err
	}
	cells := make([]printers.ResourcePrinter, len(fields))
	for i, field := range fields {
		if cells[i], err = fieldPrinter(field); err != nil {
			return nil, true, usageError("--output %q: field %q: %w", f.format, field, err)
		}
	}
	return printers.ResourcePrinterFunc(func(obj runtime.Object, w io.Writer) error {
		rows, err := rowsOf(obj, cells)
		if err != nil {
			return err
		}
		return render.Rows(w, headers, rows, o)
	}), true, nil
}

func columnsOfSpec(format, spec string) (headers, fields []string, err error) {
	if format == "custom-columns-file" {
		text, err := os.ReadFile(spec)
		if err != nil {
			return nil, nil, err
		}
		lines := strings.SplitN(strings.TrimSpace(string(text)), "\n", 2)
		headers, fields = strings.Fields(lines[0]), strings.Fields(lines[len(lines)-1])
		if len(lines) < 2 || len(headers) != len(fields) {
			return nil, nil, usageError("%s: want a line of headers, and below it a field for each", spec)
		}
		return headers, fields, nil
	}
	for column := range strings.SplitSeq(spec, ",") {
		header, field, ok := strings.Cut(column, ":")
		if !ok || header == "" || field == "" {
			return nil, nil, usageError("--output custom-columns: %q: want HEADER:FIELD, such as NAME:.target.name", column)
		}
		headers, fields = append(headers, header), append(fields, field)
	}
	return headers, fields, nil
}

// rowsOf has a row for each item of a list, for each orphan of those that were found, or for
// one document.
func rowsOf(obj runtime.Object, cells []printers.ResourcePrinter) (rows [][]string, err error) {
	doc, err := contentOf(obj)
	if err != nil {
		return nil, err
	}
	docs := []any{doc}
	if items, ok := doc["items"].([]any); ok {
		docs = items
	}
	for _, item := range orphansOf(docs) {
		content, _ := item.(map[string]any)
		row := make([]string, len(cells))
		for i, cell := range cells {
			var buf bytes.Buffer
			if err := cell.PrintObj(&unstructured.Unstructured{Object: content}, &buf); err != nil {
				return nil, err
			}
			row[i] = buf.String()
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// orphansOf puts the orphans that documents have found, those of -o name, in their places.
func orphansOf(docs []any) (all []any) {
	for _, doc := range docs {
		content, _ := doc.(map[string]any)
		findings, found := content["findings"].([]any)
		if !found {
			all = append(all, doc)
			continue
		}
		for _, finding := range findings {
			one, _ := finding.(map[string]any)
			if render.IsOrphan(orphans.Group(fmt.Sprint(one["group"]))) {
				if context, placed := content["context"]; placed {
					one["context"] = context
				}
				all = append(all, one)
			}
		}
	}
	return all
}
