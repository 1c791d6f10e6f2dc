// Command managers writes the table of the controllers that kube-controller-manager
// has in each release, read from upstream's source: its ControllerDescriptors, their
// flags for workers, and the defaults of their feature gates. It downloads that source
// with "go mod download", and needs nothing of it to compile.
//
//	go run ./docs/generate/managers > pkg/manager/kubernetes.go
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/format"
	"os"
	"os/exec"

	"github.com/kubectl-ctrl/kubectl-ctrl/docs/generate/managers/source"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/manager"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
)

func main() {
	text, err := table()
	if err == nil {
		_, err = os.Stdout.Write(text)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

// table is the Go source of the table.
func table() ([]byte, error) {
	var rows []manager.Row
	for _, v := range source.Releases(profile.Compared()) {
		controllers, err := source.Read(folders(v))
		if err != nil {
			return nil, fmt.Errorf("kubernetes %s: %w", v, err)
		}
		rows = manager.Extended(rows, v.Minor, controllers)
	}
	return format.Source(source.Write(rows))
}

// folders are where the modules of a release lie.
func folders(v profile.Version) source.Modules {
	return func(module string) (string, error) {
		version := "v" + v.String()
		if module != "k8s.io/kubernetes" {
			version = fmt.Sprintf("v0.%d.%d", v.Minor, v.Patch)
		}
		out, err := exec.Command("go", "mod", "download", "-json", module+"@"+version).Output()
		var downloaded struct{ Dir, Error string }
		if bad := json.NewDecoder(bytes.NewReader(out)).Decode(&downloaded); bad != nil {
			return "", fmt.Errorf("go mod download %s@%s: %w", module, version, err)
		}
		if downloaded.Error != "" {
			return "", fmt.Errorf("%s@%s: %s", module, version, downloaded.Error)
		}
		return downloaded.Dir, nil
	}
}
