package view

import (
	"errors"
	"fmt"
)

// Gaps says for everything optional that could not be read what the answer
// lacks without it.
func (r *Reader) Gaps() []Note {
	var gaps []Note
	for _, read := range r.asked {
		if read.Err == nil || read.Required() {
			continue
		}
		code := "NotRead"
		if errors.As(read.Err, new(*NotInInput)) {
			code = "NotInInput"
		}
		gaps = append(gaps, Note{code, fmt.Sprintf("%v: %s", read.Err, read.Without)})
	}
	return gaps
}
