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
		if read.Err == nil || read.Required() || read.Spared() {
			continue
		}
		gaps = append(gaps, gap(read))
	}
	return append(gaps, r.absent...)
}

// Spared reports whether an answer says nothing of a read that failed: where files hold none
// of a kind of which nothing shows any, and where what is extra is not there.
func (r Read) Spared() bool {
	absent, ok := errors.AsType[*NotInInput](r.Err)
	if r.Extra {
		return ok || r.Name != "" && apierrors.IsNotFound(r.Err)
	}
	return ok && r.Spare && !absent.Vouched
}

func gap(read Read) Note {
	n := Note{Code: "NotRead", Message: fmt.Sprintf("%v: %s", read.Err, read.IfMissing), Partial: read.Partial()}
	if absent, ok := errors.AsType[*NotInInput](read.Err); ok {
		n.Code = "NotInInput"
		if absent.By == "" && !absent.Vouched {
			n.Absent, n.Effect, n.Explains = read.Kind.GroupResource(), read.IfMissing, read.Explains
		}
	}
	return n
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
