package live

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// forever repeats a text.
type forever string

func (f forever) Read(p []byte) (n int, err error) {
	for n < len(p) {
		n += copy(p[n:], f)
	}
	return n, nil
}

func TestEveryResponseIsBounded(t *testing.T) {
	for _, c := range []struct {
		path, contentType string
		status            int
		most              int64
	}{
		{"/version", "application/json", 200, mostOfAnswer},
		{"/apis", "application/json", 200, mostOfAnswer},
		{"/apis/apps/v1", "application/json", 200, mostOfAnswer},
		{shopPath + "/web-1", protobuf, 200, mostOfObject},
		{shopPath, protobuf, 200, mostOfPage},
		{shopPath, "application/json", 403, mostOfError},
		{shopPath + "?watch=true", "application/json", 200, mostOfEvent},
		{shopPath + "?watch=true", protobuf, 500, mostOfError},
	} {
		g := guarding(roundTrip(func(*http.Request) (*http.Response, error) {
			header := http.Header{"Content-Type": {c.contentType}}
			return &http.Response{StatusCode: c.status, Header: header, Body: io.NopCloser(forever(`{"a":`))}, nil
		}), httptest.NewRequest("GET", "http://api.example/", nil).URL, false)
		req := httptest.NewRequest("GET", "http://api.example"+c.path, nil)
		req.RequestURI = ""
		resp, err := g.RoundTrip(req)
		if err != nil {
			t.Fatal(err)
		}
		n, err := io.Copy(io.Discard, resp.Body)
		var large *TooLarge
		if !errors.As(err, &large) || n > c.most || !strings.Contains(err.Error(), req.URL.Path+" holds more than ") {
			t.Errorf("%s, %d: read %d bytes, then %v", c.path, c.status, n, err)
		}
	}
}

// TestAllPagesOfAListAreBounded: pages of an allowed size may be too many.
func TestAllPagesOfAListAreBounded(t *testing.T) {
	ctx := withBudget(t.Context())
	budgetOf(ctx, "").left = 2 * mostOfAnswer
	page := func() error {
		g := guarding(roundTrip(func(*http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: 200, Header: http.Header{}, Body: io.NopCloser(io.LimitReader(forever("{"), mostOfAnswer))}, nil
		}), httptest.NewRequest("GET", "http://api.example/", nil).URL, false)
		req := httptest.NewRequestWithContext(ctx, "GET", "http://api.example"+shopPath, nil)
		req.RequestURI = ""
		resp, err := g.RoundTrip(req)
		if err != nil {
			t.Fatal(err)
		}
		_, err = io.Copy(io.Discard, resp.Body)
		return err
	}
	for range 2 {
		if err := page(); err != nil {
			t.Fatal(err)
		}
	}
	err := unreadable(shopPods, "list", page())
	if want := "pods in namespace shop: the list of " + shopPath + " holds more than 1024 MiB: ask for one --namespace"; err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("got %v, want %s", err, want)
	}
}

// TestReadingHasABudget: the requests of one list share it.
func TestReadingHasABudget(t *testing.T) {
	var seen []*budget
	list := func(ctx context.Context, o metav1.ListOptions) (reply, error) {
		seen = append(seen, budgetOf(ctx, ""))
		return honest(1, 1).list(ctx, o)
	}
	if _, err := (pages{list, func(int) {}}).read(t.Context(), metav1.ListOptions{}); err != nil {
		t.Fatal(err)
	}
	if len(seen) != 2 || seen[0] == nil || seen[0] != seen[1] {
		t.Errorf("budgets %v", seen)
	}
}

// TestEventsAreBoundedOneByOne: a watch may go on for ever, and its bound does not
// depend on how its events are cut into reads.
func TestEventsAreBoundedOneByOne(t *testing.T) {
	for name, c := range map[string]struct {
		event string
		most  int64
		fails bool
	}{
		"fits":                 {`{"type":"ADDED","object":{"a":[1,{"b":"c"}]}}` + "\n", 48, false},
		"one byte too many":    {`{"type":"ADDED","object":{"a":[1,{"b":"c"}]}}` + "\n", 44, true},
		"braces in strings":    {`{"a":"}}}{[[[\"}"}`, 20, false},
		"ends inside a string": {`{"a":"}}}{[[[\"}{}{}{}{}{}{}{}{}{}"}`, 20, true},
		"escaped backslash":    {`{"a":"\\"}`, 12, false},
		"newlines in an event": {"{\n\n\n\"a\":\n\n\n1\n\n\n}", 12, true},
		"no value ends":        {"[", 1000, true},
		"scalars":              {"1 ", 1000, true},
	} {
		text := strings.Repeat(c.event, 3000)
		b := &body{ReadCloser: io.NopCloser(strings.NewReader(text)), most: c.most, excess: &TooLarge{}, events: true}
		var err error
		for chunk := make([]byte, 64); err == nil; {
			_, err = b.Read(chunk[:1+rand.IntN(len(chunk))])
		}
		if failed := errors.As(err, new(*TooLarge)); failed != c.fails {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// FuzzEvents: the end of a value is where encoding/json sees it.
func FuzzEvents(f *testing.F) {
	for _, text := range []string{`{"a":"}"}`, `[{"b":"\\\""}]`, `{"type":"ADDED","object":{}}`} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !json.Valid([]byte(text)) || !strings.ContainsAny(text[:1], "{[") {
			return
		}
		var v value
		if left := v.after(0, []byte(text), int64(len(text))); left != 0 || v != (value{}) {
			trailing := len(text) - len(strings.TrimRight(text, " \t\r\n"))
			if left != int64(trailing) || v != (value{}) {
				t.Errorf("%q leaves %d bytes, %+v", text, left, v)
			}
		}
	})
}
