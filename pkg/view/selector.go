package view

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/labels"
)

// SelectorText is the canonical text of sel for Need.Selector. A selector that
// matches nothing has none; callers have nothing to read then.
func SelectorText(sel labels.Selector) string { return sel.String() }

// narrows reports whether a selector of fields or labels demands all that a wider one does.
func narrows(selector, wider string) bool {
	if wider == "" || selector == wider {
		return true
	}
	demands := Terms(selector)
	return !slices.ContainsFunc(Terms(wider), func(term string) bool {
		return !slices.ContainsFunc(demands, func(demand string) bool { return implies(demand, term) })
	})
}

// implies reports whether what has one term of a selector has another: the same one, or
// one of the same label with more values.
func implies(term, wider string) bool {
	if term == wider {
		return true
	}
	key, values := Values(term)
	other, more := Values(wider)
	return len(values) > 0 && key == other && !slices.ContainsFunc(values, func(v string) bool { return !slices.Contains(more, v) })
}

// Terms are those of a selector in its canonical text.
func Terms(selector string) []string {
	inSet := false
	return strings.FieldsFunc(selector, func(c rune) bool {
		if c == '(' || c == ')' {
			inSet = c == '('
		}
		return c == ',' && !inSet
	})
}

// Values are those of a label that a term of a selector demands one of; none for a term of
// another form.
func Values(term string) (label string, values []string) {
	if label, set, ok := strings.Cut(term, " in ("); ok {
		return label, strings.Split(strings.TrimSuffix(set, ")"), ",")
	}
	label, value, _ := strings.Cut(term, "=")
	if label == term || strings.HasSuffix(label, "!") {
		return label, nil
	}
	return label, []string{value}
}
