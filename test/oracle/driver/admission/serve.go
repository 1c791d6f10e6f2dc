package admission

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"

	corev1 "k8s.io/api/core/v1"
	api "k8s.io/kubernetes/pkg/apis/core"
)

// Request is an object to create, up to Tries times.
type Request struct {
	Pod *corev1.Pod `json:"pod,omitempty"`
	// Count is a resource whose objects are only counted, instead of a Pod.
	Count       string                 `json:"count,omitempty"`
	LimitRanges []*corev1.LimitRange   `json:"limitRanges,omitempty"`
	Quotas      []corev1.ResourceQuota `json:"quotas,omitempty"`
	Tries       int                    `json:"tries"`
}

// Answer says how many were accepted, and what refused the next one.
type Answer struct {
	Accepted int `json:"accepted"`
	// Stage is "" if all were accepted, else invalid, limits or quota.
	Stage  string   `json:"stage,omitempty"`
	Errors []string `json:"errors,omitempty"`
}

// Serve answers until in ends. late are defaults that are set after admission
// changed the Pod, nil for none.
func Serve(late func(*api.Pod)) func(in io.Reader, out io.Writer) error {
	return func(in io.Reader, out io.Writer) error {
		from, w := json.NewDecoder(bufio.NewReaderSize(in, 1<<20)), bufio.NewWriterSize(out, 1<<20)
		to := json.NewEncoder(w)
		for {
			var req Request
			if err := from.Decode(&req); errors.Is(err, io.EOF) {
				return w.Flush()
			} else if err != nil {
				return err
			}
			a, err := req.answer(late)
			if err != nil {
				return err
			}
			if err := to.Encode(a); err != nil {
				return err
			}
		}
	}
}
