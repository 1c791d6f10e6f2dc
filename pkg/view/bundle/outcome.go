package bundle

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// readOutcome is a view.Read in a bundle's header.
type readOutcome struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Resource   string `json:"resource,omitempty"`
	Namespace  string `json:"namespace,omitempty"`
	Name       string `json:"name,omitempty"`
	Selector   string `json:"selector,omitempty"`
	Fields     string `json:"fields,omitempty"`
	Detail     string `json:"detail"`
	// Reason is the API's word for the error (Forbidden, NotFound), for those
	// who tell errors apart; Error is the whole message.
	Reason string `json:"reason,omitempty"`
	Error  string `json:"error,omitempty"`
}

// Reasons of errors that no API server gives.
const (
	reasonNotInInput  = "NotInInput"
	reasonNotCaptured = "NotCaptured"
)

func newReadOutcome(r view.Read) readOutcome {
	out := readOutcome{
		APIVersion: r.Kind.GroupVersion().String(),
		Kind:       r.Kind.Kind,
		Resource:   r.Kind.Resource,
		Namespace:  r.Namespace,
		Name:       r.Name,
		Selector:   r.Selector,
		Fields:     r.Fields,
		Detail:     detailText(r.Detail),
	}
	if r.Err != nil {
		out.Error = cmp.Or(r.Err.Error(), "unknown error")
		out.Reason = reasonOf(r.Err)
	}
	return out
}

func reasonOf(err error) string {
	switch {
	case errors.As(err, new(*NotCaptured)):
		return reasonNotCaptured
	case errors.As(err, new(*view.NotInInput)):
		return reasonNotInInput
	}
	return string(apierrors.ReasonForError(err))
}

// read is the view.Read again. What the answer lacks without it is not part of
// a bundle: whoever asks again says so again.
func (o readOutcome) read() (view.Read, error) {
	kind, known, err := kindOf(typeMeta{o.APIVersion, o.Kind})
	if err != nil {
		return view.Read{}, err
	}
	if !known {
		return view.Read{}, fmt.Errorf("%s %s is not a kind that this version reads", o.APIVersion, o.Kind)
	}
	detail, err := parseDetail(o.Detail)
	if err != nil {
		return view.Read{}, err
	}
	need := view.Need{
		Kind: kind, Namespace: o.Namespace, Name: o.Name,
		Selector: o.Selector, Fields: o.Fields, Detail: detail,
	}
	return view.Read{Need: need, Err: o.err(need)}, nil
}

// err is an error with the same text which apierrors.IsForbidden and its like
// know again.
func (o readOutcome) err(need view.Need) error {
	switch {
	case o.Error == "" && o.Reason == "":
		return nil
	case o.Reason == reasonNotInInput:
		return &view.NotInInput{Need: need}
	case o.Reason == reasonNotCaptured:
		return &NotCaptured{Need: need}
	case o.Reason == "":
		return errors.New(o.Error)
	}
	return &apierrors.StatusError{ErrStatus: metav1.Status{
		Status:  metav1.StatusFailure,
		Reason:  metav1.StatusReason(o.Reason),
		Code:    codeOf(metav1.StatusReason(o.Reason)),
		Message: o.Error,
	}}
}

// codeOf is the HTTP status of the reasons that a read can meet.
func codeOf(reason metav1.StatusReason) int32 {
	switch reason {
	case metav1.StatusReasonUnauthorized:
		return http.StatusUnauthorized
	case metav1.StatusReasonForbidden:
		return http.StatusForbidden
	case metav1.StatusReasonNotFound:
		return http.StatusNotFound
	}
	return 0
}

func detailText(d view.Detail) string {
	if d == view.Full {
		return "full"
	}
	return "metadata"
}

func parseDetail(text string) (view.Detail, error) {
	switch text {
	case "full":
		return view.Full, nil
	case "metadata":
		return view.Metadata, nil
	}
	return 0, fmt.Errorf("detail is %q, expected full or metadata", text)
}
