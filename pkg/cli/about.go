package cli

import (
	"regexp"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

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
		switch {
		case secret[f.Name]:
		case f.Value.Type() == "bool" && f.Value.String() == "true":
			words = append(words, "--"+f.Name)
		case f.Value.Type() == "stringArray" || f.Value.Type() == "stringSlice":
			for _, value := range f.Value.(pflag.SliceValue).GetSlice() {
				words = append(words, "--"+f.Name, quoted(value))
			}
		default:
			words = append(words, "--"+f.Name, quoted(f.Value.String()))
		}
	})
	return html.About{Question: strings.Join(words, " "), Tool: "kubectl-ctrl " + cmd.Root().Annotations[versionNote]}
}

// plain words need no quotes in a shell.
var plain = regexp.MustCompile(`^[\w@%+=:,./-]+$`)

func quoted(arg string) string {
	if plain.MatchString(arg) {
		return arg
	}
	return "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
}
