package schema

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// colour is a closed set.
type colour string

const (
	// red is the first.
	red colour = "red"
	// green: the second.
	green colour = "green"
)

// part is embedded.
type part struct {
	// Name is its name.
	Name string `json:"name"`
}

// described has a comment everywhere.
type describedFields struct {
	part
	// Colours are spec.colours.
	Colours []colour `json:"colours,omitempty"`
	// At is when.
	At time.Time `json:"at"`
	// Sizes are by colour.
	Sizes map[colour]int `json:"sizes"`
	// Hidden: it is not printed.
	Hidden string `json:"-"`
}

var _ = []any{red, green, describedFields{}.Hidden}

// mute has no comment on its field.
type mute struct {
	Field string `json:"field"`
}

// goish speaks of what only Go has.
type goish struct {
	// FirstOne is nil, unlike SecondOne.
	FirstOne string `json:"firstOne"`
	// SecondOne is well described.
	SecondOne string `json:"secondOne"`
}

// untagged lacks a name in JSON.
type untagged struct {
	// Field is described.
	Field string
}

func TestWrite(t *testing.T) {
	t.Chdir("../../..")
	text, tables, err := Write("a/v1", []Document{{Kind: "Thing", Printed: "A thing.", Sample: describedFields{}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`"const": "a/v1"`, `"enum": [` + "\n        \"red\",\n        \"green\"", `"pattern": "Z$"`, `"additionalProperties": false`,
		`"required": [` + "\n        \"apiVersion\",\n        \"kind\",\n        \"name\",\n        \"at\",\n        \"sizes\"\n      ]",
		`"propertyNames": {`,
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the schema lacks %s:\n%s", want, text)
		}
	}
	_, rows, _ := strings.Cut(string(tables), "### Thing\n")
	want := `
A thing.

| field | type | meaning |
|---|---|---|
| ` + "`apiVersion` | `a/v1`" + ` | The version of the form. |
| ` + "`kind` | `Thing`" + ` | The kind of the document. |
| ` + "`name`" + ` | string | Its name. |
| ` + "`colours`" + ` | [colour](#colour)[], optional | spec.colours. |
| ` + "`at`" + ` | time | When. |
| ` + "`sizes`" + ` | map of integer | By colour. |

## Types

### colour

A closed set.

| value | meaning |
|---|---|
| ` + "`red`" + ` | The first. |
| ` + "`green`" + ` | The second. |
`
	if diff := cmp.Diff(want, rows); diff != "" {
		t.Error(diff)
	}
}

func TestWriteRefuses(t *testing.T) {
	t.Chdir("../../..")
	for want, sample := range map[string]any{
		"schema.mute.Field has no comment":                            mute{},
		"schema.goish.FirstOne: the comment says Nil, as in Go":       goish{},
		"schema.goish.FirstOne: the comment says SecondOne, as in Go": goish{},
		"schema.untagged.Field has no json tag":                       untagged{},
	} {
		if _, _, err := Write("a/v1", []Document{{Kind: "Thing", Sample: sample}}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}
