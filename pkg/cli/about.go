package cli

import (
	"regexp"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/render"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/render/html"
)

// versionNote is where the root command keeps the version of the tool.
const versionNote = "version"

// secret are flags whose values are nobody's business in a report, and
// beside them is what says how the report was printed, not what was asked.
var secret = map[string]bool{
	"token": true, "client-key": true, "client-certificate": true,
	"output": true, "color": true,
}

// about is what a page says of the command that made it.
func about(cmd *cobra.Command, args []string) html.About {
	words := []string{cmd.CommandPath()}
	for _, arg := range args {
		words = append(words, quoted(arg))
	}
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if !secret[f.Name] {
			words = append(words, given(f)...)
		}
	})
	return html.About{Question: strings.Join(words, " "), Tool: "kubectl-ctrl " + cmd.Root().Annotations[versionNote]}
}

// given is a flag as it is given to a command.
func given(f *pflag.Flag) []string {
	switch {
	case f.Value.Type() == "bool" && f.Value.String() == "true":
		return []string{"--" + f.Name}
	case f.Value.Type() == "stringArray" || f.Value.Type() == "stringSlice":
		return each(f.Name, f.Value.(pflag.SliceValue).GetSlice())
	case f.NoOptDefVal != "":
		return []string{"--" + f.Name + "=" + quoted(f.Value.String())}
	}
	if v, ok := f.Value.(interface{ values() []string }); ok {
		return each(f.Name, v.values())
	}
	return []string{"--" + f.Name, quoted(f.Value.String())}
}

// each is a flag that is given once for each value.
func each(name string, values []string) []string {
	var words []string
	for _, value := range values {
		words = append(words, "--"+name, quoted(value))
	}
	return words
}

// place says where the objects of a page are from, and of which kind its documents are.
func (f *outputFlags) place(o *opened, source *sourceFlags, kind string, namespaces bool) {
	f.about.Namespace, f.about.Plans = o.namespace, kind == render.PlanKind
	if namespaces {
		f.about.Namespace = "all"
	}
	if o.files {
		f.about.Source = "files " + strings.Join(source.from, ", ")
		words := each("from", source.from)
		if source.at != "" {
			words = append(words, "--at", quoted(source.at))
		}
		f.input = " " + strings.Join(words, " ")
		return
	}
	f.about.Source = "context " + *o.config.Context
	if raw, err := o.config.ToRawKubeConfigLoader().RawConfig(); *o.config.Context == "" && err == nil {
		f.about.Source = "context " + raw.CurrentContext
	}
}

// plain words need no quotes in a shell.
var plain = regexp.MustCompile(`^[\w@%+=:,./-]+$`)

func quoted(arg string) string {
	if plain.MatchString(arg) {
		return arg
	}
	return "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
}
