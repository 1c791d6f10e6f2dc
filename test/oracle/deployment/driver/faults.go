package driver

import (
	"fmt"
	"net/http"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/deployment/driver/contract"
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
	reasonNamespaceTerminating:               http.StatusForbidden,
}

// faults answers whether a call fails.
type faults []contract.Fault

func (fs faults) validate() error {
	for _, f := range fs {
		if _, ok := reasonCodes[f.Reason]; !ok {
			return fmt.Errorf("fault with unknown reason %q", f.Reason)
		}
	}
	return nil
}

// of returns the error of a call, or nil: patches go by name, the recheck is
// one, and all other writes are counted.
func (fs faults) of(call, name string, index int) error {
	for _, f := range fs {
		if matches(f, call, name, index) {
			return statusError(f)
		}
	}
	return nil
}

func matches(f contract.Fault, call, name string, index int) bool {
	switch call {
	case contract.CallRecheck:
		return f.Call == call
	case contract.CallPatchSet:
		return f.Call == call && f.Name == name
	}
	return f.Call == contract.CallAny && f.Index == index
}

func statusError(f contract.Fault) error {
	status := metav1.Status{
		Status: metav1.StatusFailure, Code: reasonCodes[f.Reason],
		Reason: metav1.StatusReason(f.Reason), Message: f.Message,
	}
	if f.Reason == reasonNamespaceTerminating {
		status.Reason = metav1.StatusReasonForbidden
		status.Details = &metav1.StatusDetails{Causes: []metav1.StatusCause{{Type: corev1.NamespaceTerminatingCause}}}
	}
	return &apierrors.StatusError{ErrStatus: status}
}
