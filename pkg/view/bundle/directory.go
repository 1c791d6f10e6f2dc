package bundle

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// directories says what of a directory is read.
type directories struct {
	// enters reports whether a directory of this name below it is read as well. Links to
	// directories are not followed, so that there are no loops.
	enters func(name string) bool
	// takes reports whether a file below it is read.
	takes func(path string) bool
	// hint is for the error of a directory without a file that is read.
	hint string
}

// saved is for what kubectl wrote. Links to files are followed; hidden entries (.git, the
// ..data of a mounted ConfigMap) are left out.
var saved = directories{
	enters: func(name string) bool { return !hidden(name) },
	takes: func(path string) bool {
		return !hidden(filepath.Base(path)) && namedAsData(strings.ToLower(path)) && isRegular(path)
	},
}

// applied is for manifests, as ExpandPathsToFileVisitors of k8s.io/cli-runtime pkg/resource
// is for kubectl apply -f: a name is enough, so that a link to nothing is an error.
func applied(recursive bool) directories {
	d := directories{enters: func(string) bool { return recursive }, takes: namedAsData}
	if !recursive {
		d.hint = "; subdirectories are read with --recursive"
	}
	return d
}

// filesAt is the file itself, whatever its name and even when it is a pipe
// such as <(kubectl get …), or the YAML and JSON files of a directory.
func (d directories) filesAt(path string) ([]input, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("cannot read input: %w", err)
	}
	if !info.IsDir() {
		return []input{fileInput(path)}, nil
	}
	files, err := d.walk(path)
	if err != nil {
		return nil, fmt.Errorf("cannot read input: %w", err)
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("no Kubernetes objects in %s: the directory holds no file named *.yaml, *.yml or *.json%s", path, d.hint)
	}
	return files, nil
}

// walk lists the files of a directory tree.
func (d directories) walk(dir string) ([]input, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var files []input
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		switch {
		case e.IsDir() && d.enters(e.Name()):
			below, err := d.walk(path)
			if err != nil {
				return nil, err
			}
			files = append(files, below...)
		case !e.IsDir() && d.takes(path):
			files = append(files, fileInput(path))
		}
	}
	return files, nil
}

func hidden(name string) bool { return strings.HasPrefix(name, ".") }

func namedAsData(path string) bool {
	switch filepath.Ext(path) {
	case ".yaml", ".yml", ".json":
		return true
	}
	return false
}

func isRegular(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
