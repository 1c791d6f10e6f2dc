package cli

import (
	"context"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/cli-runtime/pkg/genericclioptions"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/lineage"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/render"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/render/html"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

const ownersExample = `  # What does this Pod belong to, up to the root?
  %[1]s owners pod/web-7b46c4b544-2k5qt -n shop

  # What belongs to this Deployment?
  %[1]s owners deploy/web --dependents -n shop

  # What would deleting it without its dependents leave, and who would take that?
  %[1]s owners rs/web --cascade orphan -n shop

  # A picture.
  %[1]s owners deploy/web --dependents -n shop -o dot | dot -Tsvg > web.svg`

type ownersFlags struct {
	sourceFlags
	outputFlags
	down     bool
	depth    int
	types    []string
	onDelete string
	watch    bool
}

func newOwners(env Env, config *genericclioptions.ConfigFlags) *cobra.Command {
	f := &ownersFlags{sourceFlags: sourceFlags{config: config}, outputFlags: newOutputFlags()}
	cmd := &cobra.Command{
		Use:     "owners TYPE/NAME | TYPE NAME",
		Short:   "Show what owns an object and what it owns, each ownerReference checked",
		Example: examples(env, ownersExample),
		RunE: hinting(func(cmd *cobra.Command, args []string) error {
			switch {
			case cmd.Flags().Changed("depth") && f.depth < 1:
				return usageError("--depth %d: want 1 or more levels", f.depth)
			case cmd.Flags().Changed("types") && len(f.types) == 0:
				return usageError("--types is empty: want types, such as pods,replicasets, or all")
			}
			return f.run(cmd.Context(), env, args)
		}),
		ValidArgsFunction: completeObjects(env, &f.sourceFlags),
	}
	f.sourceFlags.add(cmd, env)
	hintFilename(cmd, env, savedFiles)
	f.addWith(cmd, slices.Concat(pages, drawings)...)
	addWatch(cmd, &f.watch)
	flags := cmd.Flags()
	flags.BoolVar(&f.down, "dependents", false, "show what belongs to the object as well")
	flags.IntVar(&f.depth, "depth", 0, "with --dependents: how many levels to show (default: all)")
	flags.StringSliceVar(&f.types, "types", nil, "the types to look for dependents among, or all for every type that the server serves (default: workloads, Pods, revisions and volume claims; all with --cascade)")
	flags.StringVar(&f.onDelete, "cascade", "", "predict what deleting the object in this way also deletes, and what it orphans: background, foreground, orphan, as kubectl delete has them")
	completeWith(cmd, "cascade", policyNames()...)
	completeWith(cmd, "types", append(kindNames(view.Kinds()), "all")...)
	completeWith(cmd, "depth")
	return cmd
}

func policyNames() []string {
	var names []string
	for _, p := range lineage.Policies {
		names = append(names, string(p))
	}
	return names
}

func (f *ownersFlags) run(ctx context.Context, env Env, args []string) error {
	kindArg, name, err := oneObject(args)
	if err != nil {
		return err
	}
	switch {
	case f.depth > 0 && !f.down:
		return usageError("--depth %d is about dependents: add --dependents", f.depth)
	case len(f.types) > 0 && !f.down && f.onDelete == "":
		return usageError("--types %s is about dependents: add --dependents, or --cascade", strings.Join(f.types, ","))
	}
	if f.onDelete != "" && !slices.Contains(policyNames(), f.onDelete) {
		return usageError("--cascade %q: want one of %s", f.onDelete, join(policyNames()))
	}
	a := ownersQuestion{f: f, kindArg: kindArg, name: name, kinds: kindFinder{config: f.config, files: len(f.from) > 0}}
	if !a.kinds.files {
		if err := a.resolve(); err != nil {
			return err
		}
	}
	return f.inquire(ctx, env, &f.sourceFlags, f.watch, a.ask)
}

// ownersQuestion is about one object. Which kinds there are, a server says at
// once, and files when they are read.
type ownersQuestion struct {
	f             *ownersFlags
	kindArg, name string
	kinds         kindFinder
	kind          view.Kind
	types         []view.Kind
	// undiscovered is why some types are not looked among.
	undiscovered error
}

func (q *ownersQuestion) resolve() (err error) {
	if q.kind, err = q.kinds.named(q.kindArg); err != nil {
		return err
	}
	q.types, q.undiscovered, err = q.f.dependents(q.kinds)
	return err
}

func (q *ownersQuestion) ask(o *opened, v *view.View) (reply, []*view.Reader, error) {
	r := v.Reader()
	if o.files {
		q.kinds.others = v.Others()
		if err := q.resolve(); err != nil {
			return nil, nil, err
		}
	}
	target := view.Target{Kind: q.kind, Name: q.name}
	if q.kind.Namespaced {
		var err error
		if target.Namespace, err = o.namespaceOf(r, q.kind, q.name); err != nil {
			return nil, nil, err
		}
	}
	g, err := lineage.Ask(r, lineage.Query{
		Target: target, Down: q.f.down, Depth: q.f.depth, Types: q.types, Undiscovered: q.undiscovered, OnDelete: lineage.Policy(q.f.onDelete),
		Served: served(q.f.config, o.files, v), Installed: installed(q.f.config, o.files), ByName: o.profile.Kubernetes.AtLeast(34, 2),
	})
	if err != nil {
		return nil, []*view.Reader{r}, err
	}
	if types := q.f.types; q.f.down && len(types) > 0 && !slices.Contains(types, "all") {
		g.Caveats = append(g.Caveats, decision.Caveat{Code: "TypesGiven", Message: "dependents are looked for among " + strings.Join(types, ", ") +
			": what belongs to an object of another type is not shown"})
	}
	g.Caveats = append(g.Caveats, o.versionCaveat()...)
	if o.profile.Partial && !g.Partial {
		g.Partial, g.Answer = true, g.Answer+decision.PartialAnswer
	}
	return ownersReply{g}, []*view.Reader{r}, nil
}

// oneObject reads TYPE/NAME or TYPE NAME.
func oneObject(args []string) (kind, name string, err error) {
	switch len(args) {
	case 1:
		kind, name, _ = strings.Cut(args[0], "/")
	case 2:
		kind, name = args[0], args[1]
	}
	if kind == "" || name == "" || strings.Contains(name, "/") {
		return "", "", usageError("name one object, such as pod/web-x or deploy web")
	}
	return kind, name, nil
}

// ownersReply prints a Graph.
type ownersReply struct{ g *lineage.Graph }

func (a ownersReply) human(w io.Writer, o render.Options) error { return render.Owners(w, a.g, o) }
func (a ownersReply) names(w io.Writer) error                   { return objectNames(w, render.Existing(a.g)) }
func (a ownersReply) page(w io.Writer, by html.About) error {
	return html.Owners(w, a.g, by)
}
func (a ownersReply) document() runtime.Object               { return render.NewOwnersDocument(a.g) }
func (a ownersReply) graph(w io.Writer, format string) error { return render.Graph(w, a.g, format) }
func (a ownersReply) pending() bool                          { return a.g.Pending }
func (a ownersReply) caveats() []decision.Caveat             { return a.g.Caveats }
func (a ownersReply) gist() string {
	text := []string{a.g.Answer}
	for _, n := range a.g.Nodes {
		text = append(text, n.Object.Qualified())
		if n.Next != nil {
			text = append(text, n.Next.Message)
		}
	}
	for _, e := range a.g.Edges {
		text = append(text, e.Rule)
	}
	return strings.Join(text, "|")
}
