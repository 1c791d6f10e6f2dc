package cli

import (
	"cmp"
	"context"
	"fmt"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/cli-runtime/pkg/printers"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/render"
)

const versionExample = `  # Is this cluster's release modelled, and what would an upgrade change?
  %[1]s version

  # The tool's own version and the controllers it models.
  %[1]s version --client

  # As JSON.
  %[1]s version -o json`

type versionFlags struct {
	source *sourceFlags
	client bool
	format string
}

func newVersion(env Env, config *genericclioptions.ConfigFlags) *cobra.Command {
	f := &versionFlags{source: &sourceFlags{config: config}}
	cmd := &cobra.Command{
		Use:     "version",
		Short:   "Show the version of the tool, and how far it models the cluster's release",
		Args:    noArguments,
		Example: examples(env, versionExample),
		RunE: hinting(func(cmd *cobra.Command, _ []string) error {
			return f.run(cmd.Context(), env)
		}),
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	cmd.Flags().BoolVar(&f.client, "client", false, "print what needs no cluster")
	cmd.Flags().StringVarP(&f.format, "output", "o", "", "output format: json, yaml")
	completeWith(cmd, "output", "json", "yaml")
	return cmd
}

// run prints the tool's own version even where the cluster can't be asked.
func (f *versionFlags) run(ctx context.Context, env Env) error {
	show, err := f.printer(env)
	if err != nil {
		return err
	}
	v := render.NewVersion(render.Version{Name: env.Name, Tool: env.Version, Models: models(env)})
	var unasked error
	if !f.client {
		v.Cluster, unasked = f.cluster(ctx, env)
	}
	return cmp.Or(show(v), unasked)
}

// models are the releases that are modelled, of each product.
func models(env Env) []render.ModelRange {
	all := []render.ModelRange{{Product: "Kubernetes", Oldest: profile.Oldest.String(), Newest: profile.Newest.String()}}
	for _, p := range env.Controllers.Programs() {
		versions := texts(p.Versions())
		all = append(all, render.ModelRange{Product: p.Product, Oldest: versions[0], Newest: versions[len(versions)-1]})
	}
	return all
}

func (f *versionFlags) printer(env Env) (func(*render.Version) error, error) {
	switch f.format {
	case "":
		return func(v *render.Version) error { return render.VersionText(env.text(env.Out), v) }, nil
	case "json":
		return func(v *render.Version) error {
			return render.HarmlessJSON(&printers.JSONPrinter{}).PrintObj(v, env.Out)
		}, nil
	case "yaml":
		return func(v *render.Version) error { return render.YAML().PrintObj(v, env.Out) }, nil
	}
	return nil, usageError("--output %q is no format: want json or yaml", f.format)
}

// cluster says how far the release of the kubeconfig's cluster is modelled.
func (f *versionFlags) cluster(ctx context.Context, env Env) (*render.ClusterModel, error) {
	src, err := f.source.open(ctx, env)
	if err != nil {
		return nil, err
	}
	defer src.Close()
	p := src.profile
	s := env.Controllers.Releases().StandingOf(p.Release)
	c := &render.ClusterModel{
		Release: p.Release.String(), Basis: p.Basis, Support: string(s.Support),
		Model: s.Model.String(), Newest: profile.Newest.String(), Caveat: p.Caveat, Changes: []render.VersionChange{},
	}
	c.Standing, c.Sentence = standing(s)
	if s.Oracle != (profile.Version{}) {
		c.ComparedWith = s.Oracle.String()
	}
	for _, change := range s.Changes {
		c.Changes = append(c.Changes, render.VersionChange{Since: change.Release(), What: change.What})
	}
	return c, nil
}

// standing says how far a release is modelled, in a word and in a sentence.
func standing(s profile.Standing) (word, sentence string) {
	const asked = "Tests compare the model with the real controllers of %s"
	switch {
	case s.Support == profile.TooNew:
		return "not modelled", fmt.Sprintf("Answers use the model of %s. A newer release of this tool may model it.", s.Model)
	case s.Support == profile.TooOld:
		return "not modelled", fmt.Sprintf("Answers use the model of %s.", s.Model)
	case s.Support == profile.Modelled:
		return "modelled", "Tests compare the model with no release that behaves like it."
	case s.Oracle == s.Model:
		return "modelled", fmt.Sprintf(asked+".", s.Oracle)
	}
	return "modelled", fmt.Sprintf(asked+", and no known change lies between.", s.Oracle)
}
