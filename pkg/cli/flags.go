package cli

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericclioptions"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
)

// sourceFlags say what to read and which controller to model.
type sourceFlags struct {
	config  *genericclioptions.ConfigFlags
	from    []string
	at      string
	emulate string
	gates   string
}

func (f *sourceFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringArrayVar(&f.from, "from", nil, "read files instead of a cluster: any output of kubectl get -o yaml or -o json, directories of such files, a cluster-info dump, or a bundle made by snapshot; - is standard input; may be given several times")
	flags.StringVar(&f.at, "at", "", "with --from: the instant that ages are measured at, such as 2026-11-01T12:00:00Z (default: when the bundle was captured, else the newest timestamp in the input)")
	flags.StringVar(&f.emulate, "emulate-version", "", "model the controller of this Kubernetes version, such as 1.31 (default: the server's, or the bundle's)")
	flags.StringVar(&f.gates, "feature-gates", "", "feature gates of the controller manager, such as PodDeletionCost=false (default: those of the version)")
}

// instant reads --at.
func (f *sourceFlags) instant() (*time.Time, error) {
	if f.at == "" {
		return nil, nil
	}
	if len(f.from) == 0 {
		return nil, usageError("--at goes with --from: a live cluster is read as it is now")
	}
	t, err := time.Parse(time.RFC3339Nano, f.at)
	if err != nil {
		return nil, usageError("--at %q: want an instant such as 2026-11-01T12:00:00Z", f.at)
	}
	return &t, nil
}

func (f *sourceFlags) profileOptions() (profile.Options, error) {
	gates, err := profile.ParseGates(f.gates)
	if err != nil {
		return profile.Options{}, fmt.Errorf("--feature-gates: %w", err)
	}
	if f.emulate != "" {
		if _, err := profile.ParseVersion(f.emulate); err != nil {
			return profile.Options{}, fmt.Errorf("--emulate-version: %w", err)
		}
	}
	return profile.Options{Emulate: f.emulate, Gates: gates}, nil
}

// pickFlags say which objects are asked about.
type pickFlags struct {
	allNamespaces bool
	selector      string
}

func (f *pickFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.BoolVarP(&f.allNamespaces, "all-namespaces", "A", false, "ask about objects of all namespaces")
	flags.StringVarP(&f.selector, "selector", "l", "", "ask about objects with these labels, such as app=web")
}
