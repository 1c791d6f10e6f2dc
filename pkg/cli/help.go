package cli

import "fmt"

// examples fills the program's name into an example text.
func examples(env Env, text string) string { return fmt.Sprintf(text, env.Name) }
