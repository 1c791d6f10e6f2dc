package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// advice is a command that answers about an object whose controller is not modelled.
// In args, OBJECT stands for TYPE/NAME and NAMED for its name alone. Other capitals are
// for the user to fill in.
type advice struct {
	// kubectl: the command is kubectl's own, which files do not help.
	kubectl    bool
	args, what string
	// verb is the verb that was asked, empty for any.
	verb string
}

var (
	dependents = advice{args: "owners OBJECT --dependents", what: "its owners and dependents"}
	owned      = advice{args: "owners OBJECT", what: "its owners"}
	withoutOne = advice{args: "orphans", what: "objects without an owner, and what becomes of them"}
	onePod     = advice{args: "explain pod/NAME", what: "why one of its Pods is not ready"}
	describe   = advice{kubectl: true, args: "describe OBJECT", what: "its status and events"}
)

// advised is what helps with the kinds that are read for other answers. Any other kind
// may own something of a modelled one.
var advised = []struct {
	kinds []view.Kind
	help  []advice
}{
	{[]view.Kind{view.Pods}, []advice{
		{args: "explain OBJECT", what: "why it is not ready, and when its controller deletes it"}, owned,
		{kubectl: true, verb: "wait", args: "wait OBJECT --for condition=Ready --timeout 10m", what: "until it is ready"},
	}},
	{[]view.Kind{view.DaemonSets}, []advice{
		dependents, onePod, {kubectl: true, args: "rollout status OBJECT", what: "how far its rollout is, until it is done"},
	}},
	{[]view.Kind{view.Jobs}, []advice{
		dependents, onePod, describe,
		{kubectl: true, verb: "wait", args: "wait OBJECT --for condition=Complete --timeout 10m", what: "until it is complete"},
	}},
	{[]view.Kind{view.AdvancedDaemonSets, view.AdvancedStatefulSets, view.BroadcastJobs}, []advice{dependents, onePod, describe}},
	{[]view.Kind{view.Namespaces}, []advice{
		{args: "explain --namespace NAMED", what: "which of its workloads are stuck"},
		{args: "orphans --namespace NAMED", what: withoutOne.what}, describe,
	}},
	{[]view.Kind{view.PersistentVolumeClaims, view.ControllerRevisions}, []advice{owned, withoutOne, describe}},
	{[]view.Kind{view.Events, view.ResourceQuotas, view.LimitRanges, view.Leases, view.Nodes, view.PodUnavailableBudgets, view.HorizontalPodAutoscalers}, []advice{describe}},
}

// otherKind is what helps with a kind that is not read for other answers.
var otherKind = []advice{dependents, describe}

// notModelled is the error of a kind that has no modelled controller.
type notModelled struct {
	text string
	// arg is the type as it was typed, name that of the object, if there was one.
	arg, name string
	// kind is nil where arg may as well be no type at all.
	kind *view.Kind
	help []advice
}

func (e *notModelled) Error() string { return e.text }

// notModelled is the error of a kind that has no modelled controller: one that was
// mistyped, or one of which other commands tell more.
func (p parser) notModelled(arg, name string) error {
	err := &notModelled{text: fmt.Sprintf("no controller for %q is modelled", arg), arg: arg, name: name}
	if i := slices.IndexFunc(view.Kinds(), func(k view.Kind) bool { return k.Named(arg) }); i >= 0 {
		err.kind = &view.Kinds()[i]
		err.help = adviceOn(*err.kind)
	} else if meant := nearestKinds(arg, p.controllers.Kinds()); meant != "" {
		err.text += meant
		return badUsage{err}
	} else if name != "" && nearestKinds(arg, view.Kinds()) == "" {
		err.help = otherKind
	}
	err.text += "; kinds: " + p.controllers.KindNames()
	return badUsage{err}
}

func adviceOn(kind view.Kind) []advice {
	for _, a := range advised {
		if slices.ContainsFunc(a.kinds, kind.Same) {
			return a.help
		}
	}
	return otherKind
}

// lines are the commands that help instead of cmd, each with what it answers. They ask
// the same cluster or files.
func (e *notModelled) lines(cmd *cobra.Command) string {
	object := e.arg + "/" + cmp.Or(e.name, "NAME")
	stands := strings.NewReplacer("OBJECT", quoted(object), "NAMED", quoted(cmp.Or(e.name, "NAME")))
	var rows [][2]string
	for _, a := range e.help {
		program, place := cmd.Parent().CommandPath(), e.placed(cmd, a)
		if a.kubectl {
			program = "kubectl"
		}
		if a.kubectl && readsFiles(cmd) || a.verb != "" && a.verb != cmd.Name() {
			continue
		}
		rows = append(rows, [2]string{strings.Join(slices.Concat([]string{program, stands.Replace(a.args)}, place), " "), a.what})
	}
	if len(rows) == 0 {
		return ""
	}
	width := 0
	for _, r := range rows {
		width = max(width, len(r[0]))
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\nCommands that help with %s:", object)
	for _, r := range rows {
		fmt.Fprintf(&b, "\n  %-*s   # %s", width, r[0], r[1])
	}
	return b.String()
}

// where are the flags that say which objects are meant, besides their names.
var where = []string{"from", "at", "namespace", "context", "kubeconfig", "cluster", "user", "server"}

// placed are the flags of cmd that another command needs as well to find the same objects.
// One of all namespaces is in one that the user is to fill in.
func (e *notModelled) placed(cmd *cobra.Command, a advice) (words []string) {
	inOne := e.kind != nil && e.kind.Namespaced && a.args != withoutOne.args
	cmd.Flags().Visit(func(f *pflag.Flag) {
		switch {
		case f.Name == "namespace" && strings.Contains(a.args, "--namespace"):
		case f.Name == "from" && !readsFiles(cmd):
		case f.Name == "all-namespaces" && inOne:
			words = append(words, "--namespace", "NAMESPACE")
		case f.Name == "all-namespaces" && a.args == withoutOne.args, slices.Contains(where, f.Name):
			words = append(words, given(f)...)
		}
	})
	return words
}

// readsFiles reports whether cmd reads saved objects instead of a cluster. What trace
// reads is a record.
func readsFiles(cmd *cobra.Command) bool {
	from, err := cmd.Flags().GetStringArray("from")
	return err == nil && len(from) > 0
}
