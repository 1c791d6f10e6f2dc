package driver

import (
	"fmt"
	"net/http"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/driver/contract"
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

var faultCalls = map[string]bool{
	contract.CallCreate: true, contract.CallDelete: true,
	contract.CallAdopt: true, contract.CallRelease: true,
	contract.CallRecheck: true, contract.CallStatus: true, contract.CallStatusGet: true,
}

// faults answers whether a call fails.
type faults []contract.Fault

func (fs faults) validate() error {
	for _, f := range fs {
		if !faultCalls[f.Call] {
			return fmt.Errorf("fault on unknown call %q", f.Call)
		}
		if _, ok := reasonCodes[f.Reason]; !ok {
			return fmt.Errorf("fault with unknown reason %q", f.Reason)
		}
	}
	return nil
}

// at returns the error of the index-th call of that kind, or nil.
func (fs faults) at(call string, index int) error {
	for _, f := range fs {
		if f.Call == call && f.Index == index {
			return statusError(f)
		}
	}
	return nil
}

// on returns the error of that call on that pod, or nil.
func (fs faults) on(call, pod string) error {
	for _, f := range fs {
		if f.Call == call && f.Pod == pod {
			return statusError(f)
		}
	}
	return nil
}

func statusError(f contract.Fault) error {
	status := metav1.Status{
		Status:  metav1.StatusFailure,
		Code:    reasonCodes[f.Reason],
		Reason:  metav1.StatusReason(f.Reason),
		Message: f.Message,
	}
	if f.Reason == reasonNamespaceTerminating {
		status.Reason = metav1.StatusReasonForbidden
		status.Details = &metav1.StatusDetails{Causes: []metav1.StatusCause{{Type: corev1.NamespaceTerminatingCause}}}
	}
	return &apierrors.StatusError{ErrStatus: status}
}
