package live

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/version"
)

// Version is what the server says at /version, and "server". A server that
// behaves as an older one gives that one's major and minor, and
// "server (emulating)".
func (s *Source) Version(ctx context.Context) (string, string, error) {
	client, err := s.clients.group(corev1.SchemeGroupVersion)
	if err != nil {
		return "", "", err
	}
	ctx, cancel := context.WithTimeout(quiet(ctx), s.timeout)
	defer cancel()
	raw, err := client.Get().AbsPath("/version").SetHeader("Accept", "application/json").DoRaw(ctx)
	if err != nil {
		if lost := unreachable(s.clients.host, err); lost != nil {
			return "", "", lost
		}
		return "", "", fmt.Errorf("asking %s for its version: %w", s.clients.host, err)
	}
	var info version.Info
	if err := json.Unmarshal(raw, &info); err != nil {
		return "", "", fmt.Errorf("asking %s for its version: %w", s.clients.host, err)
	}
	v, basis := effective(info)
	return v, basis, nil
}

// effective is the version that the server behaves as. Servers since 1.31 fill
// in the emulated version even when it is their own.
func effective(info version.Info) (string, string) {
	minor := strings.TrimSuffix(info.Minor, "+")
	emulates := info.EmulationMajor != "" && info.EmulationMinor != "" &&
		(info.EmulationMajor != info.Major || info.EmulationMinor != minor)
	if emulates {
		return "v" + info.EmulationMajor + "." + info.EmulationMinor, "server (emulating)"
	}
	return info.GitVersion, "server"
}
