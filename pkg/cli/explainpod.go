package cli

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/render"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// podsNamed are the names of the Pods that the arguments name; ok is false where they
// are about another type.
func podsNamed(args []string) (names []string, ok bool, err error) {
	if len(args) == 0 {
		return nil, false, nil
	}
	kind, _, slashed := strings.Cut(args[0], "/")
	if pod, other := slices.IndexFunc(args, namesPod), slices.IndexFunc(args, namesOther); pod >= 0 && other >= 0 {
		return nil, true, usageError("%s and %s: Pods are explained apart from other types: ask about one, then about the other", args[other], args[pod])
	}
	switch types := strings.Split(kind, ","); {
	case len(types) > 1 && slices.ContainsFunc(types, view.Pods.Named):
		return nil, true, usageError("%s: Pods are explained by name, and apart from other types: ask about pod/NAME, then about the others", kind)
	case !view.Pods.Named(kind):
		return nil, false, nil
	case !slashed && len(args) == 1:
		return nil, true, usageError("name the Pods, such as pod/web-2k5qt, or ask about what controls them")
	case !slashed:
		return args[1:], true, nil
	}
	for _, arg := range args {
		kind, name, slashed := strings.Cut(arg, "/")
		if !slashed || !view.Pods.Named(kind) || name == "" || strings.Contains(name, "/") {
			return nil, true, usageError("%q: want pod/NAME, like the others", arg)
		}
		names = append(names, name)
	}
	return names, true, nil
}

// namesPod reports whether an argument is that of one Pod, and namesOther that of one object
// of another type.
func namesPod(arg string) bool {
	kind, _, slashed := strings.Cut(arg, "/")
	return slashed && view.Pods.Named(kind)
}

func namesOther(arg string) bool {
	kind, name, slashed := strings.Cut(arg, "/")
	return slashed && kind != "" && name != "" && !view.Pods.Named(kind)
}

// pods answers about Pods by name.
func (f *explainFlags) pods(ctx context.Context, env Env, names []string) error {
	switch {
	case f.asked():
		return usageError("--contexts is for the objects that control Pods")
	case f.selector != "" || f.allNamespaces:
		return usageError("Pods are explained by name: leave out --selector and --all-namespaces")
	case f.format == "html":
		return usageError("--output html: a Pod has no page; ask about what controls it")
	}
	return f.inquire(ctx, env, &f.sourceFlags, f.watch, func(o *opened, v *view.View) (reply, []*view.Reader, error) {
		r := v.Reader()
		readers := []*view.Reader{r}
		var all podsReply
		for _, name := range names {
			namespace, err := o.namespaceOf(r, view.Pods, name)
			if err != nil {
				return nil, readers, err
			}
			t := view.Target{Kind: view.Pods, Namespace: namespace, Name: name}
			var rep *decision.PodReport
			var used []*view.Reader
			if o.files && held(v, t) == nil {
				err = &view.NotFound{Target: t}
			} else {
				rep, used, err = o.controllers.Pod(v, o.profile, t)
			}
			readers = append(readers, used...)
			if err != nil && !provisional(used) {
				err = (&session{opened: o}).suggest(r, aim{Target: t}, err)
			}
			if err != nil {
				return nil, readers, err
			}
			all = append(all, rep)
		}
		return all, readers, nil
	})
}

// podsReply prints reports on Pods.
type podsReply []*decision.PodReport

func (a podsReply) human(w io.Writer, o render.Options) error { return render.Pods(w, a, o) }
func (a podsReply) names(w io.Writer) error                   { return objectNames(w, a.targets()) }
func (a podsReply) document() runtime.Object                  { return render.NewPodDocument(a) }
func (a podsReply) pending() bool                             { return a.exit(&outputFlags{}) == exitPending }

func (a podsReply) targets() (pods []decision.Ref) {
	for _, rep := range a {
		pods = append(pods, rep.Target)
	}
	return pods
}

// exit is the status of the states.
func (a podsReply) exit(f *outputFlags) int {
	exit := exitNothing
	for _, rep := range a {
		exit = max(exit, f.sure(stateExit(rep.State), rep.Partial))
	}
	return exit
}

func (a podsReply) caveats() []decision.Caveat {
	var all []decision.Caveat
	for _, rep := range a {
		all = append(all, rep.Caveats...)
	}
	return all
}

func (a podsReply) gist() string {
	var b strings.Builder
	for _, rep := range a {
		fmt.Fprintln(&b, rep.Headline, rep.Claim, rep.Deletion)
		if e := rep.TaintEviction; e != nil {
			fmt.Fprintln(&b, e.Taint, e.At)
		}
		for _, c := range rep.Caveats {
			fmt.Fprintln(&b, c.Code)
		}
	}
	return b.String()
}
