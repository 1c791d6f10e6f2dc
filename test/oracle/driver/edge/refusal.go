package edge

import (
	"fmt"
	"net/http"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// reasonNamespaceTerminating is not a status reason: the API server sends
// Forbidden with this cause (admission plugin NamespaceLifecycle).
const reasonNamespaceTerminating = "NamespaceTerminating"

// reasonCodes are the reasons a fault can have, with their HTTP codes.
var reasonCodes = map[string]int32{
	string(metav1.StatusReasonNotFound):      http.StatusNotFound,
	string(metav1.StatusReasonInvalid):       http.StatusUnprocessableEntity,
	string(metav1.StatusReasonForbidden):     http.StatusForbidden,
	string(metav1.StatusReasonConflict):      http.StatusConflict,
	string(metav1.StatusReasonAlreadyExists): http.StatusConflict,
	string(metav1.StatusReasonInternalError): http.StatusInternalServerError,
	string(metav1.StatusReasonTimeout):       http.StatusGatewayTimeout,
	reasonNamespaceTerminating:               http.StatusForbidden,
}

// KnownReason is an error for a reason that Refusal does not know.
func KnownReason(reason string) error {
	if _, ok := reasonCodes[reason]; !ok {
		return fmt.Errorf("fault with unknown reason %q", reason)
	}
	return nil
}

// Refusal is what the API server answers to a call that it refuses.
func Refusal(reason, message string) error {
	status := metav1.Status{
		Status:  metav1.StatusFailure,
		Code:    reasonCodes[reason],
		Reason:  metav1.StatusReason(reason),
		Message: message,
	}
	if reason == reasonNamespaceTerminating {
		status.Reason = metav1.StatusReasonForbidden
		status.Details = &metav1.StatusDetails{Causes: []metav1.StatusCause{{Type: corev1.NamespaceTerminatingCause}}}
	}
	return &apierrors.StatusError{ErrStatus: status}
}
