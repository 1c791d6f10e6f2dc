package main

import (
	"path"
	"slices"
	"strings"
)

// layer is a group of tests that a mutant is put to.
type layer struct {
	name string
	// of lists the packages whose tests run for a file.
	of func(file string) []string
}

var layers = []layer{
	{"unit", near},
	{"unit", unit},
	{"command", func(string) []string {
		return []string{"./test/cli/...", "./test", "./pkg/cli/...", "./pkg/render", "./test/states"}
	}},
	{"oracle", func(string) []string { return []string{"./test/oracle/..."} }},
}

// near is the package of the file and, of a plugin's, that with the goldens: most
// mutants are noticed there, without building more tests.
func near(file string) []string {
	dir := path.Dir(file)
	parts := strings.Split(dir, "/")
	if parts[0] != "plugins" || len(parts) < 3 || parts[1] == "kruise" {
		return []string{"./" + dir}
	}
	return []string{"./" + dir, "./" + path.Join(parts[:2]...)}
}

// unit is the package of the file and, of one that plugins use, theirs; of a plugin's,
// the goldens of all of it; and of both the simulations.
func unit(file string) []string {
	all := []string{"./plugins", "./pkg/simulate"}
	if strings.HasPrefix(file, "pkg/") {
		all = []string{"./" + path.Dir(file), "./plugins/...", "./pkg/simulate"}
	}
	for dir := path.Dir(file); strings.HasPrefix(dir, "plugins/"); dir = path.Dir(dir) {
		all = append(all, "./"+dir)
	}
	if strings.HasPrefix(file, "plugins/kruise/") { // whose controllers use it
		all = append(all, "./plugins/cloneset")
	}
	slices.Sort(all)
	return slices.Compact(all)
}
