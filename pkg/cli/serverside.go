package cli

import (
	"context"
	"errors"
	"fmt"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view/live"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/whatif"
)

// serverSide has the API server play manifests through, each once as long as
// the object that it changes stays the same.
type serverSide struct {
	// cluster is what the manifests are for; nil until it is opened.
	cluster *opened
	ctx     context.Context //nolint:containedctx // of the command, for what it asks
	source  *live.Source
	answers map[string][]byte
}

func (s *serverSide) open(ctx context.Context, o *opened) {
	s.ctx, s.source, s.answers = ctx, o.server, map[string][]byte{}
}

// servedInstead is the version in which the server has a kind, where it has it, and not in
// that of a manifest.
func (s *serverSide) servedInstead(k view.Kind, written string) string {
	if s.cluster == nil || s.cluster.files || k.Typed() {
		return ""
	}
	discovers(s.cluster.config)
	mapper, err := s.cluster.config.ToRESTMapper()
	if err != nil {
		return ""
	}
	if _, err = mapper.RESTMapping(k.GroupKind(), written); !meta.IsNoMatchError(err) {
		return ""
	}
	other, err := mapper.RESTMapping(k.GroupKind())
	if err != nil {
		return ""
	}
	return other.GroupVersionKind.GroupVersion().String()
}

// errNotYet ends a round in which the object to change is not read yet.
var errNotYet = errors.New("the object is not read yet")

func (s *serverSide) apply(r *view.Reader, m whatif.Manifest, old metav1.Object) (metav1.Object, []decision.Change, error) {
	if len(r.Missing()) > 0 {
		return nil, nil, errNotYet
	}
	key := m.String()
	if old != nil {
		key += " " + old.GetResourceVersion()
	}
	if _, asked := s.answers[key]; !asked {
		answer, err := s.ask(m, old)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", m, err)
		}
		s.answers[key] = answer
	}
	return m.Stored(old, s.answers[key])
}

func (s *serverSide) ask(m whatif.Manifest, old metav1.Object) ([]byte, error) {
	kind, body, err := m.Request(old)
	if err != nil {
		return nil, err
	}
	return s.source.DryRun(s.ctx, live.Request{Kind: m.Kind, Namespace: m.Namespace, Name: m.Name, Type: kind, Body: body})
}
