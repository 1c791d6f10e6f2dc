package cli

import (
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// longestWord bounds the length of a completed word, in bytes: a type, a slash
// and the longest name that the API allows fit twice.
const longestWord = 1024

// harmlessWord matches words that mean nothing to a shell but themselves. Names
// of objects need letters, digits and ".-_:"; names in a kubeconfig also "/" and
// "@"; values of flags also "=". A leading dash would make the word a flag.
var harmlessWord = regexp.MustCompile(`^[A-Za-z0-9._:/@=][A-Za-z0-9._:/@=+-]*$`)

// offered keeps a completer from offering a word that does not begin with what was
// typed, in whatever case, or that a shell could run or take for a flag. Old completion scripts of kubectl evaluate the words that they get.
// Words come from clusters and files, and repeat what the user typed.
func offered(c completer) completer {
	return func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		words, directive := c(cmd, args, typed)
		return slices.DeleteFunc(words, func(w string) bool {
			return !strings.HasPrefix(strings.ToLower(w), strings.ToLower(typed)) || len(w) > longestWord || !harmlessWord.MatchString(w)
		}), directive
	}
}

// offerOnlyHarmless guards the arguments of a command and of all below it.
// register guards the flags.
func offerOnlyHarmless(cmd *cobra.Command) {
	if cmd.ValidArgsFunction != nil {
		cmd.ValidArgsFunction = offered(cmd.ValidArgsFunction)
	}
	for _, sub := range cmd.Commands() {
		offerOnlyHarmless(sub)
	}
}
