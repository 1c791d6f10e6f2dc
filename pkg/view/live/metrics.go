package live

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
)

// Endpoint is where a Pod serves its metrics.
type Endpoint struct {
	Namespace, Pod string
	// Scheme is http or https.
	Scheme string
	Port   string
}

// Metrics are those of a Pod, as text, through the API server's proxy: the Pod sees the API
// server as who asks, not this user. Errors: what kept them from being read, first of all
// that this user may not get pods/proxy.
func (s *Source) Metrics(ctx context.Context, e Endpoint) ([]byte, error) {
	client, err := s.clients.group(corev1.SchemeGroupVersion)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(quiet(ctx), s.timeout)
	defer cancel()
	answer := client.Get().Namespace(e.Namespace).Resource("pods").Name(e.Scheme+":"+e.Pod+":"+e.Port).SubResource("proxy").Suffix("metrics").
		SetHeader("Accept", "text/plain").Do(ctx)
	raw, err := answer.Raw()
	if err != nil {
		return nil, fmt.Errorf("getting /metrics of Pod %s/%s: %w", e.Namespace, e.Pod, core(answer.Error()))
	}
	return raw, nil
}
