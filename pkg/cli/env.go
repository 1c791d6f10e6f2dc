package cli

import (
	"cmp"
	"io"
	"os"
	"strconv"
	"strings"

	"golang.org/x/term"
	"k8s.io/cli-runtime/pkg/genericiooptions"
	"k8s.io/utils/clock"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/controller"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/render"
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
	// that is not known.
	Resized <-chan os.Signal
	// Name is how the program was called, "kubectl ctrl" as a plugin.
	Name string
	// Version is the tool's own.
	Version string
}

func (e Env) parser() parser { return parser{e.Controllers} }

// text is a writer of text for people: in ASCII where the locale shows nothing else.
// Formats for programs are UTF-8 everywhere.
//
//go:noinline // it is called at many places
func (e Env) text(w io.Writer) io.Writer { return ForLocale(w, e.Getenv) }

// ForLocale is w, or a writer to it in ASCII where the locale of the environment is
// one without UTF-8. Without a locale, UTF-8 is what terminals show.
func ForLocale(w io.Writer, getenv func(string) string) io.Writer {
	if getenv == nil {
		return w
	}
	locale := cmp.Or(getenv("LC_ALL"), getenv("LC_CTYPE"), getenv("LANG"))
	lower := strings.ToLower(locale)
	if locale == "" || strings.Contains(lower, "utf-8") || strings.Contains(lower, "utf8") {
		return w
	}
	return render.ASCII(w)
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

// TerminalHeight counts the lines of a file: 0 unless it is a terminal.
func TerminalHeight(f *os.File) int {
	_, height, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0
	}
	return height
}
