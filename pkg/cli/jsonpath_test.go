package cli

import "testing"

func TestCurrentObject(t *testing.T) {
	for template, want := range map[string]string{
		"{.}":                                 "{@}",
		"{ . } and {.}":                       "{@} and {@}",
		"{range .items[*]}{.}{end}":           "{range .items[*]}{@}{end}",
		"{.kind}{..}{.*}{@}{}":                "{.kind}{..}{.*}{@}{}",
		`{"{.}"}{'{.}'}{"\"{.}"}`:             `{"{.}"}{'{.}'}{"\"{.}"}`,
		"it's {.}, isn't it":                  "it's {@}, isn't it",
		`{.items[?(@.kind=="{.}")].metadata}`: `{.items[?(@.kind=="{.}")].metadata}`,
		"{.":                                  "{.",
	} {
		if got := currentObject(template); got != want {
			t.Errorf("%s becomes %s, want %s", template, got, want)
		}
	}
}
