package cli

import (
	"cmp"
	"context"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/cli-runtime/pkg/genericclioptions"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/orphans"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/render"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/render/html"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

const orphansExample = `  # Which objects in this namespace have no owner, and what becomes of them?
  %[1]s orphans -n shop

  # Only Pods and ReplicaSets, everywhere.
  %[1]s orphans pods,rs -A

  # In every cluster of the kubeconfig.
  %[1]s orphans -A --contexts all

  # In a script: is there an orphan?
  %[1]s orphans -n shop --exit-code -o name`

const orphansShort = "List objects without an owner, and predict who adopts, releases or deletes them"

type orphansFlags struct {
	sourceFlags
	pickFlags
	outputFlags
	contextFlags
	watch bool
}

func newOrphans(env Env, config *genericclioptions.ConfigFlags) *cobra.Command {
	f := &orphansFlags{sourceFlags: sourceFlags{config: config}, outputFlags: newOutputFlags()}
	cmd := &cobra.Command{
		Use:     "orphans [TYPE...]",
		Short:   orphansShort,
		Long:    orphansShort + ".\n\nTYPE is one of " + join(orphanKindNames()) + "; without one, all of them are looked at.",
		Example: examples(env, orphansExample),
		RunE: hinting(func(cmd *cobra.Command, args []string) error {
			return f.run(cmd.Context(), env, args)
		}),
		ValidArgsFunction: completeOrphanKinds,
	}
	f.sourceFlags.add(cmd, env)
	hintFilename(cmd, env, savedFiles)
	f.pickFlags.add(cmd)
	f.addWith(cmd, pages...)
	f.contextFlags.add(cmd, config)
	addWatch(cmd, &f.watch)
	return cmd
}

func (f *orphansFlags) run(ctx context.Context, env Env, args []string) error {
	kinds, err := orphanKinds(args)
	if err != nil {
		return err
	}
	sel, err := f.labels()
	if err != nil {
		return err
	}
	ask := func(o *opened, v *view.View) (reply, []*view.Reader, error) {
		r := v.Reader()
		q := orphans.Query{
			Namespace: o.namespace, Home: o.namespace, Kinds: kinds, Selector: sel,
			Served: served(o.config, o.files, v), Installed: installed(o.config, o.files), Decide: o.decide, ByName: o.profile.Kubernetes.AtLeast(34, 2),
			Modelled: o.modelled(),
		}
		switch {
		case f.allNamespaces:
			q.Namespace = ""
		case o.files && q.Namespace == "":
			q.Namespace = onlyNamespace(v, kinds)
		}
		rep, err := orphans.Find(r, q)
		if (err != nil || rep.Objects == 0) && !r.Provisional() {
			_, absent := o.noNamespace(r, q.Namespace)
			err = cmp.Or(absent, err)
		}
		if err != nil {
			return nil, []*view.Reader{r}, err
		}
		rep.Caveats = append(rep.Caveats, o.versionCaveat()...)
		if o.profile.Partial && !rep.Partial {
			rep.Partial, rep.Answer = true, rep.Answer+decision.PartialAnswer
		}
		return orphanReply{rep}, []*view.Reader{r}, nil
	}
	if !f.asked() {
		return f.inquire(ctx, env, &f.sourceFlags, f.watch, ask)
	}
	sources, err := f.everyone(env, &f.sourceFlags, &f.outputFlags, f.watch)
	if err != nil {
		return err
	}
	return f.everywhere(ctx, env, sources, ask)
}

// onlyNamespace is the one that all objects of these kinds are in, empty when
// there are several.
func onlyNamespace(v *view.View, kinds []view.Kind) string {
	only := ""
	for _, k := range kinds {
		for _, o := range v.AllMetadata(k) {
			if only != "" && o.GetNamespace() != only {
				return ""
			}
			only = o.GetNamespace()
		}
	}
	return only
}

// modelled says which controllers answers about several of them are about.
func (o *opened) modelled() decision.Modelled {
	p := o.profile
	return decision.Modelled{Controller: "controllers", Version: p.Kubernetes.String(), Basis: p.Basis, Gates: p.Gates, GatesBasis: p.GatesBasis}
}

// versionCaveat says why it is not known which version to model, if so.
func (o *opened) versionCaveat() []decision.Caveat {
	if o.profile.Caveat == "" {
		return nil
	}
	return []decision.Caveat{{Code: decision.VersionNotKnown, Message: o.profile.Caveat, Partial: o.profile.Partial}}
}

// decide is the next decision of a controller, if it is modelled.
func (o *opened) decide(r *view.Reader, t view.Target) (*decision.Decision, error) {
	c, _, ok := o.controllers.ForKind(t.Kind.GroupResource())
	if !ok {
		return nil, nil
	}
	return c.Next(r, o.profile, t)
}

// orphanKinds reads TYPE[,TYPE]...; none is all.
func orphanKinds(args []string) ([]view.Kind, error) {
	if len(args) == 0 {
		return orphans.Kinds, nil
	}
	var kinds []view.Kind
	for arg := range strings.SplitSeq(strings.Join(args, ","), ",") {
		i := slices.IndexFunc(orphans.Kinds, func(k view.Kind) bool { return k.Named(arg) })
		if i < 0 {
			return nil, usageError("%q: orphans are looked for among %s%s", arg, join(orphanKindNames()), nearestKinds(arg, orphans.Kinds))
		}
		kinds = append(kinds, orphans.Kinds[i])
	}
	return kinds, nil
}

func orphanKindNames() []string {
	var names []string
	for _, k := range orphans.Kinds {
		names = append(names, k.Resource)
	}
	return names
}

func completeOrphanKinds(_ *cobra.Command, used []string, _ string) ([]string, cobra.ShellCompDirective) {
	return unused(orphanKindNames(), used), cobra.ShellCompDirectiveNoFileComp
}

// orphanReply prints a Report.
type orphanReply struct{ rep *orphans.Report }

func (a orphanReply) human(w io.Writer, o render.Options) error { return render.Orphans(w, a.rep, o) }
func (a orphanReply) names(w io.Writer) error                   { return objectNames(w, render.Orphaned(a.rep)) }
func (a orphanReply) page(w io.Writer, by html.About) error {
	return html.Orphans(w, a.rep, by)
}
func (a orphanReply) document() runtime.Object   { return render.NewOrphansDocument(a.rep) }
func (a orphanReply) pending() bool              { return a.rep.Pending }
func (a orphanReply) caveats() []decision.Caveat { return a.rep.Caveats }

func (a orphanReply) gist() string {
	text := []string{a.rep.Answer}
	for _, fi := range a.rep.Findings {
		text = append(text, fi.Object.Qualified(), fi.Message)
		for _, c := range fi.Then {
			text = append(text, c.Message)
		}
	}
	for _, c := range a.rep.Caveats {
		text = append(text, c.Code)
	}
	return strings.Join(text, "|")
}
