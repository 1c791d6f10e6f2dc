package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"
)

// elsewhere is the value of a flag that kubectl's users type here and that another
// flag or command is for: setting it says which.
type elsewhere struct{ instead string }

func (elsewhere) String() string     { return "" }
func (elsewhere) Type() string       { return "string" }
func (e elsewhere) Set(string) error { return errors.New(e.instead) }

// hintFilename says what to type instead of -f, which reads a manifest elsewhere.
func hintFilename(cmd *cobra.Command, env Env, instead string) {
	cmd.Flags().VarP(elsewhere{fmt.Sprintf(instead, env.Name)}, "filename", "f", "")
	_ = cmd.Flags().MarkHidden("filename")
}

// What is meant by -f.
const (
	savedFiles   = "to read saved objects, use --from FILE; to predict what applying FILE does, use %s plan -f FILE"
	namedObjects = "name the objects of the file, as in %s wait deploy/web"
)
