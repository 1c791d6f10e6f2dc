package live

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// The most bytes of one response, after decompression. A page that is larger is
// read in smaller ones: see pages. An object in etcd has at most 1.5 MiB.
const (
	mostOfAnswer = 16 << 20 // the version and discovery
	mostOfError  = 64 << 10 // its message is printed
	mostOfObject = 8 << 20
	mostOfPage   = 24 << 20
	mostOfList   = 1 << 30 // all pages together
	mostOfEvent  = 8 << 20 // client-go has a bound as well, which it checks too late for JSON
)

// TooLarge is the error of a response that holds more than it may.
type TooLarge struct {
	What, Path string
	Most       int64 // bytes
}

func (e *TooLarge) Error() string {
	if e.Most < 1<<20 {
		return fmt.Sprintf("%s of %s holds more than %d KiB", e.What, e.Path, e.Most>>10)
	}
	return fmt.Sprintf("%s of %s holds more than %d MiB", e.What, e.Path, e.Most>>20)
}

// bounded is the body of a response to a request for t, up to what it may hold.
// Above the transport it is decompressed.
func bounded(resp *http.Response, t target, req *http.Request) io.ReadCloser {
	bound := func(what string, most int64) *body {
		return &body{ReadCloser: resp.Body, most: most, excess: &TooLarge{what, req.URL.Path, most}}
	}
	switch {
	case resp.StatusCode >= http.StatusBadRequest:
		return bound("the error", mostOfError)
	case req.URL.Query().Get("watch") != "":
		events := bound("an event of the watch", mostOfEvent)
		// client-go bounds events in protobuf.
		events.events = !strings.HasPrefix(resp.Header.Get("Content-Type"), protobuf)
		return events
	case t.form == collection:
		page := bound("a page of the list", mostOfPage)
		page.list = budgetOf(req.Context(), req.URL.Path)
		return page
	case t.form == object:
		return bound("the object", mostOfObject)
	}
	return bound("the answer", mostOfAnswer)
}

// body counts what is read, and fails where it is too much.
type body struct {
	io.ReadCloser
	read, most int64
	excess     error
	// list is what all pages of a list share; nil for none.
	list *budget
	// events counts each JSON value of a stream on its own.
	events bool
	value  value
}

func (b *body) Read(p []byte) (int, error) {
	if b.read > b.most {
		return 0, b.excess
	}
	n, err := b.ReadCloser.Read(p)
	if b.events {
		b.read = b.value.after(b.read, p[:n], b.most)
	} else {
		b.read += int64(n)
	}
	if b.read > b.most {
		return 0, b.excess
	}
	if over := b.list.spend(n); over != nil {
		return 0, over
	}
	return n, err
}

// budget is what is left of the bytes that all pages of one list may have. They
// are read one after the other.
type budget struct {
	left int64
	path string
}

type budgetKey struct{}

// withBudget is a context for the requests of one list.
func withBudget(ctx context.Context) context.Context {
	return context.WithValue(ctx, budgetKey{}, &budget{left: mostOfList})
}

// budgetOf is that of the request's list, nil for none.
func budgetOf(ctx context.Context, path string) *budget {
	b, _ := ctx.Value(budgetKey{}).(*budget)
	if b != nil {
		b.path = path
	}
	return b
}

func (b *budget) spend(n int) error {
	if b == nil {
		return nil
	}
	if b.left -= int64(n); b.left < 0 {
		return &TooLarge{"the list", b.path, mostOfList}
	}
	return nil
}

// value finds where the JSON values of a stream end.
type value struct {
	depth           int
	quoted, escaped bool
}

// after is how many bytes of the latest value there are behind text, when there
// were read of them before it. It stops at the first value with more than most.
func (v *value) after(read int64, text []byte, most int64) int64 {
	for _, c := range text {
		read++
		if read > most {
			return read
		}
		switch {
		case v.escaped:
			v.escaped = false
		case v.quoted:
			v.escaped, v.quoted = c == '\\', c != '"'
		case c == '"':
			v.quoted = true
		case c == '{', c == '[':
			v.depth++
		case c == '}', c == ']':
			if v.depth--; v.depth <= 0 {
				v.depth, read = 0, 0
			}
		}
	}
	return read
}
