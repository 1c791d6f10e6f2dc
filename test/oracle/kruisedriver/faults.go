package kruisedriver

import (
	"fmt"
	"net/http"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/kruisedriver/contract"
)

// reasonCodes are the reasons a fault may give.
var reasonCodes = map[metav1.StatusReason]int32{
	metav1.StatusReasonNotFound:        http.StatusNotFound,
	metav1.StatusReasonInvalid:         http.StatusUnprocessableEntity,
	metav1.StatusReasonForbidden:       http.StatusForbidden,
	metav1.StatusReasonConflict:        http.StatusConflict,
	metav1.StatusReasonAlreadyExists:   http.StatusConflict,
	metav1.StatusReasonInternalError:   http.StatusInternalServerError,
	metav1.StatusReasonTimeout:         http.StatusGatewayTimeout,
	metav1.StatusReasonTooManyRequests: http.StatusTooManyRequests,
}

// faults answers whether a call fails. It counts the calls that each matches.
type faults struct {
	wanted  []contract.Fault
	matched []int
}

func newFaults(wanted []contract.Fault) (faults, error) {
	for _, f := range wanted {
		if _, ok := reasonCodes[metav1.StatusReason(f.Reason)]; !ok {
			return faults{}, fmt.Errorf("fault with unknown reason %q", f.Reason)
		}
	}
	return faults{wanted: wanted}, nil
}

// fresh has counted no call.
func (fs faults) fresh() faults {
	return faults{wanted: fs.wanted, matched: make([]int, len(fs.wanted))}
}

// on counts the call and returns its error, or nil.
func (fs faults) on(verb, kind, subresource, name string) (err error) {
	for i, f := range fs.wanted {
		if !matchesCall(f.Verb, verb) || !matchesCall(f.Kind, kind) || !matchesCall(f.Name, name) || f.Subresource != subresource {
			continue
		}
		at := fs.matched[i] - f.Index
		fs.matched[i]++
		if err == nil && at >= 0 && (f.Count < 0 || at < max(f.Count, 1)) {
			err = statusError(f.Reason, f.Message)
		}
	}
	return err
}

func matchesCall(wanted, got string) bool { return wanted == "" || wanted == got }

func statusError(reason, message string) error {
	return &apierrors.StatusError{ErrStatus: metav1.Status{
		Status:  metav1.StatusFailure,
		Code:    reasonCodes[metav1.StatusReason(reason)],
		Reason:  metav1.StatusReason(reason),
		Message: message,
	}}
}

func reasonOf(err error) string {
	if err == nil {
		return ""
	}
	return string(apierrors.ReasonForError(err))
}

func notFound(kind, name string) error      { return apierrors.NewNotFound(resource(kind), name) }
func alreadyExists(kind, name string) error { return apierrors.NewAlreadyExists(resource(kind), name) }
func badRequest(message string) error       { return apierrors.NewBadRequest(message) }

func conflict(kind, name string) error {
	return apierrors.NewConflict(resource(kind), name, fmt.Errorf("the object has been modified; please apply your changes to the latest version and try again"))
}

// resource is for error messages only.
func resource(kind string) schema.GroupResource {
	return schema.GroupResource{Resource: strings.ToLower(kind) + "s"}
}
