package cli

import "fmt"

// examples fills the program's name into an example text.
//
//go:noinline // it is called at many places
func examples(env Env, text string) string { return fmt.Sprintf(text, env.Name) }
