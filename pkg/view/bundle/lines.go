package bundle

import (
	"bytes"
	"encoding/json"
	"io"
)

// lines is what a decoder reads, with the lines of it. A decoder holds a value
// in memory until it is whole: it gets no more than a value may be large.
type lines struct {
	dec  *json.Decoder
	from io.Reader
	read int64
	// line is the first line, plus the newlines passed so far, of which there
	// are as many in ahead, the offsets of those that were read.
	line   int
	ahead  []int64
	passed int
	// end is behind what is read last, but for space.
	end int64
}

func (l *lines) Read(to []byte) (int, error) {
	room := maxObject - (l.read - l.dec.InputOffset())
	if room <= 0 {
		return 0, errTooLarge
	}
	to = to[:min(len(to), int(room))]
	l.ahead, l.passed = l.ahead[:copy(l.ahead, l.ahead[l.passed:])], 0
	n, err := l.from.Read(to)
	for pos := 0; pos < n; pos++ {
		i := bytes.IndexByte(to[pos:n], '\n')
		if i < 0 {
			break
		}
		pos += i
		l.ahead = append(l.ahead, l.read+int64(pos))
	}
	if text := bytes.TrimRight(to[:n], " \t\r\n"); len(text) > 0 {
		l.end = l.read + int64(len(text))
	}
	l.read += int64(n)
	return n, err
}

// at is the line of an offset that is not before those asked earlier.
func (l *lines) at(offset int64) int {
	for l.passed < len(l.ahead) && l.ahead[l.passed] < offset {
		l.passed++
		l.line++
	}
	return l.line
}
