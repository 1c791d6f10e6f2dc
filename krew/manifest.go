package main

import (
	"bytes"
	_ "embed"
	"text/template"
)

//go:embed plugin.yaml.tmpl
var manifestText string

var manifestTemplate = template.Must(template.New("manifest").Option("missingkey=error").Parse(manifestText))

// platform is what the manifest says of one archive.
type platform struct {
	OS, Arch string
	URI      string
	SHA256   string
	Bin      string
}

// manifest is the text of krew's plugin manifest.
func manifest(version string, platforms []platform) ([]byte, error) {
	var b bytes.Buffer
	err := manifestTemplate.Execute(&b, map[string]any{
		"Name":      name,
		"Version":   version,
		"Homepage":  homepage,
		"Platforms": platforms,
	})
	return b.Bytes(), err
}
