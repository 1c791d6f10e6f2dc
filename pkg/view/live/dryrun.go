package live

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// Request is a change that the API server is asked to play through.
type Request struct {
	Kind            view.Kind
	Namespace, Name string
	// Type is how Body patches the object; empty when Body is a new object.
	Type types.PatchType
	Body []byte
}

// DryRun lets the API server default, mutate and validate a change without
// storing it, and returns the object as it would be stored, as JSON. Fields that the
// kind does not have are refused, as they are for kubectl. The Source must have been
// opened with AllowDryRun. Errors: the server's refusal, which includes that of its
// webhooks, and that it gave no answer: see Refuses.
func (s *Source) DryRun(ctx context.Context, q Request) ([]byte, error) {
	client := s.clients.dynamic.Resource(q.Kind.GVR()).Namespace(q.Namespace)
	all := []string{metav1.DryRunAll}
	var obj *unstructured.Unstructured
	var err error
	if q.Type != "" {
		obj, err = client.Patch(ctx, q.Name, q.Type, q.Body, metav1.PatchOptions{DryRun: all, FieldValidation: metav1.FieldValidationStrict})
	} else {
		created := &unstructured.Unstructured{}
		if err := json.Unmarshal(q.Body, &created.Object); err != nil {
			return nil, err
		}
		obj, err = client.Create(ctx, created, metav1.CreateOptions{DryRun: all, FieldValidation: metav1.FieldValidationStrict})
	}
	if err != nil {
		if lost := unreachable(s.clients.host, err); lost != nil {
			return nil, lost
		}
		if !Refuses(err) {
			return nil, fmt.Errorf("the server can't play it through now: %w", err)
		}
		return nil, fmt.Errorf("the server refuses it: %w", err)
	}
	return obj.MarshalJSON()
}

// Refuses reports whether an error is the API server's answer to what it was asked, and not that it
// is too busy, or broken, to give one: then it may well accept the same later.
func Refuses(err error) bool {
	var status apierrors.APIStatus
	if !errors.As(err, &status) {
		return false
	}
	code := status.Status().Code
	return code >= http.StatusBadRequest && code < http.StatusInternalServerError &&
		code != http.StatusUnauthorized && code != http.StatusRequestTimeout && code != http.StatusTooManyRequests
}
