package main

import "strings"

// name is what the plugin is called after "kubectl", and in krew's index. It
// stands here only: names of archives, binaries, shim and manifest follow.
const name = "ctrl"

const (
	homepage  = "https://github.com/kubectl-ctrl/kubectl-ctrl"
	downloads = homepage + "/releases/download"
	command   = "./cmd/kubectl-ctrl"
)

// file is the plugin's name in file names, where kubectl wants underscores for
// dashes (kubectl: pkg/cmd/plugin, registerPluginCommands).
func file() string { return strings.ReplaceAll(name, "-", "_") }

// binary is the name of the executable.
func binary(t target) string { return "kubectl-" + file() + t.exe() }

// completer is the name that kubectl looks for on PATH to complete the plugin's
// arguments (kubectl: pkg/cmd/plugin, lookupCompletionExec).
func completer(t target) string {
	if t.os == windows {
		return "kubectl_complete-" + file() + ".cmd"
	}
	return "kubectl_complete-" + file()
}
