// Command managers writes the table of the controllers that a controller manager has in
// each release, read from upstream's source. Of kube-controller-manager these are its
// ControllerDescriptors, their flags for workers, and the defaults of their feature gates;
// of kruise-manager the Add functions of its controllers. It downloads that source with
// "go mod download", and needs nothing of it to compile.
//
//	go run ./docs/generate/managers > pkg/manager/kubernetes.go
//	go run ./docs/generate/managers kruise > plugins/kruise/controllers.go
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
	table := kubernetes
	if len(os.Args) > 1 && os.Args[1] == "kruise" {
		table = kruise
	}
	text, err := table()
	if err == nil {
		text, err = format.Source(text)
	}
	if err == nil {
		_, err = os.Stdout.Write(text)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

// kubernetes is the Go source of the table of kube-controller-manager.
func kubernetes() ([]byte, error) {
	var rows []manager.Row
	for _, v := range source.Releases(profile.Compared()) {
		controllers, err := source.Read(folders(v))
		if err != nil {
			return nil, fmt.Errorf("kubernetes %s: %w", v, err)
		}
		rows = manager.Extended(rows, v.Minor, controllers)
	}
	return source.Table{Package: "manager", Of: manager.Kubernetes.Name}.Write(rows, nil), nil
}

// kruiseReleases are the newest of each minor that is modelled and whose source can be
// downloaded.
var kruiseReleases = []profile.Version{{Major: 1, Minor: 5, Patch: 5}, {Major: 1, Minor: 6}, {Major: 1, Minor: 7}, {Major: 1, Minor: 8, Patch: 3}, {Major: 1, Minor: 9, Patch: 1}}

// kruise is the Go source of the table of kruise-manager.
func kruise() ([]byte, error) {
	var rows []manager.Row
	var implied []manager.Implied
	for _, v := range kruiseReleases {
		controllers, gates, err := source.ReadKruise(folders(v))
		if err != nil {
			return nil, fmt.Errorf("kruise %s: %w", v, err)
		}
		rows, implied = manager.Extended(rows, v.Minor, controllers), manager.ExtendedImplied(implied, v.Minor, gates)
	}
	return source.Table{Package: "kruise", From: "manager.", Of: "kruise-manager"}.Write(rows, implied), nil
}

// folders are where the modules of a release lie.
func folders(v profile.Version) source.Modules {
	return func(module string) (string, error) {
		version := "v" + v.String()
		if module != "k8s.io/kubernetes" && module != source.Kruise {
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
