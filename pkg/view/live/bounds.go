package live

import (
	"fmt"
	"io"
	"net/http"
	"strings"
)

// The most bytes of one response, after decompression. A page that is larger is
// read in smaller ones: see pages. An object in etcd has at most 1.5 MiB.
const (
	mostOfAnswer = 16 << 20 // the version, discovery, and what comes with an error
	mostOfObject = 8 << 20
	mostOfPage   = 24 << 20
	mostOfEvent  = 8 << 20 // client-go has a bound as well, which it checks too late for JSON
)

// TooLarge is the error of a response that holds more than it may.
type TooLarge struct {
	What, Path string
	Most       int64 // bytes
}

func (e *TooLarge) Error() string {
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
		return bound("the error", mostOfAnswer)
	case req.URL.Query().Get("watch") != "":
		events := bound("an event of the watch", mostOfEvent)
		// client-go bounds events in protobuf.
		events.events = !strings.HasPrefix(resp.Header.Get("Content-Type"), protobuf)
		return events
	case t.form == collection:
		return bound("a page of the list", mostOfPage)
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
	return n, err
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
