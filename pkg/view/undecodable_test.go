package view_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// TestUndecodable: a value of the wrong type is named by its field, in no words of Go.
func TestUndecodable(t *testing.T) {
	for text, want := range map[string]string{
		`{"count": "five"}`:     "count: expected a whole number, found a string",
		`{"count": 1.5}`:        "count: expected a whole number, found number 1.5",
		`{"name": 5}`:           "name: expected a string, found a number",
		`{"on": []}`:            "on: expected a boolean, found a list",
		`{"all": true}`:         "all: expected a list, found a boolean",
		`{"in": {"of": "x"}}`:   "in.of: expected an object, found a string",
		`{"share": {}}`:         "share: expected a number, found an object",
		`[]`:                    "expected an object, found a list",
		`{"name": "unfinished}`: "unexpected end of JSON input",
	} {
		var into struct {
			Count *int32   `json:"count"`
			Name  string   `json:"name"`
			On    bool     `json:"on"`
			All   []string `json:"all"`
			In    struct {
				Of map[string]string `json:"of"`
			} `json:"in"`
			Share float64 `json:"share"`
		}
		err := json.Unmarshal([]byte(text), &into)
		if got := view.Undecodable(err); err == nil || got.Error() != want {
			t.Errorf("%s: got %v, want %s", text, got, want)
		}
	}
	if err := errors.New("other"); !errors.Is(view.Undecodable(err), err) {
		t.Error("another error is kept")
	}
}
