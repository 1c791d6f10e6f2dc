package cli

import (
	"os"
	"strconv"

	"golang.org/x/term"
	"k8s.io/cli-runtime/pkg/genericiooptions"
	"k8s.io/utils/clock"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/controller"
)

// Env is everything a command takes from outside.
type Env struct {
	genericiooptions.IOStreams
	// Controllers are those that are modelled.
	Controllers controller.Registry
	Clock       clock.Clock
	// Getenv reads the environment.
	Getenv func(string) string
	// Width is the width of the terminal that Out is, 0 when it is none.
	Width func() int
	// Height is how many lines that terminal has, 0 when it is none.
	Height func() int
	// ErrWidth is the width of the terminal that ErrOut is, 0 when it is none.
	ErrWidth func() int
	// Resized receives a value when the terminal has another size; nil when
	// that can't be known.
	Resized <-chan os.Signal
	// Name is how the program was called, "kubectl ctrl" as a plugin.
	Name string
	// Version is the tool's own.
	Version string
}

func (e Env) parser() parser { return parser{e.Controllers} }

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

// TerminalHeight counts the lines of a file: 0 unless it is a terminal.
func TerminalHeight(f *os.File) int {
	_, height, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0
	}
	return height
}
