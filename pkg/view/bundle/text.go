package bundle

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"regexp"
	"unicode/utf16"
	"unicode/utf8"
)

// utf8Text strips a byte order mark and turns UTF-16, which redirection in
// Windows PowerShell writes, into UTF-8.
func utf8Text(data []byte) ([]byte, error) {
	switch {
	case len(data) > maxUTF16 && (bytes.HasPrefix(data, []byte("\xff\xfe")) || bytes.HasPrefix(data, []byte("\xfe\xff"))):
		return nil, fmt.Errorf("this is UTF-16 and larger than %d MiB: save it as UTF-8", maxUTF16>>20)
	case bytes.HasPrefix(data, []byte("\xff\xfe")):
		data = fromUTF16(data[2:], binary.LittleEndian)
	case bytes.HasPrefix(data, []byte("\xfe\xff")):
		data = fromUTF16(data[2:], binary.BigEndian)
	default:
		data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	}
	if bytes.IndexByte(data, 0) >= 0 || !utf8.Valid(data) {
		return nil, errors.New("this is not text: expected YAML or JSON, as kubectl get -o yaml prints it")
	}
	return data, nil
}

func fromUTF16(data []byte, order binary.ByteOrder) []byte {
	units := make([]uint16, len(data)/2)
	for i := range units {
		units[i] = order.Uint16(data[2*i:])
	}
	return []byte(string(utf16.Decode(units)))
}

// lookalike is text that people paste or redirect by mistake.
type lookalike struct {
	pattern *regexp.Regexp
	hint    string
}

func lookalikes() []lookalike {
	return []lookalike{
		{regexp.MustCompile(`^(NAME|NAMESPACE|LAST SEEN)( {2,}[A-Z][-A-Z() ]*)+\s*(\n|$)`),
			"this looks like a table: use kubectl get -o yaml"},
		{regexp.MustCompile(`(?i)^<(!doctype|html|\?xml)`),
			"this looks like a web page: expected YAML or JSON"},
		{regexp.MustCompile(`^(Error from server|error: |Unable to connect|The connection to the server)`),
			"this looks like an error message of kubectl: expected YAML or JSON"},
		{regexp.MustCompile(`^No resources found`),
			"kubectl found no objects"},
		{regexp.MustCompile(`^Name: {2,}\S+\s*\n`),
			"this looks like kubectl describe: use kubectl get -o yaml"},
	}
}

// mistaken says what a text is that holds no object, when it is something
// well known.
func mistaken(text []byte) error {
	text = bytes.TrimSpace(text[:min(len(text), 1<<10)])
	for _, l := range lookalikes() {
		if l.pattern.Match(text) {
			return errors.New(l.hint)
		}
	}
	return nil
}
