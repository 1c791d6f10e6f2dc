package cli

import (
	"fmt"
	"maps"
	"slices"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericclioptions"
)

// contextFlags say of which clusters a question is asked at once.
type contextFlags struct{ contexts []string }

// allContexts stands for every context of the kubeconfig.
const allContexts = "all"

func (f *contextFlags) add(cmd *cobra.Command, config *genericclioptions.ConfigFlags) {
	cmd.Flags().StringSliceVar(&f.contexts, "contexts", nil, "ask in several contexts of the kubeconfig at once, such as staging,prod, or all; where one can't answer, the others do, and the exit status is 2")
	register(cmd, "contexts", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return append([]string{allContexts}, inKubeconfig(config, "context")...), cobra.ShellCompDirectiveNoFileComp
	})
}

// asked reports whether there are several clusters to ask.
func (f *contextFlags) asked() bool { return len(f.contexts) > 0 }

// check refuses what is about one cluster only.
func (f *contextFlags) check(source *sourceFlags, output *outputFlags, watch bool) error {
	c := source.config
	for flag, value := range map[string]*string{"context": c.Context, "cluster": c.ClusterName, "user": c.AuthInfoName, "server": c.APIServer, "token": c.BearerToken} {
		if value != nil && *value != "" {
			return usageError("--contexts and --%s both say which cluster to ask: give one of them", flag)
		}
	}
	switch {
	case len(source.from) > 0:
		return usageError("--contexts asks clusters and --from reads files: give one of them")
	case watch:
		return usageError("--watch is about one cluster: use --context")
	case output.format == "html":
		return usageError("--output html is about one cluster: use --context")
	}
	return nil
}

// everyone checks all flags and returns whom to ask.
func (f *contextFlags) everyone(env Env, source *sourceFlags, output *outputFlags, watch bool) ([]contextSource, error) {
	if err := f.check(source, output, watch); err != nil {
		return nil, err
	}
	if err := output.overviewable(env); err != nil {
		return nil, err
	}
	return f.sources(source)
}

// sources are the flags of each context, with the context's name.
func (f *contextFlags) sources(source *sourceFlags) ([]contextSource, error) {
	raw, err := source.config.ToRawKubeConfigLoader().RawConfig()
	if err != nil {
		return nil, err
	}
	known := slices.Sorted(maps.Keys(raw.Contexts))
	names := unique(f.contexts)
	if slices.Equal(names, []string{allContexts}) && !slices.Contains(known, allContexts) {
		names = known
	}
	if len(names) == 0 {
		return nil, usageError("--contexts: the kubeconfig has no context")
	}
	var all []contextSource
	for _, name := range names {
		if !slices.Contains(known, name) {
			return nil, usageError("--contexts: %w", unknownContext(name, known))
		}
		all = append(all, contextSource{name, source.in(name)})
	}
	return all, nil
}

func unknownContext(name string, known []string) error {
	if meant := didYouMean(name, known); meant != "" {
		return fmt.Errorf("no context %q in the kubeconfig%s", name, meant)
	}
	return fmt.Errorf("no context %q in the kubeconfig, which has %s", name, join(known))
}

// contextSource is how to read the cluster of one context.
type contextSource struct {
	context string
	*sourceFlags
}

// in are the same flags for another context. Whatever a ConfigFlags has read
// of its own kubeconfig stays with it.
func (f sourceFlags) in(context string) *sourceFlags {
	old, c := f.config, genericclioptions.NewConfigFlags(true)
	c.KubeConfig, c.CacheDir, c.Namespace, c.Timeout = old.KubeConfig, old.CacheDir, old.Namespace, old.Timeout
	c.Insecure, c.TLSServerName, c.CAFile, c.CertFile, c.KeyFile = old.Insecure, old.TLSServerName, old.CAFile, old.CertFile, old.KeyFile
	c.Impersonate, c.ImpersonateUID, c.ImpersonateGroup = old.Impersonate, old.ImpersonateUID, old.ImpersonateGroup
	c.DisableCompression = old.DisableCompression
	c.Context = &context
	f.config = c
	return &f
}
