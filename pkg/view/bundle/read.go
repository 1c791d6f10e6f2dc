package bundle

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"unicode/utf8"
)

// placed is an error that says where already.
type placed struct{ error }

func (e *placed) Unwrap() error { return e.error }

// textReader reads one input as UTF-8 text. It refuses other bytes, and more
// than limit of them.
type textReader struct {
	name  string
	from  io.Reader
	limit int
	read  int
	// part is the start of a character that goes on in what is read next.
	part []byte
}

func (r *textReader) Read(to []byte) (int, error) {
	n, err := r.from.Read(to)
	r.read += n
	switch {
	case r.read > r.limit:
		return 0, tooLarge(r.name, r.limit)
	case err != nil && err != io.EOF:
		return 0, &placed{fmt.Errorf("cannot read %s: %w", r.name, err)}
	case !r.isText(to[:n]) || err == io.EOF && len(r.part) > 0:
		return 0, &placed{fmt.Errorf("%s: %w", r.name, errNoText)}
	}
	return n, err
}

// isText reports whether text is UTF-8 after what was read before it.
func (r *textReader) isText(text []byte) bool {
	for len(r.part) > 0 && len(text) > 0 {
		r.part, text = append(r.part, text[0]), text[1:]
		if utf8.FullRune(r.part) {
			if !utf8.Valid(r.part) {
				return false
			}
			r.part = r.part[:0]
		}
	}
	whole := len(text) - unfinished(text)
	r.part = append(r.part, text[whole:]...)
	return bytes.IndexByte(text, 0) < 0 && utf8.Valid(text[:whole])
}

// unfinished is how many bytes at the end of text start a character that is not
// whole.
func unfinished(text []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(text); n++ {
		if last := text[len(text)-n:]; utf8.RuneStart(last[0]) {
			if utf8.FullRune(last) {
				return 0
			}
			return n
		}
	}
	return 0
}

var errNoText = errors.New("this is not text: expected YAML or JSON, as kubectl get -o yaml prints it")

func tooLarge(name string, limit int) error {
	return &placed{fmt.Errorf("%s is larger than %s: dump one namespace at a time", name, size(limit))}
}

// size is a number of bytes for messages.
func size(n int) string {
	if n >= 1<<30 {
		return fmt.Sprintf("%d GiB", n>>30)
	}
	return fmt.Sprintf("%d MiB", n>>20)
}

// sizeOf is the size of a regular file, 0 of anything else.
func sizeOf(r io.Reader) int64 {
	if f, ok := r.(interface{ Stat() (os.FileInfo, error) }); ok {
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
			return info.Size()
		}
	}
	return 0
}
