package cli

import (
	"os"
	"strconv"

	"golang.org/x/term"
	"k8s.io/cli-runtime/pkg/genericiooptions"
	"k8s.io/utils/clock"
)

// Env is everything a command takes from outside.
type Env struct {
	genericiooptions.IOStreams
	Clock clock.Clock
	// Getenv reads the environment.
	Getenv func(string) string
	// Width is the width of the terminal that Out is, 0 when it is none.
	Width func() int
	// Name is how the program was called, "kubectl ctrl" as a plugin.
	Name string
	// Version is the tool's own.
	Version string
}

// TerminalWidth measures a file: 0 unless it is a terminal. COLUMNS wins.
func TerminalWidth(f *os.File, getenv func(string) string) int {
	if !term.IsTerminal(int(f.Fd())) {
		return 0
	}
	if n, err := strconv.Atoi(getenv("COLUMNS")); err == nil && n > 0 {
		return n
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0
	}
	return width
}
