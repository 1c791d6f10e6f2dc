package blockyaml

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"time"

	yaml "go.yaml.in/yaml/v2"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/sanitize"
)

// What is kept of scalars: up to so many, of up to so many bytes.
const (
	maxKnown    = 4096
	maxKnownLen = 128
)

// A string without line ends stays on one line, however long. Where the library
// folds lines depends on the column, which it does not know here.
func init() { yaml.FutureLineWrap() }

// scalars writes strings. The library writes those that need a style, each as a
// document of one stream.
type scalars struct {
	out     *bytes.Buffer
	library *yaml.Encoder
	known   map[string]string
}

func newScalars() scalars {
	out := &bytes.Buffer{}
	return scalars{out, yaml.NewEncoder(out), map[string]string{}}
}

// text is s as a scalar, which may have several lines.
func (c *scalars) text(s string) (string, error) {
	switch {
	case obvious(s), shaped(s, uid):
		return s, nil
	case shaped(s, instant) && isTime(s):
		return `"` + s + `"`, nil
	}
	if text, ok := c.known[s]; ok {
		return text, nil
	}
	text, err := c.styled(s)
	if err == nil && len(s) <= maxKnownLen && len(c.known) < maxKnown {
		c.known[s] = text
	}
	return text, err
}

// key is s as a scalar of one line. The library leaves << as it is, which makes
// other keys of it.
func (c *scalars) key(s string) (string, error) {
	text, err := c.text(s)
	if text == "<<" || strings.Contains(text, "\n") {
		text = quoted(s)
	}
	return text, err
}

// styled is s in the library's style, or in double quotes where that would show
// what could drive a terminal.
func (c *scalars) styled(s string) (string, error) {
	c.out.Reset()
	if err := c.library.Encode(s); err != nil {
		return "", err
	}
	text := strings.TrimPrefix(c.out.String(), "---") // between documents
	text = strings.TrimSuffix(strings.TrimLeft(text, " "), "\n")
	if sanitize.Escaped(text, "\n") != text {
		return quoted(s), nil
	}
	return text, nil
}

// quoted is s in double quotes.
func quoted(s string) string {
	s = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(s)
	return `"` + sanitize.Escaped(s, "") + `"`
}

// obvious reports whether s is a string without quotes: it starts with a letter
// or a slash, is none of YAML's words, and holds no sign of YAML.
func obvious(s string) bool {
	if s == "" || !letter(s[0]) && s[0] != '/' || len(s) <= len("false") && word(s) {
		return false
	}
	for i := 1; i < len(s); i++ {
		switch c := s[i]; {
		case letter(c), '-' <= c && c <= '9', c == '_', c == '=', c == '@', c == '+': // - . / and digits
		case (c == ' ' || c == ':') && i+1 < len(s) && s[i+1] != ' ' && s[i+1] != ':':
		default:
			return false
		}
	}
	return true
}

// The shapes of strings that each object has others of: a UID, which YAML takes for
// nothing else, and an instant, which needs quotes. In a shape, x is a hexadecimal digit
// and 0 a decimal one.
const (
	uid     = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx"
	instant = "0000-00-00T00:00:00Z"
)

func shaped(s, shape string) bool {
	if len(s) != len(shape) {
		return false
	}
	for i := range len(s) {
		digit := '0' <= s[i] && s[i] <= '9'
		switch shape[i] {
		case '0':
			if !digit {
				return false
			}
		case 'x':
			if !digit && (s[i] < 'a' || s[i] > 'f') {
				return false
			}
		default:
			if s[i] != shape[i] {
				return false
			}
		}
	}
	return true
}

// isTime reports whether YAML takes s, which has the shape of an instant, for a time.
func isTime(s string) bool {
	_, err := time.Parse(time.RFC3339, s)
	return err == nil
}

func letter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// word reports whether s may be a boolean or null in some version of YAML.
func word(s string) bool {
	switch strings.ToLower(s) {
	case "y", "n", "yes", "no", "on", "off", "true", "false", "null":
		return true
	}
	return false
}

// number is a number as the library writes it.
func number(v any) (string, error) {
	if n, ok := v.(json.Number); ok {
		if _, err := strconv.ParseUint(strings.TrimPrefix(n.String(), "-"), 10, 64); err == nil {
			return n.String(), nil
		}
		f, err := n.Float64()
		if err != nil {
			return "", err
		}
		v = f
	}
	text, err := yaml.Marshal(v)
	return strings.TrimSuffix(string(text), "\n"), err
}
