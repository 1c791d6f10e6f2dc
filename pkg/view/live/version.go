package live

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/version"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// longest is how long a gitVersion may be, which messages quote.
const longest = 200

// Version is what the server says at /version.
func (s *Source) Version(ctx context.Context) (view.ServerVersion, error) {
	client, err := s.clients.group(corev1.SchemeGroupVersion)
	if err != nil {
		return view.ServerVersion{}, err
	}
	ctx, cancel := context.WithTimeout(quiet(ctx), s.timeout)
	defer cancel()
	answer := client.Get().AbsPath("/version").SetHeader("Accept", "application/json").Do(ctx)
	raw, err := answer.Raw()
	if err != nil {
		err = answer.Error() // which reads the Status that came
		if lost := unreachable(s.clients.host, err); lost != nil {
			return view.ServerVersion{}, lost
		}
		return view.ServerVersion{}, fmt.Errorf("asking %s for its version: %w", s.clients.host, core(err))
	}
	var info version.Info
	if err := json.Unmarshal(raw, &info); err != nil || info.GitVersion == "" || len(info.GitVersion) > longest {
		return view.ServerVersion{}, fmt.Errorf("asking %s for its version: %w", s.clients.host,
			unexpected("the server sent no gitVersion: is the server of the kubeconfig a Kubernetes API server?"))
	}
	return view.ServerVersion{Version: info.GitVersion, Emulated: emulated(info), Basis: "server"}, nil
}

// emulated is the version that the server behaves as, if another one. Servers
// since 1.33 fill it in even when it is their own (component-base
// compatibility/version.go Info, v0.37.1).
func emulated(info version.Info) string {
	minor := strings.TrimSuffix(info.Minor, "+")
	if info.EmulationMajor == "" || info.EmulationMinor == "" || info.EmulationMajor == info.Major && info.EmulationMinor == minor {
		return ""
	}
	return "v" + info.EmulationMajor + "." + info.EmulationMinor
}
