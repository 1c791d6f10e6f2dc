package redact

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

func packedWith(t *testing.T, newWriter func(io.Writer) io.WriteCloser, s string) string {
	t.Helper()
	var buf bytes.Buffer
	w := newWriter(&buf)
	if _, err := io.WriteString(w, s); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.String()
}

// encodings are the ways in which tools keep an object in an annotation.
func encodings(t *testing.T, object string) map[string]string {
	t.Helper()
	block, err := yaml.JSONToYAML([]byte(object))
	if err != nil {
		t.Fatal(err)
	}
	var indented bytes.Buffer
	if err := json.Indent(&indented, []byte(object), "", "  "); err != nil {
		t.Fatal(err)
	}
	gzipped := packedWith(t, func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) }, object)
	zipped := packedWith(t, func(w io.Writer) io.WriteCloser { return zlib.NewWriter(w) }, object)
	std := base64.StdEncoding.EncodeToString
	return map[string]string{
		"JSON": object, "indented JSON": indented.String(), "JSON list": "[" + object + "]", "JSON in JSON": text(t, object), "YAML": string(block),
		"YAML with CR": strings.ReplaceAll(string(block), "\n", "\r"), "YAML in flow style": "--- {env: [{name: A, value: " + secret + "}]}",
		"base64": std([]byte(object)), "base64 of YAML": std(block), "base64 for URLs": base64.URLEncoding.EncodeToString([]byte(object)),
		"base64 without padding": base64.RawURLEncoding.EncodeToString([]byte(object)), "base64 twice": std([]byte(std([]byte(object)))),
		"hexadecimal": hex.EncodeToString([]byte(object)), "capital hexadecimal": "0x" + strings.ToUpper(hex.EncodeToString([]byte(gzipped))),
		"query": url.QueryEscape(object), "query twice": url.QueryEscape(url.QueryEscape(object)), "path": url.PathEscape(string(block)),
		"XML": "<env><name>A</name><value>" + secret + "</value></env>", "base64 of XML": std([]byte("<a>" + object + "</a>")),
		"data URL": "data:application/json;base64," + std([]byte(object)), "token": "eyJhbGciOiJub25lIn0." + base64.RawURLEncoding.EncodeToString([]byte(object)) + ".",
		"word": "config=" + std([]byte(object)) + ",rest",
		"gzip": std([]byte(gzipped)), "gzip without padding": base64.RawStdEncoding.EncodeToString([]byte(gzipped)), "zlib": std([]byte(zipped)),
	}
}

// reveals reports whether s is, or unpacks to, something with the secret.
func reveals(s string, depth int) bool {
	if strings.Contains(s, secret) {
		return true
	}
	if depth == 0 {
		return false
	}
	for _, unpacked := range unpack(s) {
		if reveals(unpacked, depth-1) {
			return true
		}
	}
	return false
}

var wordOf = regexp.MustCompile(`[A-Za-z0-9+/_-]{8,}=*`)

func unpack(s string) []string {
	var out []string
	if raw, err := hex.DecodeString(strings.TrimPrefix(s, "0x")); err == nil {
		out = append(out, string(raw))
	}
	if plain, err := url.QueryUnescape(s); err == nil && plain != s {
		out = append(out, plain)
	}
	if words := wordOf.FindAllString(s, -1); len(words) > 1 || len(words) == 1 && words[0] != s {
		out = append(out, words...)
	}
	for _, e := range []*base64.Encoding{base64.StdEncoding, base64.URLEncoding, base64.RawStdEncoding, base64.RawURLEncoding} {
		if raw, err := e.DecodeString(s); err == nil {
			out = append(out, string(raw))
		}
	}
	if r, err := gzip.NewReader(strings.NewReader(s)); err == nil {
		raw, _ := io.ReadAll(r)
		out = append(out, string(raw))
	}
	if r, err := zlib.NewReader(strings.NewReader(s)); err == nil {
		raw, _ := io.ReadAll(r)
		out = append(out, string(raw))
	}
	return out
}

func TestSerializedObjectsInAnnotations(t *testing.T) {
	kept := Keep{Annotations: []string{"state"}}
	for name, object := range map[string]string{
		"manifest":   text(t, map[string]any{"apiVersion": "v1", "kind": "Pod", "spec": template(t).Spec}),
		"small":      `{"env":[{"name":"A","value":"` + secret + `"}]}`,
		"annotation": text(t, map[string]any{"metadata": map[string]any{"annotations": map[string]any{"deeper": `{"env":[{"name":"A","value":"` + secret + `"}]}`}}}),
	} {
		for encoding, value := range encodings(t, object) {
			if !reveals(value, 4) {
				t.Fatalf("%s as %s does not hold the secret", name, encoding)
			}
			for _, key := range []string{"kapp.k14s.io/original", "state"} {
				annotations := map[string]any{key: value, "kept": "yes"}
				obj := map[string]any{"metadata": map[string]any{"annotations": annotations}, "spec": map[string]any{"template": map[string]any{"metadata": map[string]any{"annotations": map[string]any{key: value}}}}}
				New(kept).Object(obj)
				inner := obj["spec"].(map[string]any)["template"].(map[string]any)["metadata"].(map[string]any)["annotations"].(map[string]any)
				for _, got := range []any{annotations[key], inner[key]} {
					if reveals(got.(string), 4) {
						t.Errorf("%s as %s in %s: the secret is there: %v", name, encoding, key, got)
					}
				}
				if annotations["kept"] != "yes" {
					t.Error("another annotation has changed")
				}
			}
		}
	}
}

// A word may be a secret of its own, as in the URL of a database.
func TestPasswordsInURLs(t *testing.T) {
	for before, after := range map[string]string{
		"postgres://admin:" + secret + "@db/shop":                  "redacted-1",
		"see https://a.example.com/ and https://x:y@b.example.com": "redacted-1",
		"https://a.example.com/users/@me":                          "https://a.example.com/users/@me",
		"me@example.com":                                           "me@example.com",
	} {
		annotations := map[string]any{"url": before}
		New(Keep{}).Object(map[string]any{"annotations": annotations})
		if annotations["url"] != after {
			t.Errorf("%s becomes %s, want %s", before, annotations["url"], after)
		}
	}
}

// What decisions read stays as it is, but for values within.
func TestKeptAnnotations(t *testing.T) {
	state := `{"revision": "b", "lastContainerStatuses": {"main": {"imageID": "sha256:0"}}}`
	for before, after := range map[string]string{
		state: state, "100": "100", "": "", "{": "redacted-1",
		`{"b":[{"env":[{"name":"A","value":"x"}]}],"a":1}`: `{"a":1,"b":[{"env":[{"name":"A","value":"redacted-1"}]}]}`,
	} {
		annotations := map[string]any{"state": before}
		New(Keep{Annotations: []string{"state"}}).Object(map[string]any{"annotations": annotations})
		if annotations["state"] != after {
			t.Errorf("%s becomes %s, want %s", before, annotations["state"], after)
		}
	}
}
