package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"strings"
	"text/template"
)

// manifestText is in the form that krew-release-bot renders for krew's index: it
// knows the tag and one function, which takes the sums from what is published.
//
//go:embed plugin.yaml.tmpl
var manifestText string

// platform is how an entry of the manifest's platforms begins.
const platform = "\n  - selector:"

// manifest is the text of krew's plugin manifest with the platforms that are
// released. sums are those of the archives, by their addresses.
func manifest(tag string, sums map[string]string) ([]byte, error) {
	text, err := template.New("manifest").Option("missingkey=error").Funcs(template.FuncMap{
		"addURIAndSha": func(uri, tag string) string {
			uri = strings.ReplaceAll(uri, "{{ .TagName }}", tag)
			return fmt.Sprintf("uri: %s\n    sha256: %s", uri, sums[uri])
		},
	}).Parse(manifestText)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := text.Execute(&b, map[string]string{"TagName": tag}); err != nil {
		return nil, err
	}
	head, all, _ := strings.Cut(strings.TrimSuffix(b.String(), "\n"), platform)
	out, released := head, 0
	for entry := range strings.SplitSeq(all, platform) {
		if !strings.Contains(entry, "sha256: \n") {
			out += platform + entry
			released++
		}
	}
	if released != len(sums) {
		return nil, fmt.Errorf("plugin.yaml.tmpl names %d of %d archives", released, len(sums))
	}
	return []byte(out + "\n"), nil
}
