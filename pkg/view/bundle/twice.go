package bundle

import (
	"bytes"
	"fmt"
	"slices"
)

// errTwice is the error about a name that two members of an object have: which of them
// counts is not for the file to say, and the API server refuses such an object.
func errTwice(name string) error {
	return fmt.Errorf("%s is there twice in one object: remove one of them", name)
}

// members are the names of the members of an object so far, in quotes; of an array, none.
type members struct {
	first int // of those that all have together
	named map[string]bool
}

// manyNames is how many names are compared one by one.
const manyNames = 32

// walk is what twiceIn has read so far, kept from one value to the next.
type walk struct {
	names [][]byte
	open  []members
}

// twiceIn is the first name that two members of an object have within JSON, which is valid, in
// quotes, and where it is the second time; empty for none.
func (w *walk) twiceIn(raw []byte) (name []byte, offset int) {
	names, open, key := w.names[:0], w.open[:0], false
	defer func() { w.names, w.open = names, open }()
	for i := 0; i < len(raw); i++ {
		switch raw[i] {
		case '{', '[':
			open, key = append(open, members{first: len(names)}), raw[i] == '{'
		case '}', ']':
			last := len(open) - 1
			names, open, key = names[:open[last].first], open[:last], false
		case ',': // a value came before it
			key = len(open) > 0 && len(names) > open[len(open)-1].first
		case ':':
			key = false
		case '"':
			end := i + stringLength(raw[i:])
			if key && open[len(open)-1].adds(&names, raw[i:end]) {
				return raw[i:end], i
			}
			i = end - 1
		}
	}
	return nil, 0
}

// adds adds a name to those of an object, and reports whether it is there.
func (m *members) adds(names *[][]byte, name []byte) (there bool) {
	own := (*names)[m.first:]
	if m.named == nil && len(own) >= manyNames {
		m.named = make(map[string]bool, 2*manyNames)
		for _, n := range own {
			m.named[string(n)] = true
		}
	}
	if m.named == nil {
		there = slices.ContainsFunc(own, func(n []byte) bool { return bytes.Equal(n, name) })
	} else {
		there = m.named[string(name)]
		m.named[string(name)] = true
	}
	*names = append(*names, name)
	return there
}

// stringLength is how long the string is that JSON begins with.
func stringLength(raw []byte) int {
	for i := 1; i < len(raw); i++ {
		switch raw[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(raw)
}
