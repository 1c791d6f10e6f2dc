package bundle

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
)

// input is one file, or stdin, that has yet to be read.
type input struct {
	name string
	open func() (io.ReadCloser, error)
}

// inputs lists the files that paths stand for, in the order in which they are
// read.
func inputs(paths []string, stdin io.Reader, d directories) ([]input, error) {
	if len(paths) == 0 {
		return nil, errors.New("no input: name a file, a directory, or - for stdin")
	}
	var all []input
	stdinTaken := false
	for _, path := range paths {
		if path == "-" {
			if stdinTaken || stdin == nil {
				return nil, errors.New("stdin (-) can be read once only")
			}
			stdinTaken = true
			all = append(all, input{"stdin", func() (io.ReadCloser, error) { return io.NopCloser(stdin), nil }})
			continue
		}
		files, err := d.filesAt(path)
		if err != nil {
			return nil, err
		}
		all = append(all, files...)
	}
	return all, nil
}

func fileInput(path string) input {
	return input{path, func() (io.ReadCloser, error) { return os.Open(path) }}
}

// scan hands on every object of the input, the items of lists one by one.
// empty is whether there is nothing in it, not even a comment.
func (in input) scan(emit func(piece) error) (empty bool, err error) {
	r, err := in.open()
	if err != nil {
		return false, fmt.Errorf("cannot read input: %w", err)
	}
	defer func() { _ = r.Close() }() // only read
	size := sizeOf(r)
	if size > maxFile { // to refuse it needs no reading
		return false, tooLarge(in.name, maxFile)
	}
	text, err := utf8Text(in.name, r)
	if err != nil {
		return false, err
	}
	s := &splitter{file: in.name, from: text, line: 1, size: int(size)}
	empty = true
	for {
		marker, more, err := s.begin()
		if err != nil || !more {
			return empty, err
		}
		something, err := s.document(marker, emit)
		if err != nil {
			return false, err
		}
		empty = empty && !something
	}
}

// document hands on the objects of a document whose marker was read.
func (s *splitter) document(marker string, emit func(piece) error) (something bool, err error) {
	head, _ := s.from.Peek(window) // what fails here fails again when it is read
	if looksLikeJSON(head) {
		return true, piece{file: s.file, line: s.line}.json(s, 0, emit)
	}
	d := document{file: s.file, line: s.line}
	if d.text, err = s.rest([]byte(marker)); err != nil {
		return false, at(s.file, s.line, err)
	}
	if d.blank() {
		return len(bytes.TrimSpace(d.text)) > 0, nil
	}
	return true, d.scan(emit)
}

// looksLikeJSON reports whether a text that starts like this is JSON, or a cut
// or broken piece of it. People write flow style YAML without quotes.
func looksLikeJSON(head []byte) bool {
	head = bytes.TrimLeft(head, " \t\r\n")
	if brace, ok := bytes.CutPrefix(head, []byte("{")); ok {
		brace = bytes.TrimLeft(brace, " \t\r\n")
		return len(brace) == 0 || brace[0] == '"' || brace[0] == '}'
	}
	return bytes.HasPrefix(head, []byte("[")) || marks(head, "null")
}
