package view

import (
	"errors"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
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
		gaps = append(gaps, Note{code, fmt.Sprintf("%v: %s", read.Err, read.IfMissing), read.Partial()})
	}
	return gaps
}

// Partial reports whether the read of a need failed and could change the answer.
func (r *Reader) Partial(need Need) bool {
	need.Detail = Full
	return Read{Need: need, Err: r.Err(need)}.Partial()
}

// Partial reports whether the read failed and could change the answer. Files that
// don't say what was read are taken to hold all objects of the kinds that they
// hold none of. A kind that is not built in has no objects where it is not served.
func (r Read) Partial() bool {
	var absent *NotInInput
	switch {
	case r.Err == nil || r.Explains:
		return false
	case errors.As(r.Err, &absent):
		return absent.Vouched
	case apierrors.IsNotFound(r.Err):
		return r.Kind.Typed()
	}
	return true
}
