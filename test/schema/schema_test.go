package schema

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/render"
)

// rules is a list that the schema describes, as JSON and as YAML.
const (
	rules     = `{"kind":"RuleList","apiVersion":"GROUP","items":[{"id":"A","group":"g","title":"t","text":"x","source":"s"}]}`
	rulesYAML = "apiVersion: GROUP\nkind: RuleList\nitems: []\n"
)

func of(t *testing.T, printed string) []Document {
	t.Helper()
	all, err := Of("it", []byte(strings.ReplaceAll(printed, "GROUP", render.GroupVersion.String())))
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestOf(t *testing.T) {
	for printed, want := range map[string]int{
		rules: 1, rules + "\n" + rules: 2, rulesYAML: 1,
		"": 0, "No orphans.\n": 0, `{"kind":"Pod","apiVersion":"v1"}`: 0,
		`{"kind":"Bundle","apiVersion":"GROUP"}`: 0,
	} {
		if got := len(of(t, printed)); got != want {
			t.Errorf("%d documents, want %d: %s", got, want, printed)
		}
	}
	if _, err := Of("it", []byte(`{"kind":`)); err == nil {
		t.Error("half a document is no error")
	}
}

// TestValidate breaks documents in one field each.
func TestValidate(t *testing.T) {
	for broken, want := range map[string]string{
		rules:     "",
		rulesYAML: "",
		strings.Replace(rules, `"id"`, `"more":1,"id"`, 1):        "additional properties 'more' not allowed",
		strings.Replace(rules, `"title":"t",`, "", 1):             "missing property 'title'",
		strings.Replace(rules, `"t"`, "1", 1):                     "got number, want string",
		strings.Replace(rules, "RuleList", "RuleLists", 1):        `the schema has no kind "RuleLists"`,
		strings.Replace(rulesYAML, "items: []", "items: null", 1): "got null, want array",
	} {
		wrong, err := Validate(of(t, broken))
		if err != nil || !strings.Contains(wrong, want) || want == "" && wrong != "" {
			t.Errorf("%s: got %q, %v, want %q", broken, wrong, err, want)
		}
	}
}

// TestTimes holds that a time with an offset and a state that does not exist are refused.
func TestTimes(t *testing.T) {
	at := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	answer := func(change func(*decision.Decision)) []Document {
		d := &decision.Decision{AsOf: at, Standing: decision.Standing{State: decision.StateStable}}
		change(d)
		text, err := json.Marshal(render.NewDocument(render.PlanKind, d))
		if err != nil {
			t.Fatal(err)
		}
		return []Document{{"it", text}}
	}
	for want, change := range map[string]func(*decision.Decision){
		"":                func(*decision.Decision) {},
		"/asOf":           func(d *decision.Decision) { d.AsOf = at.In(time.FixedZone("", 3600)) },
		"/state":          func(d *decision.Decision) { d.State = "stable" },
		"/actions/0/verb": func(d *decision.Decision) { d.Actions = []decision.Action{{Verb: "remove", Certainty: "certain"}} },
		"/limits/0/facts/0/value": func(d *decision.Decision) {
			d.Limits = []decision.Ruling{decision.Ruled("R", decision.F("f", []int{1}))}
		},
	} {
		wrong, err := Validate(answer(change))
		if err != nil || !strings.Contains(wrong, want) || want == "" && wrong != "" {
			t.Errorf("got %q, %v, want %q", wrong, err, want)
		}
	}
}
